/** What came of a recovery, for people: that nothing was to be done, or what was put back, and what to type next. */
import type { Recovery } from "../../contract/answers/recovery.ts";
import { type Canvas, labelled, type NextStep, paragraph } from "../text/canvas.ts";
import { cardText } from "../cards/card.ts";
import { neutralise } from "../text/neutralise.ts";
import { tickCard } from "../cards/tick-card.ts";

const STATUS: NextStep = { command: "relais status", explains: "where things stand" };
const LOOK: NextStep = { command: "git status", explains: "what the working tree holds now" };
const SALVAGE: NextStep = { command: "relais salvage list", explains: "the work that was put back" };

interface Words {
  readonly title: string;
  readonly why: string;
  readonly next: readonly NextStep[];
}

export function recoveryText(recovery: Recovery, canvas: Canvas): string {
  const { kind, problems } = recovery;
  const facts = [...mended(recovery, canvas), ...rescued(recovery, canvas)];
  const report = kind === "recovered" ? recovery.report : null;
  if (report !== null) return tickCard(report, { ...canvas, more: facts });
  const { title, why, next } = wordsOf(recovery);
  const isDone = kind !== "nothing" || problems.length === 0;
  const sign = isDone ? ({ mark: "✓", tone: "good" } as const) : ({ mark: "✗", tone: "bad" } as const);
  const shape = { ...sign, word: null, advice: null };
  return cardText({ ...shape, title, why: why === "" ? [] : paragraph(why, canvas), facts, next }, canvas);
}

function wordsOf(recovery: Recovery): Words {
  if (recovery.kind === "nothing") {
    const why =
      recovery.problems.length === 0
        ? "The documents of the workspace are up to date."
        : "Not every document of the workspace could be written.";
    return { title: "Nothing was cut short.", why, next: [STATUS] };
  }
  const { runId } = recovery;
  if (recovery.kind === "abandoned") {
    const why = "The repository was left as it is, and ticks can begin again.";
    return { title: `The tick ${runId} is given up.`, why, next: [LOOK, STATUS] };
  }
  return recovery.restored
    ? { title: `The repository is back to what it was before ${runId}.`, why: "", next: [SALVAGE, STATUS] }
    : {
        title: `The tick ${runId} was settled already, and what it kept stays.`,
        why: "",
        next: [LOOK, STATUS],
      };
}

function mended({ mendedLines }: Recovery, canvas: Canvas): readonly string[] {
  if (mendedLines === 0) return [];
  const lines = mendedLines === 1 ? "1 line was" : `${mendedLines} lines were`;
  return labelled("journal", `${lines} missing from the journal and came back from their copies.`, canvas);
}

/** Nobody can tell whose they are, so it is said where the copies lie. */
function rescued(recovery: Recovery, canvas: Canvas): readonly string[] {
  if (recovery.kind !== "recovered" || recovery.rescued === null) return [];
  const { kept, total, folder } = recovery.rescued;
  const left = total === kept ? "" : `, ${total - kept} too large to be kept`;
  const files = total === 1 ? "1 ignored file" : `${total} ignored files`;
  const text = `${files} had changed since the tick began; copies${left}: ${neutralise(folder)}`;
  return labelled("ignored", text, canvas);
}
