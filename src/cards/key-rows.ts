/** The keys of a live view, in its last lines. */
import { fitKeyHints } from "../base/key-line.ts";
import { type FrameLine, type LiveKeyState, makeSpan } from "./frame-line.ts";

const EXPLAINED: Readonly<Record<string, string>> = {
  "p pause": "pause: end after this tick; the same command goes on later",
  "p go on": "go on after this tick",
  "s stop": "stop now: the change is reverted and saved in salvage",
  "d diff": "the change so far",
  "l log": "what the agents said and did so far",
  "? help": "hide this help",
};

export function renderKeyRows({ hints, notice, isExplained }: LiveKeyState, columns: number): readonly FrameLine[] {
  const head = notice === null ? [] : [makeSpan(notice, "strong")];
  if (isExplained) {
    const explained = hints.map(([key, meaning]): FrameLine => [
      makeSpan(key, "strong"),
      makeSpan(` ${EXPLAINED[`${key} ${meaning}`] ?? meaning}`, "faint"),
    ]);
    return head.length === 0 ? explained : [head, ...explained];
  }
  const room = columns - (notice === null ? 0 : notice.length + GAP.length);
  const shown = fitKeyHints(hints, room).flatMap(([key, meaning], index) => [
    ...(index === 0 ? [] : [makeSpan(" · ", "faint")]),
    makeSpan(key, "strong"),
    makeSpan(` ${meaning}`, "faint"),
  ]);
  const gap = head.length > 0 && shown.length > 0 ? [makeSpan(GAP)] : [];
  const line = [...head, ...gap, ...shown];
  return line.length === 0 ? [] : [line];
}

const GAP = "   ";
