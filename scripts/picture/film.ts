/**
 * Frames as a film: every row of the screen with all that was ever to be seen there, from when until when.
 *
 * A row that stays as it is for many frames is in the film once, so a long session needs little more room than its
 * text, and a player only shows and hides.
 */
import type { Frame, ScreenSize, Stretch } from "./screen-frames.ts";

/** One row of text that is to be seen from a moment until another. */
export interface Take {
  readonly row: number;
  readonly stretches: readonly Stretch[];
  readonly fromMs: number;
  /** Null where it stays until the film begins again. */
  readonly untilMs: number | null;
}

export interface Film {
  readonly takes: readonly Take[];
  readonly durationMs: number;
  readonly size: ScreenSize;
}

/**
 * The frames of a scene, and how long all of it takes. The length is given, so that a scene that went a little faster
 * or slower than the last time does not move all that comes after it.
 */
export interface Scene {
  readonly frames: readonly Frame[];
  readonly lengthMs: number;
}

/** So long the end of a scene is to be looked at, whatever it took. */
const HOLD_MS_MIN = 2500;

export function filmOf(scenes: readonly Scene[], size: ScreenSize): Film {
  const { frames, durationMs } = inARow(scenes);
  const rows = Array.from({ length: size.rows }, (_, row) => row);
  return { takes: rows.flatMap((row) => takesOf(frames, row)), durationMs, size };
}

/** Each scene takes its time, or as much longer as it needs. */
function inARow(scenes: readonly Scene[]): {
  readonly frames: readonly Frame[];
  readonly durationMs: number;
} {
  let durationMs = 0;
  const frames = scenes.flatMap((scene) => {
    const startMs = durationMs;
    durationMs += Math.max(scene.lengthMs, (scene.frames.at(-1)?.atMs ?? 0) + HOLD_MS_MIN);
    return scene.frames.map((frame) => ({ ...frame, atMs: startMs + frame.atMs }));
  });
  return { frames, durationMs };
}

/** Everything that one row of the screen shows, one after the other. */
function takesOf(frames: readonly Frame[], row: number): readonly Take[] {
  const takes: Take[] = [];
  let shown = "[]";
  for (const { atMs, rows, top } of frames) {
    const stretches = rows[top + row] ?? [];
    const text = JSON.stringify(stretches);
    if (text === shown) continue;
    const last = takes.at(-1);
    if (last !== undefined && last.untilMs === null) takes[takes.length - 1] = { ...last, untilMs: atMs };
    if (stretches.length > 0) takes.push({ row, stretches, fromMs: atMs, untilMs: null });
    shown = text;
  }
  return takes;
}
