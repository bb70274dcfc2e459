/** The history: one line for each tick. */
import type { PastTick } from "../records/past-tick.ts";
import { BAD, type Canvas, measureWidth, PENDING, type Sign } from "../base/canvas.ts";
import { formatMoment } from "../base/duration-text.ts";
import { neutralise } from "../base/neutralise.ts";
import { joinLines, pickVerdictMark } from "./report-words.ts";
import { measureDisplayWidth } from "../base/display-width.ts";
import { padText, wrapText } from "../base/wrap-text.ts";

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
