export const answer = 0;
