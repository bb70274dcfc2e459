/** Whether judging a recorded tick again gives the recorded result. */
import type { Judgement } from "./judgement.ts";

export interface FileDiffers {
  readonly kind: "differs";
  readonly file: string;
  /** A field such as `findings[0].code`, or a byte of the file. */
  readonly place: string;
  readonly recorded: string;
  readonly derived: string;
  /** The hashes of the whole file, if it is not the recorded one. */
  readonly sha256: { readonly recorded: string; readonly found: string } | null;
}

export type FileTrouble = FileDiffers | { readonly kind: "damaged"; readonly file: string; readonly reason: string };

/** Other files of the folder that differ from the record. */
export interface OtherFiles {
  readonly others: readonly { readonly file: string; readonly reason: string }[];
}

export type ReplayedTick =
  | {
      readonly kind: "same";
      readonly judgement: Pick<Judgement, "code">;
      /** Whether the journal has the hash of the evidence, and of every file. */
      readonly isHashChecked: boolean;
      readonly isFolderChecked: boolean;
    }
  | (FileTrouble & OtherFiles)
  /** The tick ended before it was judged. */
  | { readonly kind: "nothing-judged" }
  /** The folder was pruned, or no history is configured. */
  | { readonly kind: "pruned" | "not-kept" };

export interface ReplayRow {
  readonly runId: string;
  readonly replayed: ReplayedTick;
}
