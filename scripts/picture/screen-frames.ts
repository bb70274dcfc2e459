/** What a terminal shows after each piece of what was written to it. */
import xterm from "@xterm/headless";

/** How a stretch of characters looks. */
export interface Look {
  /** A colour of the palette by its number; null is the usual one. */
  readonly colour: number | null;
  readonly isBold: boolean;
  readonly isFaint: boolean;
  readonly isInverse: boolean;
}

/** Characters that look the same, from a column on. */
export interface Stretch {
  readonly column: number;
  /** In columns, which is not the number of characters where some are wide. */
  readonly width: number;
  readonly text: string;
  readonly look: Look;
}

export interface Frame {
  readonly atMs: number;
  /** Every row, those that were scrolled out included; an empty one has no stretches. */
  readonly rows: readonly (readonly Stretch[])[];
  /** The first row that is on the screen. */
  readonly top: number;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Bytes, and how long after what was seen before they are to be seen; what comes after no time is seen with it. */
export interface Piece {
  readonly gapMs: number;
  readonly data: Buffer;
}

/** A clock that goes on says nothing new, and goes on differently each time. */
const CLOCK = /\d+:\d\d/g;

/** Each thing that was to be seen, once. */
export async function screenFrames(pieces: readonly Piece[], size: ScreenSize): Promise<readonly Frame[]> {
  const terminal = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: 1000,
    allowProposedApi: true,
  });
  const frames: Frame[] = [];
  let [atMs, seen] = [0, ""];
  for (const { gapMs, data } of together(pieces)) {
    await new Promise<void>((resolve) => terminal.write(data, resolve));
    const frame = { rows: rowsOf(terminal), top: terminal.buffer.active.baseY };
    const words = JSON.stringify(frame).replaceAll(CLOCK, "");
    if (words === seen) continue;
    atMs += gapMs;
    seen = words;
    frames.push({ atMs, ...frame });
  }
  terminal.dispose();
  return frames;
}

function together(pieces: readonly Piece[]): readonly Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last === undefined || piece.gapMs > 0) merged.push(piece);
    else merged[merged.length - 1] = { ...last, data: Buffer.concat([last.data, piece.data]) };
  }
  return merged;
}

function rowsOf(terminal: InstanceType<typeof xterm.Terminal>): Frame["rows"] {
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, index) => stretchesOf(active.getLine(index), terminal.cols));
  return rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1);
}

type Line = ReturnType<InstanceType<typeof xterm.Terminal>["buffer"]["active"]["getLine"]>;
type Cell = NonNullable<ReturnType<NonNullable<Line>["getCell"]>>;

function stretchesOf(line: Line, columns: number): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (let column = 0; column < columns; column += 1) {
    const cell = line?.getCell(column);
    const next = cell === undefined ? null : stretchOf(cell, column);
    if (next === null) continue;
    const joined = joinedTo(stretches.at(-1), next);
    if (joined === null) stretches.push(next);
    else stretches[stretches.length - 1] = joined;
  }
  return stretches;
}

/** What is to be seen of one cell; null where that is nothing. The second half of a wide character has no width. */
function stretchOf(cell: Cell, column: number): Stretch | null {
  const [text, look] = [cell.getChars() || " ", lookOf(cell)];
  if (cell.getWidth() === 0 || (text === " " && !look.isInverse)) return null;
  return { column, width: cell.getWidth(), text, look };
}

/** Words that look the same are one stretch, with the space between them; more than one space is a gap. */
function joinedTo(last: Stretch | undefined, next: Stretch): Stretch | null {
  if (last === undefined || !isSameLook(last.look, next.look)) return null;
  const gap = next.column - (last.column + last.width);
  if (gap > 1) return null;
  return {
    ...last,
    text: `${last.text}${" ".repeat(gap)}${next.text}`,
    width: last.width + gap + next.width,
  };
}

function lookOf(cell: Cell): Look {
  return {
    colour: cell.isFgDefault() ? null : cell.getFgColor(),
    isBold: cell.isBold() !== 0,
    isFaint: cell.isDim() !== 0,
    isInverse: cell.isInverse() !== 0,
  };
}

function isSameLook(one: Look, other: Look): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
