/** The repository could not be put back, or could not be shown to be back. Nothing more may run on it. */
export class RollbackError extends Error {
  override readonly name = "RollbackError";
  /** What still differs, as readable lines. */
  readonly differences: readonly string[];

  constructor(reason: string, differences: readonly string[]) {
    super(`the repository could not be put back: ${reason}`);
    this.differences = differences;
  }
}
