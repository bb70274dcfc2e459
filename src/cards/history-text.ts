import type { PastTick, OtherFiles, ReplayedTick, ReplayRow } from "../records/status-answers.ts";
import type { AgentSessions } from "../journal/pure/given-back.ts";
import { BAD, type Canvas, measureWidth, PENDING, type Sign, renderEntry, renderIndented } from "../base/canvas.ts";
import { formatMoment } from "../base/duration-text.ts";
import { neutralise, type Tone } from "../base/style.ts";
import { joinLines, pickVerdictMark } from "./report-words.ts";
import { measureDisplayWidth, padText, wrapText } from "../base/wrap-text.ts";
import { countNoun } from "../base/words.ts";
import { unreachable } from "../base/errors.ts";

/** The history: one line for each tick. */

/** One tick of the list. */
type HistoryRow = Pick<PastTick, "runId" | "startedAt" | "code" | "intent"> &
  Partial<Pick<PastTick, "isRunning" | "turn">>;

interface Cells {
  readonly moment: string;
  readonly runId: string;
  readonly code: string;
  /** Dressed. */
  readonly mark: string;
  readonly intent: string;
}

/** The ticks in the order given: each on a line, or where that is too narrow, under one another. */
export function renderHistoryList(rows: readonly HistoryRow[], canvas: Canvas): string {
  if (rows.length === 0) return "No ticks yet.\n";
  const cells = rows.map((row) => ({
    moment: row.startedAt === null ? "-" : formatMoment(row.startedAt),
    runId: neutralise(row.runId),
    code: row.code ?? (row.isRunning === true ? "running" : "unfinished"),
    mark: renderMark(row, canvas),
    intent: joinLines([row.turn, row.intent].filter((text) => text != null).join(". ")),
  }));
  const widest = (column: "moment" | "runId" | "code" | "intent") =>
    Math.max(...cells.map((cell) => measureDisplayWidth(cell[column])));
  const widths = { moment: widest("moment"), runId: widest("runId"), code: widest("code") };
  const room = measureWidth(canvas) - widths.moment - widths.runId - widths.code - 8;
  const isBeside = room >= Math.min(INTENT_ROOM_MIN, widest("intent"));
  return `${cells.flatMap((cell) => (isBeside ? renderBeside(cell, { ...widths, room }, canvas) : renderStacked(cell, canvas))).join("\n")}\n`;
}

/** An agent that never gave up is not named. */
export function renderGivenBack(agents: readonly AgentSessions[]): string {
  const some = agents.filter(({ gaveUp }) => gaveUp > 0);
  return some
    .map(({ agent, sessions, gaveUp }) => `${agent}: ${gaveUp} of ${countNoun(sessions, "session")} gave up\n`)
    .join("");
}

/** With less room than this, a sentence becomes a column of words. */
const INTENT_ROOM_MIN = 24;

type Widths = Readonly<Record<"moment" | "runId" | "code" | "room", number>>;

function renderBeside(cell: Cells, widths: Widths, { style }: Canvas): readonly string[] {
  const moment = padText(cell.moment, widths.moment);
  const name = style("strong", padText(cell.runId, widths.runId));
  const head = `${moment}  ${name}  ${cell.mark} `;
  if (cell.intent === "") return [`${head}${cell.code}`];
  const margin = " ".repeat(widths.moment + widths.runId + widths.code + 8);
  return wrapText(cell.intent, widths.room).map((line, index) =>
    index === 0 ? `${head}${padText(cell.code, widths.code)}  ${line}` : `${margin}${line}`,
  );
}

function renderStacked(cell: Cells, canvas: Canvas): readonly string[] {
  const { moment, runId, code, intent } = cell;
  const below = [`${moment}  ${code}`, intent].filter((text) => text !== "");
  return [
    `${cell.mark} ${canvas.style("strong", runId)}`,
    ...below.flatMap((text) => wrapText(text, measureWidth(canvas) - 4)).map((line) => `    ${line.trim()}`),
  ];
}

/** The same marks as on the cards: a question, a wait and a turn that leads to the next one are no failures, and neither is what still runs. */
function renderMark({ code, isRunning, turn = null }: HistoryRow, { style }: Canvas): string {
  const unfinished = isRunning === true ? PENDING : BAD;
  const { mark, tone }: Sign = code === null ? unfinished : pickVerdictMark({ code, turn });
  return style(tone, mark);
}

