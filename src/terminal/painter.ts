/**
 * Draws a block of lines at the bottom of what was printed, and the only thing here that moves the cursor.
 *
 * Each change is one write between the marks of a synchronised update, so that nobody sees half of it, and only lines
 * that differ are written. The cursor rests below the block at the beginning of a line and is hidden within a write only:
 * whatever ends the process in between, it is there, and the shell goes on below. Nothing else of the terminal is
 * touched: no other screen, no modes, no scrolling region, and what was printed before is never cleared.
 */
import type { Screen, Session } from "./command.ts";
import { measureDisplayWidth } from "../base/wrap-text.ts";

export interface Surface {
  readonly write: (text: string) => void;
  readonly size: () => { readonly columns: number; readonly rows: number };
}

export interface Painter {
  readonly draw: (lines: readonly string[]) => void;
  /** Prints lines that stay, above the block. */
  readonly print: (text: string) => void;
  /** Lets somebody else print lines that stay. */
  readonly aside: (print: () => void) => void;
  /** Takes the block away; it comes back with the next `draw`. */
  readonly erase: () => void;
}

const ESC = "\u001B[";
const BEGIN = `${ESC}?2026h${ESC}?25l`;
const END = `${ESC}?25h${ESC}?2026l`;
const ERASE_BELOW = `${ESC}J`;
const ERASE_REST = `${ESC}K`;
/** And on to the next one. */
const ERASE_ROW = `${ESC}2K${ESC}B`;

interface Drawn {
  readonly lines: readonly string[];
  readonly columns: number;
  readonly rows: number;
  /**
   * How wide the lines were that a terminal that became smaller has pushed out at its top. It may bring them back, in as
   * many rows as they need by then: counting old rows would erase what was printed above them.
   */
  readonly lost: readonly number[];
}

export function createPainter({ write, size }: Surface): Painter {
  let drawn: Drawn = { lines: [], columns: 0, rows: 0, lost: [] };
  const show = (text: string): void => {
    if (text !== "") write(`${BEGIN}${text}${END}`);
  };
  const erase = (): void => {
    if (drawn.lines.length > 0) show(eraseBlock(drawn, size()));
    drawn = { ...drawn, lines: [], lost: [] };
  };
  const draw = (lines: readonly string[]): void => {
    const { columns, rows } = size();
    // The last row is where the cursor rests.
    const next = { lines: lines.slice(0, Math.max(0, rows - 1)), columns, rows };
    const isResized = drawn.columns !== columns || drawn.rows !== rows;
    const lost = isResized ? findLostLines(drawn, next) : drawn.lost;
    show(isResized ? redrawBlock(drawn, next) : rewriteChanges(drawn, next));
    drawn = { ...next, lost };
  };
  return {
    draw,
    erase,
    print: (text) => {
      const { columns, rows } = size();
      const kept = { lines: drawn.lines.slice(0, Math.max(0, rows - 1)), columns, rows };
      show(
        `${moveToTop(drawn, kept)}${[...splitPrinted(text), ...kept.lines].map(writeLine(columns)).join("")}${ERASE_BELOW}`,
      );
      drawn = { ...kept, lost: [] };
    },
    aside: (print) => {
      const { lines } = drawn;
      erase();
      print();
      draw(lines);
    },
  };
}

type Next = Omit<Drawn, "lost">;

/** A line that is written in full, and the beginning of the next one. In a full line nothing is left to erase. */
function writeLine(columns: number): (line: string) => string {
  return (line) => {
    const width = measureVisible(line);
    const isFull = width > 0 && width % columns === 0;
    return `${line}${isFull ? "" : ERASE_REST}\r\n`;
  };
}

/** After the terminal changed its size every line is written again, from where the first one is by now. */
function redrawBlock(drawn: Drawn, next: Next): string {
  return `${eraseBlock(drawn, next)}${next.lines.map(writeLine(next.columns)).join("")}`;
}

/**
 * The rows of the block one by one, and the cursor back at the first of them. A terminal may remember of a row that it
 * went on in the next one until all of it is erased, and would join ours later; and one whose whole screen is erased at
 * once may take that for something to keep.
 */
function eraseBlock(drawn: Drawn, { columns }: Pick<Next, "columns">): string {
  const rows = countRows(listWidths(drawn), columns);
  return `${moveUp(rows)}${ERASE_ROW.repeat(rows)}${rows === 0 ? "" : ERASE_BELOW}${moveUp(rows)}`;
}

/** Only the lines that differ; the others are stepped over. */
function rewriteChanges({ lines: before, lost }: Drawn, { lines, columns, rows }: Next): string {
  if (lines.length === 0)
    return before.length === 0 ? "" : eraseBlock({ lines: before, columns, rows, lost }, { columns });
  const isSame = before.length === lines.length && before.every((line, index) => line === lines[index]);
  if (isSame) return "";
  const write = writeLine(columns);
  const steps = lines.map((line, index) => {
    if (index >= before.length) return write(line);
    return line === before[index] ? `${ESC}B` : write(line);
  });
  // What somebody typed meanwhile stands below the block, and goes too.
  return `${moveUp(before.length)}${steps.join("")}${ERASE_BELOW}`;
}

/** To the beginning of the first line of the block, wherever a new width has moved it. */
function moveToTop(drawn: Drawn, { columns }: Pick<Next, "columns">): string {
  return moveUp(countRows(listWidths(drawn), columns));
}

/** Everything of the block that may be on the terminal, from the top. */
function listWidths({ lines, lost }: Drawn): readonly number[] {
  return [...lost, ...lines.map(measureVisible)];
}

/** A terminal that became narrower has broken the lines that do not fit any more. */
function countRows(widths: readonly number[], columns: number): number {
  return widths.reduce((rows, width) => rows + countLineRows(width, columns), 0);
}

const countLineRows = (width: number, columns: number): number => Math.max(1, Math.ceil(width / Math.max(1, columns)));

/** What does not fit above the row where the cursor rests; of a line that is half out, the half. */
function findLostLines(drawn: Drawn, { columns, rows }: Next): readonly number[] {
  const widths = listWidths(drawn);
  let out = countRows(widths, columns) - (rows - 1);
  const lost: number[] = [];
  for (const width of widths) {
    if (out <= 0) break;
    lost.push(Math.min(width, out * columns));
    out -= countLineRows(width, columns);
  }
  return lost;
}

const moveUp = (rows: number): string => `\r${rows > 0 ? `${ESC}${rows}A` : ""}`;

function splitPrinted(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** A colour or its end. */
const DRESS = /\p{Cc}\[[\d;]*m/gu;

function measureVisible(line: string): number {
  return measureDisplayWidth(line.replaceAll(DRESS, ""));
}

interface ProgressLine {
  readonly redraw: () => void;
  /** Takes it away. */
  readonly close: () => void;
}

/** One line that is drawn again while a command works. */
export function showProgressLine({ stage }: Session, screen: Screen, render: () => string): ProgressLine {
  const painter = createPainter({ write: stage.raw, size: screen.size });
  let isPaused = false;
  const redraw = (): void => {
    if (!isPaused) painter.draw([render().slice(0, screen.size().columns - 1)]);
  };
  const ends = [screen.onResize(redraw), screen.onSuspend({ before: painter.erase, after: redraw })];
  const close = (): void => {
    for (const end of ends) end();
    painter.erase();
  };
  const pause = (): (() => void) => {
    isPaused = true;
    painter.erase();
    return () => {
      isPaused = false;
      redraw();
    };
  };
  stage.show({ ...painter, pause, close });
  redraw();
  return { redraw, close: stage.clear };
}
