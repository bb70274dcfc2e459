/** Tells a relais that another one started it, by the number of the descriptor of their pipe (`src/terminal/hold-lifeline.ts`). */
export const LIFELINE_VARIABLE = "RELAIS_LIFELINE";
export const LIFELINE = 3;
