/** One line of a frame: pieces of text, each with what it says as a tone, measured before it is dressed. */
import type { KeyHint } from "../base/key-line.ts";
import type { Style, Tone } from "../base/style.ts";
import { measureDisplayWidth, padText } from "../base/wrap-text.ts";

export interface LiveKeyState {
  readonly hints: readonly KeyHint[];
  /** What the last key led to; it stands before the hints. */
  readonly notice: string | null;
  /** Whether each key is explained in a line of its own. */
  readonly isExplained: boolean;
}

/** Where and when a frame is drawn. */
export interface FramePlace {
  readonly columns: number;
  readonly rows: number;
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly style: Style;
  /** The keys that can be pressed; absent where nobody can. */
  readonly keys?: LiveKeyState | null;
}

export type PartPlace = Pick<FramePlace, "columns" | "now">;

export interface Span {
  readonly text: string;
  readonly tone?: Tone;
}

export type FrameLine = readonly Span[];

export const makeSpan = (text: string, tone?: Tone): Span => (tone === undefined ? { text } : { text, tone });

export function measureLine(line: FrameLine): number {
  return line.reduce((width, { text }) => width + measureDisplayWidth(text), 0);
}

/** The line as it is written: never wider than the columns, what does not fit cut off visibly. */
export function renderLine(line: FrameLine, columns: number, style: Style): string {
  return cutLine(line, columns)
    .map(({ text, tone }) => (tone === undefined || text === "" ? text : style(tone, text)))
    .join("")
    .trimEnd();
}

function cutLine(line: FrameLine, columns: number): FrameLine {
  if (measureLine(line) <= columns) return line;
  const kept: Span[] = [];
  let left = columns - 1;
  for (const { text, tone } of line) {
    const head = cutText(text, left);
    kept.push(makeSpan(head, tone));
    left -= measureDisplayWidth(head);
    if (head !== text) break;
  }
  return columns < 1 ? [] : [...kept, makeSpan("…", "faint")];
}

function cutText(text: string, width: number): string {
  let head = "";
  let left = width;
  for (const character of text) {
    left -= measureDisplayWidth(character);
    if (left < 0) break;
    head += character;
  }
  return head;
}

const LABEL_WIDTH = 12;
const ROOMY = 60;

/** A label with something beside it. Where there is little room, the margin goes first. */
export function makeRow(label: string, line: FrameLine, columns: number): FrameLine {
  const margin = columns < ROOMY ? "" : "  ";
  return [makeSpan(`${margin}${padText(label, LABEL_WIDTH)} `, "faint"), ...line];
}

export function measureRoomBeside(columns: number): number {
  return Math.max(0, columns - LABEL_WIDTH - 1 - (columns < ROOMY ? 0 : 2));
}

/** A line with something at its right edge; where both do not fit, the left one is cut. */
export function spreadCells(left: FrameLine, right: FrameLine, columns: number): FrameLine {
  const room = columns - measureLine(right) - 2;
  if (room < 8) return left;
  const head = cutLine(left, room);
  return [...head, makeSpan(" ".repeat(Math.max(0, columns - measureLine(head) - measureLine(right)))), ...right];
}

const MINUTE_S = 60;
const HOUR_S = 3600;

const padTwo = (value: number): string => String(value).padStart(2, "0");

/** A running clock: it changes once a second and keeps its width. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor((seconds % HOUR_S) / MINUTE_S);
  const hours = Math.floor(seconds / HOUR_S);
  const rest = padTwo(seconds % MINUTE_S);
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${padTwo(minutes)}:${rest}`;
}
