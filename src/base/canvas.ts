import { neutralise, type Style, type Tone } from "./style.ts";
import { measureDisplayWidth, padText, wrapText } from "./wrap-text.ts";

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

interface HeadedText {
  readonly head: string;
  /** The same with its style. */
  readonly dressed: string;
  readonly text: string;
}

export const makeStep = (command: string, explains: string): NextStep => ({ command, explains });

/** A mark and its colour. */
export interface Sign {
  readonly mark: string;
  readonly tone: Tone;
}

export const GOOD: Sign = { mark: "✓", tone: "good" };
export const BAD: Sign = { mark: "✗", tone: "bad" };
/** Something that goes on, or can. */
export const PENDING: Sign = { mark: "…", tone: "strong" };
/** Neither good nor bad: a turn that leads to the next one. */
export const NEUTRAL: Sign = { mark: "○", tone: "strong" };
export const QUESTION: Sign = { mark: "?", tone: "strong" };
export const WARNING: Sign = { mark: "!", tone: "strong" };

type FactText = string | (Sign & { readonly text: string });

/** A line of a card: its label, and its text or a mark with text; null is left out. */
export type Fact = readonly [label: string, text: FactText | null];

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

/** A sentence behind a dressed head. */
export function renderHeaded({ head, dressed, text }: HeadedText, canvas: Canvas): readonly string[] {
  return renderParagraph(`${head} ${text}`, canvas).map((line, index) =>
    index === 0 && line.startsWith(head) ? `${dressed}${line.slice(head.length)}` : line,
  );
}

/** Sentences further in. */
export function renderIndented(text: string, indent: number, canvas: Canvas): readonly string[] {
  return wrapText(text, measureWidth(canvas) - indent).map((line) => `${" ".repeat(indent)}${line}`);
}

/** Text that somebody else wrote, line by line and marked as a quotation. */
export function renderQuotation(text: string, canvas: Canvas): readonly string[] {
  return splitLines(text)
    .flatMap((line) => wrapText(line, measureWidth(canvas) - 2))
    .map((line) => `${canvas.style("faint", "│")} ${line}`);
}

/** The lines of untrusted text, without empty ones. */
export function splitLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map(neutralise);
}

/** Labels with their texts beside them. A label that repeats is shown once. */
export function renderFacts(facts: readonly Fact[], canvas: Canvas): readonly string[] {
  return facts
    .flatMap(([label, text]) => (text === null ? [] : [{ label, text }]))
    .flatMap(({ label, text }, index, shown) =>
      renderFact(shown[index - 1]?.label === label ? "" : label, text, canvas),
    );
}

/** The room for the text of a fact without a mark. */
export function measureFactRoom(canvas: Canvas): number {
  return measureWidth(canvas) - INDENT.length - LABEL_WIDTH - 1;
}

function renderFact(label: string, fact: FactText, canvas: Canvas): readonly string[] {
  const { mark, tone, text } = typeof fact === "string" ? { mark: "", tone: "faint" as const, text: fact } : fact;
  const taken = mark === "" ? 0 : measureDisplayWidth(mark) + 1;
  const lead = mark === "" ? "" : `${canvas.style(tone, mark)} `;
  return wrapText(text, measureFactRoom(canvas) - taken).map((line, index) =>
    index === 0
      ? `${INDENT}${label === "" ? " ".repeat(LABEL_WIDTH) : canvas.style("faint", padText(label, LABEL_WIDTH))} ${lead}${line}`
      : `${" ".repeat(INDENT.length + LABEL_WIDTH + 1 + taken)}${line}`,
  );
}

interface ListLimits {
  readonly max: number;
  /** How many there are where the list was cut before. */
  readonly total?: number;
  readonly hint?: string;
}

export const VERBOSE_HINT = "; see them with -v";

/** The first ones of a list below one label, and the number of the others. */
export function listFacts(
  label: string,
  texts: readonly FactText[],
  { max, total = 0, hint = "" }: ListLimits,
): readonly Fact[] {
  const shown = texts.slice(0, max);
  const hidden = Math.max(total, texts.length) - shown.length;
  return [
    ...shown.map((text): Fact => [label, text]),
    ["", hidden > 0 ? `and ${hidden} more${shown.length < texts.length ? hint : ""}` : null],
  ];
}

/** The least room in which a text beside something can still be read. */
const ROOM_MIN = 24;

/** Two columns; where there is no room for the second one, it stands below the first, further in. */
export function renderPairs(rows: readonly (readonly [string, string])[], canvas: Canvas): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => measureDisplayWidth(left)));
  const room = measureWidth(canvas) - INDENT.length - width - 2;
  return rows.flatMap(([left, right]) => {
    const head = `${INDENT}${padText(left, width)}  `;
    if (room >= ROOM_MIN || measureDisplayWidth(right) <= room) return renderHanging(head, right, room);
    return [`${INDENT}${left}`, ...renderIndented(right, 6, canvas)];
  });
}

/** Text behind a head, and its further lines below its first one. */
function renderHanging(head: string, text: string, room: number): readonly string[] {
  const margin = " ".repeat(measureDisplayWidth(head));
  return wrapText(text, room).map((line, index) => `${index === 0 ? head : margin}${line}`.trimEnd());
}

/** One line, or the head alone and the text below it where both do not fit beside each other. */
export function renderEntry({ head, dressed, text }: HeadedText, canvas: Canvas): readonly string[] {
  const isBeside = measureDisplayWidth(head) + 2 + measureDisplayWidth(text) <= measureWidth(canvas);
  if (isBeside) return [`${dressed}  ${text}`];
  return [dressed, ...renderIndented(text, 4, canvas)];
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
    const lines = splitCommand(command, measureWidth(canvas) - INDENT.length);
    return [
      ...lines.map((line) => `${INDENT}${canvas.style("strong", line)}`),
      ...below.map((line) => `      ${canvas.style("faint", line)}`),
    ];
  });
}

/** What a shell takes for one word, with the spaces that are quoted in it. */
const SHELL_WORD = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s\\'"])+|\S/gu;

/** A shell reads a line that ends with a backslash together with the next one. A word is never broken. */
function splitCommand(command: string, width: number): readonly string[] {
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

const BAR_WIDTH = 10;

/** A cell that is filled in part, by eighths from the left. */
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

/** How much of something is used, to the nearest eighth of a cell. Only what is used up looks full. */
export function drawBar(used: number, most: number, width = BAR_WIDTH): string {
  const parts = EIGHTHS.length;
  const fraction = most <= 0 ? 1 : Math.min(1, Math.max(0, used / most));
  const filled = fraction === 1 ? width * parts : Math.min(width * parts - 1, Math.round(fraction * width * parts));
  const bar = `${"█".repeat(Math.floor(filled / parts))}${EIGHTHS[filled % parts] ?? ""}`;
  return `${bar}${"░".repeat(width - bar.length)}`;
}
