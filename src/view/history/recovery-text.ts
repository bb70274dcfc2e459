/** What came of a recovery, for people: that nothing was to be done, or what was put back, and what to type next. */
import type { Report } from "../../contract/documents/report.ts";
import { type Canvas, labelled, type NextStep, paragraph } from "../text/canvas.ts";
import { cardText } from "../cards/card.ts";
import { neutralise } from "../text/neutralise.ts";
import { tickCard } from "../cards/tick-card.ts";

interface RecoveryView {
  readonly outcome:
    | { readonly kind: "nothing"; readonly isPublished: boolean }
    | { readonly kind: "abandoned"; readonly runId: string }
    | {
        readonly kind: "recovered";
        readonly runId: string;
        /** Null where the tick had ended before. */
        readonly report: Report | null;
        readonly restored: boolean;
      };
  readonly mendedLines: number;
  /** Ignored files that had changed, of which copies were kept. */
  readonly rescued: { readonly kept: number; readonly total: number; readonly folder: string } | null;
}

const STATUS: NextStep = { command: "relais status", explains: "where things stand" };
const LOOK: NextStep = { command: "git status", explains: "what the working tree holds now" };
const SALVAGE: NextStep = { command: "relais salvage list", explains: "the work that was put back" };

interface Words {
  readonly title: string;
  readonly why: string;
  readonly next: readonly NextStep[];
}

export function recoveryText(view: RecoveryView, canvas: Canvas): string {
  const { outcome } = view;
  const facts = [...mended(view, canvas), ...rescued(view, canvas)];
  const report = outcome.kind === "recovered" ? outcome.report : null;
  if (report !== null) return tickCard(report, { ...canvas, more: facts });
  const { title, why, next } = wordsOf(outcome);
  const isDone = outcome.kind !== "nothing" || outcome.isPublished;
  const sign = isDone ? ({ mark: "✓", tone: "good" } as const) : ({ mark: "✗", tone: "bad" } as const);
  const shape = { ...sign, word: null, advice: null };
  return cardText({ ...shape, title, why: why === "" ? [] : paragraph(why, canvas), facts, next }, canvas);
}

function wordsOf(outcome: RecoveryView["outcome"]): Words {
  if (outcome.kind === "nothing") {
    const why = outcome.isPublished
      ? "The documents of the workspace are up to date."
      : "Not every document of the workspace could be written.";
    return { title: "Nothing was cut short.", why, next: [STATUS] };
  }
  const { runId } = outcome;
  if (outcome.kind === "abandoned") {
    const why = "The repository was left as it is, and ticks can begin again.";
    return { title: `The tick ${runId} is given up.`, why, next: [LOOK, STATUS] };
  }
  return outcome.restored
    ? { title: `The repository is back to what it was before ${runId}.`, why: "", next: [SALVAGE, STATUS] }
    : {
        title: `The tick ${runId} was settled already, and what it kept stays.`,
        why: "",
        next: [LOOK, STATUS],
      };
}

function mended({ mendedLines }: RecoveryView, canvas: Canvas): readonly string[] {
  if (mendedLines === 0) return [];
  const lines = mendedLines === 1 ? "1 line was" : `${mendedLines} lines were`;
  return labelled("journal", `${lines} missing from the journal and came back from their copies.`, canvas);
}

/** Nobody can tell whose they are, so it is said where the copies lie. */
function rescued({ rescued: found }: RecoveryView, canvas: Canvas): readonly string[] {
  if (found === null) return [];
  const { kept, total, folder } = found;
  const left = total === kept ? "" : `, ${total - kept} too large to be kept`;
  const files = total === 1 ? "1 ignored file" : `${total} ignored files`;
  const text = `${files} had changed since the tick began; copies${left}: ${neutralise(folder)}`;
  return labelled("ignored", text, canvas);
}
