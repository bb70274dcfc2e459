/** One thing that a rollback would do. */
export interface RollbackStep {
  /** `mode` changes permissions or the owner only. */
  readonly act: "write" | "remove" | "mode";
  /** As text; that of git's own data follows `git: `. */
  readonly path: string;
}
