export interface PruneFolder {
  readonly runId: string;
  readonly startedAt: string;
  readonly bytes: number;
}

export interface PrunePlan {
  readonly removed: readonly PruneFolder[];
  /** What the limit would have removed too. */
  readonly held: readonly { readonly runId: string; readonly reason: string }[];
}

/** `relais history prune`: what went, or would go, and what had to stay. */
export interface PrunedHistory extends PrunePlan {
  readonly kind: "pruned";
  readonly isDryRun: boolean;
  /** `history.max_mb`. */
  readonly bytesMax: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** What is freed in the state directory. */
  readonly privateBytes: number;
  /** What could not be removed or published. */
  readonly problems: readonly string[];
}
