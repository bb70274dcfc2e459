/**
 * Frames as a film: every row that was ever to be seen, where it stands on one long strip, and from when until when.
 *
 * Scenes follow one another on the strip, and a camera looks at one screen of it at a time. A row that stays as it is
 * for many frames is on the strip once, so a long session needs little more room than its text.
 */
import type { Frame, ScreenSize, Stretch } from "./screen-frames.ts";

/** One row of text that is to be seen from a moment until another. */
export interface Take {
  /** The row of the strip. */
  readonly row: number;
  readonly stretches: readonly Stretch[];
  readonly fromMs: number;
  /** Null where it stays until the film begins again. */
  readonly untilMs: number | null;
}

export interface Film {
  readonly takes: readonly Take[];
  /** Which row of the strip is the first on the screen, from a moment on. */
  readonly camera: readonly { readonly atMs: number; readonly row: number }[];
  readonly durationMs: number;
  readonly size: ScreenSize;
}

/** The frames of a scene, and how long its last one is to be looked at. */
export interface Scene {
  readonly frames: readonly Frame[];
  readonly holdMs: number;
}

interface Placed {
  readonly frames: readonly Frame[];
  readonly endMs: number;
  readonly firstRow: number;
}

export function filmOf(scenes: readonly Scene[], size: ScreenSize): Film {
  const placed = placedScenes(scenes, size);
  const durationMs = placed.at(-1)?.endMs ?? 0;
  return {
    takes: placed.flatMap((scene) => takesOf(scene, durationMs)),
    camera: placed.flatMap(cameraOf),
    durationMs,
    size,
  };
}

function placedScenes(scenes: readonly Scene[], size: ScreenSize): readonly Placed[] {
  let [startMs, firstRow] = [0, 0];
  return scenes.map(({ frames, holdMs }) => {
    const began = startMs;
    const moved = frames.map((frame) => ({ ...frame, atMs: began + frame.atMs }));
    const endMs = (moved.at(-1)?.atMs ?? began) + holdMs;
    const scene = { frames: moved, endMs, firstRow };
    const height = Math.max(...frames.map(({ top, rows }) => Math.max(top + size.rows, rows.length)));
    [startMs, firstRow] = [endMs, firstRow + height];
    return scene;
  });
}

function takesOf({ frames, endMs, firstRow }: Placed, durationMs: number): readonly Take[] {
  const rows = Math.max(0, ...frames.map((frame) => frame.rows.length));
  return Array.from({ length: rows }, (_, index) => index).flatMap((index) => {
    const takes: Take[] = [];
    let shown = "[]";
    for (const { atMs, rows: all } of frames) {
      const stretches = all[index] ?? [];
      const text = JSON.stringify(stretches);
      if (text === shown) continue;
      const last = takes.at(-1);
      if (last !== undefined && last.untilMs === null) takes[takes.length - 1] = { ...last, untilMs: atMs };
      if (stretches.length > 0) takes.push({ row: firstRow + index, stretches, fromMs: atMs, untilMs: null });
      shown = text;
    }
    // What a scene leaves behind is not seen any more once the camera has gone on to the next one.
    const untilMs = endMs === durationMs ? null : endMs;
    return takes.map((take) => (take.untilMs === null ? { ...take, untilMs } : take));
  });
}

function cameraOf({ frames, firstRow }: Placed): Film["camera"] {
  const moves: { atMs: number; row: number }[] = [];
  for (const { atMs, top } of frames) {
    const row = firstRow + top;
    if (moves.at(-1)?.row !== row) moves.push({ atMs, row });
  }
  return moves;
}
