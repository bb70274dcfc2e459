import type { Style } from "../text/style.ts";

/** Where and when a frame is drawn. */
export interface FramePlace {
  readonly columns: number;
  readonly rows: number;
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly style: Style;
}

/** What a part of a frame has to know of it. */
export type PartPlace = Pick<FramePlace, "columns" | "now">;
