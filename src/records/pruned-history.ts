export interface PruneFolder {
  readonly runId: string;
  readonly startedAt: string;
  readonly bytes: number;
}

export interface PrunePlan {
  readonly removed: readonly PruneFolder[];
  /** Folders beyond the limit that must stay. */
  readonly held: readonly { readonly runId: string; readonly reason: string }[];
}

/** `relais history prune`: what was removed, or would be. */
export interface PrunedHistory extends PrunePlan {
  readonly kind: "pruned";
  readonly isDryRun: boolean;
  /** `history.max_mb`. */
  readonly bytesMax: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Freed in the state directory. */
  readonly privateBytes: number;
  readonly problems: readonly string[];
}
