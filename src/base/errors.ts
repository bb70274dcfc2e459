/**
 * A measurement that could not be finished. It is always thrown, because an empty or partial result would pass every
 * gate.
 */
export class MeasurementError extends Error {
  override readonly name = "MeasurementError";
  /** A short noun phrase. */
  readonly what: string;
  /** In the words of the program or system that failed. */
  readonly detail: string;

  constructor(what: string, detail: string) {
    super(`${what}: ${detail}`);
    this.what = what;
    this.detail = detail;
  }
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A bug in relais, never a problem of the repository or of an agent. Only the executable catches it. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** Marks a branch that the types rule out. Reaching it is a bug. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable: ${JSON.stringify(value)}`);
}
