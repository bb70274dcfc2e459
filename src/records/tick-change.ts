import type { LeftOut } from "./kept-work.ts";

/** The change of one tick, from its recorded evidence; of a running one the change so far. */
export interface TickChange {
  readonly kind: "change";
  readonly runId: string;
  readonly intent: string | null;
  readonly state: "running" | "kept" | "committed" | "reverted" | "undone";
  readonly commit: string | null;
  readonly branch: string | null;
  /** A patch for git, exact to the last byte. */
  readonly patch: Uint8Array;
  /** Changed paths that the patch does not have. */
  readonly leftOut: readonly LeftOut[];
}
