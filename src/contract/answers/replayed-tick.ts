/** Whether a recorded tick comes out again as it was recorded. */
import type { Judgement } from "../evidence/judgement.ts";

/** A file that is there and not the one that was recorded. */
export interface FileDiffers {
  readonly kind: "differs";
  readonly file: string;
  /** A field such as `findings[0].code`, or a byte of the file. */
  readonly place: string;
  readonly recorded: string;
  readonly derived: string;
  /** The hashes of the whole file, where it is not the one that was recorded. */
  readonly sha256: { readonly recorded: string; readonly found: string } | null;
}

export type FileTrouble = FileDiffers | { readonly kind: "damaged"; readonly file: string; readonly reason: string };

/** Further files of the folder that are not as they were recorded. */
export interface OtherFiles {
  readonly others: readonly { readonly file: string; readonly reason: string }[];
}

export type ReplayedTick =
  | {
      readonly kind: "same";
      readonly judgement: Pick<Judgement, "code">;
      /** Whether the journal has the hash of the evidence, and whether it has that of every file. */
      readonly isHashChecked: boolean;
      readonly isFolderChecked: boolean;
    }
  | (FileTrouble & OtherFiles)
  /** The tick ended before anything was judged, so there is nothing to judge again. */
  | { readonly kind: "nothing-judged" }
  /** There is no folder, and there need not be one: it was removed to make room, or no history was wanted. */
  | { readonly kind: "pruned" | "not-kept" };

export interface ReplayRow {
  readonly runId: string;
  readonly replayed: ReplayedTick;
}
