/** The transcript of a tick as a person reads it: what an agent said, which files it used, which commands it ran and how they ended. */
import type { LoggedEntry, LoggedSession, TranscriptEntry, UsedTool } from "../records/transcript-entry.ts";
import { unreachable } from "../base/errors.ts";
import { splitOutput } from "../records/last-lines.ts";
import { countNoun } from "../base/words.ts";
import { BAD, type Canvas, GOOD, measureWidth, type Sign, WARNING } from "../base/canvas.ts";
import { measureDisplayWidth, padText, wrapText } from "../base/wrap-text.ts";
import { neutralise, type Tone } from "../base/style.ts";

interface LogOptions extends Canvas {
  /** Whether long texts are shown whole. */
  readonly isFull: boolean;
  /** Only entries and lines with this text. */
  readonly grep: string | null;
  /** The root of the repository, which paths are shown without; absent shows them as they are. */
  readonly root?: string;
}

/** Writes entries one after the other, with a heading wherever the session changes. */
export function createLogWriter(options: LogOptions): (entries: readonly LoggedEntry[]) => string {
  let session: string | null = null;
  let before: string | null = null;
  let said = "";
  return (entries) => {
    const lines: string[] = [];
    for (const { session: own, entry } of joinOutput(entries)) {
      const shown = renderEntry(entry.type === "ended" ? dropRepetition(entry, said) : entry, options);
      if (entry.type === "said") said = readSaid(entry.text, options);
      if (shown.length === 0) continue;
      if (own.name !== session) lines.push(...(session === null ? [] : [""]), renderHeading(own, options));
      else if (before !== entry.type || entry.type === "said") lines.push("");
      session = own.name;
      before = entry.type;
      lines.push(...shown);
    }
    return lines.map((line) => `${line.trimEnd()}\n`).join("");
  };
}

/** The summary of a session is often the last thing that its agent said. */
function dropRepetition(entry: Extract<TranscriptEntry, { type: "ended" }>, said: string): TranscriptEntry {
  const { text } = entry;
  return said !== "" && text.endsWith(`: ${said}`) ? { ...entry, text: text.slice(0, -said.length - 2) } : entry;
}

/** Lines of plain output that follow each other are one text. */
function joinOutput(entries: readonly LoggedEntry[]): readonly LoggedEntry[] {
  const joined: { session: LoggedSession; entry: TranscriptEntry; more: string[] }[] = [];
  for (const { session, entry } of entries) {
    const last = joined.at(-1);
    if (entry.type === "output" && last?.entry.type === "output" && last.session.name === session.name)
      last.more.push(entry.text);
    else joined.push({ session, entry, more: [] });
  }
  return joined.map(({ session, entry, more }) => ({
    session,
    entry: entry.type === "output" ? { ...entry, text: [entry.text, ...more].join("\n") } : entry,
  }));
}

const DRIVERS: Readonly<Record<string, string>> = { claude_code: "Claude Code", codex: "Codex" };
const RULE_MAX = 100;

function renderHeading({ name, driver, startedAt }: LoggedSession, canvas: Canvas): string {
  const words = [name, ...(driver === null ? [] : [DRIVERS[driver] ?? driver]), `${startedAt.slice(11, 19)} UTC`];
  const head = `── ${neutralise(words.join(" · "))} `;
  const rule = "─".repeat(Math.max(2, Math.min(RULE_MAX, measureWidth(canvas)) - measureDisplayWidth(head)));
  return canvas.style("strong", `${head}${rule}`);
}

const SAID_LINES = 12;
const THOUGHT_LINES = 3;
const OUTPUT_LINES = 30;
const RESULT_LINES = 6;

function renderEntry(entry: TranscriptEntry, options: LogOptions): readonly string[] {
  if (options.grep !== null && !includes(listTexts(entry).join("\n"), options.grep)) return [];
  switch (entry.type) {
    case "said":
      return renderText(readSaid(entry.text, options), { ...options, max: SAID_LINES });
    case "thought":
      return renderText(`thinks: ${entry.text}`, { ...options, max: THOUGHT_LINES, tone: "faint" });
    case "output":
      return fold(pickLines(splitOutput(entry.text), options), { ...options, max: OUTPUT_LINES }).map((line) =>
        mark(line, options),
      );
    case "used":
      return renderUse(entry, options);
    case "note":
      return renderMarked(WARNING, entry.text, options);
    case "ended":
      return renderMarked(entry.isGood ? GOOD : BAD, entry.text, options);
    default:
      return unreachable(entry);
  }
}

function listTexts(entry: TranscriptEntry): readonly string[] {
  return entry.type === "used" ? [entry.tool, entry.target ?? "", entry.output] : [entry.text];
}

const includes = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());

/** A result in JSON is shown by its summary. */
function readSaid(text: string, { isFull }: LogOptions): string {
  if (isFull || !text.startsWith("{")) return text;
  try {
    const value: unknown = JSON.parse(text);
    const summary = typeof value === "object" && value !== null && "summary" in value ? value.summary : null;
    return typeof summary === "string" && summary !== "" ? summary : text;
  } catch {
    return text;
  }
}

interface TextOptions extends LogOptions {
  readonly max: number;
  readonly tone?: Tone;
}