/** The result of `relais history replay`: whether recorded ticks are judged again with the same result. */

interface ReplayOptions extends Canvas {
  /** Whether to show only problems. */
  readonly isQuiet: boolean;
}

export function renderReplay(
  ticks: readonly ReplayRow[] /** The line in which the ledger of the workspace is not what the journal is; null where they agree. */,
  ledgerLine: number | null,
  options: ReplayOptions,
): string {
  const edited = ledgerLine === null ? [] : renderLedgerTrouble(ledgerLine, options);
  return `${renderTicks(ticks, options)}${edited.map((line) => `${line}\n`).join("")}`;
}

function renderLedgerTrouble(line: number, { style, ...canvas }: ReplayOptions): readonly string[] {
  const text = `✗ ledger.jsonl was edited in line ${line}; the journal is the source, \`relais recover\` rewrites it.`;
  return wrapText(text, measureWidth({ style, ...canvas })).map((part) => style("bad", part));
}

function renderTicks(rows: readonly ReplayRow[], options: ReplayOptions): string {
  const { isQuiet } = options;
  if (rows.length === 0) return isQuiet ? "" : "No ticks in the history.\n";
  const bad = rows.filter(({ replayed: { kind } }) => kind === "differs" || kind === "damaged");
  const lines = (isQuiet ? bad : rows).flatMap((row) => renderRow(row, options));
  const summary =
    bad.length === 0
      ? `${countNoun(rows.length, "tick")} as recorded.`
      : `${bad.length} of ${countNoun(rows.length, "tick")} not as recorded.`;
  return [...lines, ...(isQuiet ? [] : ["", summary])].map((line) => `${line}\n`).join("");
}

function renderRow({ runId, replayed }: ReplayRow, canvas: Canvas): readonly string[] {
  const { style } = canvas;
  const name = neutralise(runId);
  const line = (tone: Tone, mark: string, text: string) =>
    renderEntry({ head: `${mark} ${name}`, dressed: `${style(tone, mark)} ${style("strong", name)}`, text }, canvas);
  switch (replayed.kind) {
    case "same":
      return line("good", "✓", `${replayed.judgement.code}${describeUnchecked(replayed)}`);
    case "nothing-judged":
      return line("faint", "-", "ended before the judgement");
    case "pruned":
      return line("faint", "-", "deleted by `relais history prune`");
    case "not-kept":
      return line("faint", "-", "history is off");
    case "damaged": {
      const { file, reason } = replayed;
      const text = `${neutralise(file)} is damaged: ${neutralise(reason)}`;
      return [...line("bad", "✗", text), ...renderOthers(replayed, canvas)];
    }
    case "differs": {
      const { file, place, recorded, derived, sha256 } = replayed;
      return [
        ...line("bad", "✗", `${neutralise(file)} differs at ${neutralise(place)}`),
        ...renderValue("recorded", neutralise(recorded), canvas),
        ...renderValue("found   ", neutralise(derived), canvas),
        ...(sha256 === null
          ? []
          : [
              ...renderValue("sha256 expected", sha256.recorded, canvas),
              ...renderValue("sha256 found   ", sha256.found, canvas),
            ]),
        ...renderOthers(replayed, canvas),
      ];
    }
    default:
      return unreachable(replayed);
  }
}

function describeUnchecked({ isHashChecked, isFolderChecked }: Extract<ReplayedTick, { kind: "same" }>): string {
  if (isFolderChecked) return "";
  return isHashChecked ? "; other files have no recorded hashes" : "; no journal to check the evidence";
}

/** What is compared character by character is never broken. */
function renderValue(label: string, text: string, canvas: Canvas): readonly string[] {
  const line = `    ${label} ${text}`;
  return measureDisplayWidth(line) <= measureWidth(canvas) ? [line] : [`    ${label.trimEnd()}`, `      ${text}`];
}

function renderOthers({ others }: OtherFiles, canvas: Canvas): readonly string[] {
  return others.flatMap(({ file, reason }) =>
    renderIndented(`also ${neutralise(file)}: ${neutralise(reason)}`, 4, canvas),
  );
}
