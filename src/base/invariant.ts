/** A bug in relais, never a problem of the repository or of an agent. Only the executable catches it. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** Marks a branch that the types rule out. Reaching it is a bug. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable: ${JSON.stringify(value)}`);
}