function renderText(text: string, options: TextOptions): readonly string[] {
  const { tone, style } = options;
  const lines = pickLines(splitOutput(text.trim()), options).flatMap((line) =>
    wrapText(clean(line), measureWidth(options)),
  );
  const shown = options.isFull || lines.length <= options.max ? lines : lines.slice(0, options.max - 1);
  const more = lines.length - shown.length;
  return [
    ...shown.map((line) =>
      tone === undefined || line === "" ? mark(line, options) : style(tone, mark(line, options)),
    ),
    ...(more > 0 ? [style("faint", `… ${countNoun(more, "more line")}`)] : []),
  ];
}

const TAB = "    ";
const clean = (line: string): string => neutralise(line.replaceAll("\t", TAB));

/** With --grep, of a long text only the lines with it. */
function pickLines(lines: readonly string[], { grep }: LogOptions): readonly string[] {
  if (grep === null) return lines;
  const found = lines.filter((line) => includes(line, grep));
  return found.length === 0 ? lines : found;
}

/** The end of an output says more than its beginning. */
function fold(lines: readonly string[], { isFull, max }: TextOptions): readonly string[] {
  const cleaned = lines.map(clean);
  const hidden = cleaned.length - max;
  if (isFull || hidden <= 1) return cleaned;
  return [`… ${countNoun(hidden, "more line")}`, ...cleaned.slice(-max)];
}

/** Every place with the wanted text, dressed. */
function mark(line: string, { grep, style }: LogOptions): string {
  if (grep === null || grep === "" || !includes(line, grep)) return line;
  const at = line.toLowerCase().indexOf(grep.toLowerCase());
  const end = at + grep.length;
  return `${line.slice(0, at)}${style("strong", line.slice(at, end))}${line.slice(end)}`;
}

function renderMarked({ mark: sign, tone }: Sign, text: string, options: LogOptions): readonly string[] {
  const lines = renderText(text, { ...options, columns: options.columns - 2, max: SAID_LINES });
  return lines.map((line, index) => `${index === 0 ? options.style(tone, sign) : " "} ${line}`);
}

const VERB_WIDTH = 6;
const VERBS: ReadonlyMap<string, string> = new Map([
  ["Bash", "run"],
  ["shell", "run"],
  ["Glob", "find"],
  ["Grep", "grep"],
  ["LS", "list"],
]);

function renderUse(use: UsedTool, options: LogOptions): readonly string[] {
  const { style } = options;
  const isBad = use.status === "failed" || use.status === "denied";
  const verb = padText(neutralise(nameVerb(use)), VERB_WIDTH);
  const end = describeEnd(use);
  const margin = 3 + measureDisplayWidth(verb);
  const room = Math.max(20, measureWidth(options) - margin - measureDisplayWidth(end) - 2);
  const [head = "", ...rest] = layOutTarget(shortenPaths(use.target ?? "", options), room, options);
  const tail = end === "" ? "" : `  ${style(isBad ? "bad" : "faint", end)}`;
  return [
    `${isBad ? style("bad", BAD.mark) : " "} ${style("faint", verb)} ${mark(head, options)}${tail}`,
    ...rest.map((line) => `${" ".repeat(margin)}${mark(line, options)}`),
    ...renderResult(use, margin, options),
  ];
}

function shortenPaths(text: string, { root }: LogOptions): string {
  return root === undefined ? text : text.replaceAll(`${root}/`, "");
}

function layOutTarget(target: string, room: number, { isFull }: LogOptions): readonly string[] {
  const [first = "", ...others] = splitOutput(target).map(clean);
  if (isFull) return [first, ...others].flatMap((line) => wrapText(line, room));
  return [cutEnd(others.length > 0 ? `${first} …` : first, room)];
}

function nameVerb({ kind, tool }: UsedTool): string {
  if (kind === "command") return "run";
  return VERBS.get(tool) ?? (kind === "other" ? tool : tool.toLowerCase());
}

function describeEnd({ kind, status, exit, output }: UsedTool): string {
  if (status === "denied") return "denied";
  if (status === "open") return "no end";
  if (exit !== null) return `exit ${exit}`;
  if (status === "failed") return "failed";
  const isCounted = kind === "read" || kind === "search";
  return isCounted && output !== "" ? countNoun(splitOutput(output.trimEnd()).length, "line") : "";
}

/** What was read or found is in the files; what a command printed, and why something failed, is nowhere else. */
function renderResult(use: UsedTool, margin: number, options: LogOptions): readonly string[] {
  const isWanted = options.isFull || options.grep !== null || use.kind === "command" || use.status === "failed";
  if (!isWanted || use.output.trim() === "") return [];
  const lines = splitOutput(use.output.trimEnd());
  const picked = options.grep === null ? lines : lines.filter((line) => includes(line, options.grep ?? ""));
  const width = Math.max(20, measureWidth(options) - margin - 2);
  return fold(picked, { ...options, max: RESULT_LINES }).flatMap((line) => {
    const shown = options.isFull ? wrapText(line, width) : [cutEnd(line, width)];
    return shown.map((part) => `${" ".repeat(margin)}${options.style("faint", "│")} ${mark(part, options)}`);
  });
}

function cutEnd(text: string, width: number): string {
  if (measureDisplayWidth(text) <= width) return text;
  const [first = ""] = wrapText(text.replaceAll(" ", "\u00A0"), Math.max(2, width - 1));
  return `${first.replaceAll("\u00A0", " ")}…`;
}
