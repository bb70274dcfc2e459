/** The variables of a process, as the executable hands them in; nothing else reads them from the process itself. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Who calls relais: the folder they stand in, and their environment. */
export interface Caller {
  readonly cwd: string;
  readonly environment: Environment;
}
