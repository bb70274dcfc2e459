export interface CommittedEntry {
  /** As git writes it: `100644`, `100755`, `120000`, `160000`. */
  readonly mode: string;
  readonly id: string;
}

/** Everything in the tree of one commit. Keys are byte paths, as in a manifest. */
export interface CommittedTree {
  readonly commit: string;
  /** Links and submodules included. */
  readonly files: ReadonlyMap<string, CommittedEntry>;
  /** The ids of the trees, "" for the root. */
  readonly folders: ReadonlyMap<string, string>;
}
