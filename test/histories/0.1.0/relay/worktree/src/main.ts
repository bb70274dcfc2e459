export const answer = 42; // tenth
