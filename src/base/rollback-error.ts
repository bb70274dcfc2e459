/** The rollback failed or could not be proven. Nothing more may run on this repository. */
export class RollbackError extends Error {
  override readonly name = "RollbackError";
  readonly differences: readonly string[];

  constructor(reason: string, differences: readonly string[]) {
    super(`the rollback failed: ${reason}`);
    this.differences = differences;
  }
}
