/** The card of `relais recover`: nothing to do, or the reverted tick, and the next commands. */
import type { Recovery } from "../../contract/answers/recovery.ts";
import { type Canvas, renderLabelled, type NextStep, renderParagraph } from "../text/canvas.ts";
import { renderCard } from "../cards/card.ts";
import { neutralise } from "../text/neutralise.ts";
import { renderTickCard } from "../cards/tick-card.ts";

const STATUS: NextStep = { command: "relais status", explains: "current state" };
const LOOK: NextStep = { command: "git status", explains: "check the working tree" };
const SALVAGE: NextStep = { command: "relais salvage list", explains: "list the reverted changes" };

interface Words {
  readonly title: string;
  readonly why: string;
  readonly next: readonly NextStep[];
}

export function renderRecovery(recovery: Recovery, canvas: Canvas): string {
  const { kind, problems } = recovery;
  const facts = [...mended(recovery, canvas), ...rescued(recovery, canvas)];
  const report = kind === "recovered" ? recovery.report : null;
  if (report !== null) return renderTickCard(report, { ...canvas, more: facts });
  const { title, why, next } = wordsOf(recovery);
  const isDone = kind !== "nothing" || problems.length === 0;
  const sign = isDone ? ({ mark: "✓", tone: "good" } as const) : ({ mark: "✗", tone: "bad" } as const);
  const shape = { ...sign, word: null, advice: null };
  return renderCard({ ...shape, title, why: why === "" ? [] : renderParagraph(why, canvas), facts, next }, canvas);
}

function wordsOf(recovery: Recovery): Words {
  if (recovery.kind === "nothing") {
    const why =
      recovery.problems.length === 0
        ? "The files of the workspace are up to date."
        : "Some files of the workspace could not be written.";
    return { title: "Nothing to recover.", why, next: [STATUS] };
  }
  const { runId } = recovery;
  if (recovery.kind === "abandoned") {
    const why = "The repository was not changed; you can run ticks again.";
    return { title: `Abandoned the tick ${runId}.`, why, next: [LOOK, STATUS] };
  }
  return recovery.restored
    ? { title: `Reverted the interrupted tick ${runId}.`, why: "", next: [SALVAGE, STATUS] }
    : {
        title: `The tick ${runId} was already finished; its change stays.`,
        why: "",
        next: [LOOK, STATUS],
      };
}

function mended({ mendedLines }: Recovery, canvas: Canvas): readonly string[] {
  if (mendedLines === 0) return [];
  const lines = mendedLines === 1 ? "1 line was" : `${mendedLines} lines were`;
  return renderLabelled("journal", `${lines} missing from the journal and restored from copies.`, canvas);
}

/** The owner of the change is unknown, so the card names the copies. */
function rescued(recovery: Recovery, canvas: Canvas): readonly string[] {
  if (recovery.kind !== "recovered" || recovery.rescued === null) return [];
  const { kept, total, folder } = recovery.rescued;
  const left = total === kept ? "" : `, ${total - kept} too large to copy`;
  const files = total === 1 ? "1 ignored file" : `${total} ignored files`;
  const text = `${files} changed since the tick started; copies${left}: ${neutralise(folder)}`;
  return renderLabelled("ignored", text, canvas);
}
