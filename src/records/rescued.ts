/** Part of the answer of `relais salvage`: reverted commits and ignored files outside of any salvage. */
/** A name that led to a commit or a stash before a rollback. */
interface RescuedCommit {
  readonly at: string;
  readonly ref: string;
  readonly id: string;
}

export interface Rescued {
  readonly objects: string;
  /** Newest first, each once. */
  readonly commits: readonly RescuedCommit[];
  /** Folders with copies of ignored files. */
  readonly folders: readonly string[];
}
