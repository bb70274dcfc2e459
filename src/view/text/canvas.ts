import { neutralise } from "./neutralise.ts";
import type { Style } from "./style.ts";
import { measureDisplayWidth } from "./display-width.ts";
import { padText, wrapText } from "./wrap-text.ts";

/** Where text for people is laid out: how it is dressed and how wide it may be. */
export interface Canvas {
  readonly style: Style;
  readonly columns: number;
}

/** A command to type, with what it is good for. */
export interface NextStep {
  readonly command: string;
  readonly explains: string;
}

/** What a mark says, as a colour. */
export type Tone = Parameters<Style>[0];

const LABEL_WIDTH = 10;
const INDENT = "  ";
const COLUMNS_MIN = 40;

/** The usable width; on less than this nothing can be laid out, and the terminal breaks the lines itself. */
export function measureWidth({ columns }: Canvas): number {
  return Math.max(COLUMNS_MIN, columns);
}

/** Sentences that fill the width. */
export function renderParagraph(text: string, canvas: Canvas): readonly string[] {
  return wrapText(text, measureWidth(canvas));
}

/** Text that somebody else wrote, line by line and marked as a quotation. */
export function renderQuotation(text: string, canvas: Canvas, indent = ""): readonly string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .flatMap((line) => wrapText(neutralise(line), measureWidth(canvas) - indent.length - 2))
    .map((line) => `${indent}${canvas.style("faint", "│")} ${line}`);
}

/** A label with its text beside it; further lines stand below the first one. */
export function renderLabelled(label: string, text: string, canvas: Canvas): readonly string[] {
  const width = measureWidth(canvas) - INDENT.length - LABEL_WIDTH - 1;
  return wrapText(text, width).map((line, index) => labelLine(index === 0 ? label : "", line, canvas));
}

/** One line of a list below a label: a mark, coloured by what it says, and its text. */
export function renderMarked(
  label: string,
  { mark, tone, text }: { readonly mark: string; readonly tone: Tone; readonly text: string },
  canvas: Canvas,
): readonly string[] {
  const taken = measureDisplayWidth(mark) + 1;
  const width = measureWidth(canvas) - INDENT.length - LABEL_WIDTH - 1 - taken;
  return wrapText(text, width).map((line, index) =>
    index === 0
      ? labelLine(label, `${canvas.style(tone, mark)} ${line}`, canvas)
      : labelLine("", `${" ".repeat(taken)}${line}`, canvas),
  );
}

function labelLine(label: string, line: string, { style }: Canvas): string {
  const dressed = label === "" ? " ".repeat(LABEL_WIDTH) : style("faint", padText(label, LABEL_WIDTH));
  return `${INDENT}${dressed} ${line}`;
}

/** The least room in which a text beside something can still be read. */
const ROOM_MIN = 24;

/** Two columns; where there is no room for the second one, it stands below the first, further in. */
export function renderPairs(rows: readonly (readonly [string, string])[], canvas: Canvas): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => measureDisplayWidth(left)));
  const room = measureWidth(canvas) - INDENT.length - width - 2;
  return rows.flatMap(([left, right]) => {
    const head = `${INDENT}${padText(left, width)}  `;
    if (room >= ROOM_MIN || measureDisplayWidth(right) <= room) return hanging(head, right, room);
    return [`${INDENT}${left}`, ...wrapText(right, measureWidth(canvas) - 6).map((line) => `      ${line}`)];
  });
}

/** Text behind a head, and its further lines below its first one. */
function hanging(head: string, text: string, room: number): readonly string[] {
  const margin = " ".repeat(measureDisplayWidth(head));
  return wrapText(text, room).map((line, index) => `${index === 0 ? head : margin}${line}`.trimEnd());
}

/** One line, or the head alone and the text below it where both do not fit beside each other. */
export function renderEntry(
  { head, dressed, text }: { readonly head: string; readonly dressed: string; readonly text: string },
  canvas: Canvas,
): readonly string[] {
  const isBeside = measureDisplayWidth(head) + 2 + measureDisplayWidth(text) <= measureWidth(canvas);
  if (isBeside) return [`${dressed}  ${text}`];
  return [dressed, ...wrapText(text, measureWidth(canvas) - 4).map((line) => `    ${line}`)];
}

/** Commands under one another. One that is longer than a line goes on after a backslash, so that it can be copied. */
export function renderSteps(list: readonly NextStep[], canvas: Canvas): readonly string[] {
  const width = Math.max(0, ...list.map(({ command }) => measureDisplayWidth(command)));
  const room = measureWidth(canvas) - INDENT.length - width - 2;
  const isBeside = list.every(({ explains }) => measureDisplayWidth(explains) <= room);
  return list.flatMap(({ command, explains }) => {
    const dressed = canvas.style("strong", command);
    const gap = " ".repeat(width - measureDisplayWidth(command) + 2);
    if (isBeside) return [`${INDENT}${dressed}${gap}${canvas.style("faint", explains)}`];
    const below = wrapText(explains, measureWidth(canvas) - 6);
    const lines = commandLines(command, measureWidth(canvas) - INDENT.length);
    return [
      ...lines.map((line) => `${INDENT}${canvas.style("strong", line)}`),
      ...below.map((line) => `      ${canvas.style("faint", line)}`),
    ];
  });
}

/** What a shell takes for one word, with the spaces that are quoted in it. */
const SHELL_WORD = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s\\'"])+|\S/gu;

/** A shell reads a line that ends with a backslash together with the next one. A word is never broken. */
function commandLines(command: string, width: number): readonly string[] {
  if (measureDisplayWidth(command) <= width) return [command];
  const lines: string[] = [];
  for (const word of command.match(SHELL_WORD) ?? []) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || measureDisplayWidth(longer) > width - 2)
      lines.push(last === undefined ? word : `  ${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line, index) => `${line}${index < lines.length - 1 ? " \\" : ""}`);
}
