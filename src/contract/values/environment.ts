/** Passed in by the executable; no other code reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Caller {
  readonly cwd: string;
  readonly environment: Environment;
}
