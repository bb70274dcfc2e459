/** Passed in by the executable; no other code reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Set for a relais that works for a job; its worker hands the result over. */
export const JOB_VARIABLE = "RELAIS_JOB";

/** For a job that is done again: why its first result could not land. Every builder reads it. */
export const CONTEXT_VARIABLE = "RELAIS_JOB_CONTEXT";

export interface Caller {
  readonly cwd: string;
  readonly environment: Environment;
}

/** Tells a relais that another one started it, by the number of the descriptor of their pipe (`src/terminal/hold-lifeline.ts`). */
export const LIFELINE_VARIABLE = "RELAIS_LIFELINE";
export const LIFELINE = 3;
