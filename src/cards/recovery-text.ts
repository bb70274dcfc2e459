/** The card of `relais recover`: nothing to do, or the reverted tick, and the next commands. */
import type { Recovery, RollbackStep } from "../records/recovery.ts";
import { countNoun } from "../base/words.ts";
import { describeRollbackSteps } from "../evidence/pure/rollback-words.ts";
import {
  BAD,
  type Canvas,
  type Fact,
  GOOD,
  makeStep,
  type NextStep,
  renderIndented,
  renderParagraph,
} from "../base/canvas.ts";
import { renderCard } from "./card.ts";
import { STATUS } from "./next-steps.ts";
import { neutralise } from "../base/style.ts";
import { renderTickCard } from "./tick-card.ts";

const CHECK_TREE = makeStep("git status", "check the working tree");
const SALVAGE = makeStep("relais salvage list", "list the reverted changes");

interface RecoveryWords {
  readonly title: string;
  readonly why?: string;
  readonly next: readonly NextStep[];
}

export function renderRecovery(recovery: Recovery, canvas: Canvas): string {
  const { kind, problems } = recovery;
  const facts: readonly Fact[] = [
    ["journal", describeRestoredLines(recovery)],
    ["ignored", describeRescued(recovery)],
  ];
  const report = kind === "recovered" ? recovery.report : null;
  if (report !== null) return renderTickCard(report, { ...canvas, more: facts });
  const { title, why, next } = describeRecovery(recovery);
  const sign = kind !== "nothing" || problems.length === 0 ? GOOD : BAD;
  return renderCard(
    { ...sign, title, why: why === undefined ? [] : renderParagraph(why, canvas), facts, next },
    canvas,
  );
}

/** What a person has to allow. */
export function renderUnprovenSteps(steps: readonly RollbackStep[], canvas: Canvas): string {
  const why =
    "To revert the interrupted tick, relais would do what git does not confirm. A builder could have forged the saved state:";
  const lines = describeRollbackSteps(steps).flatMap((line) => renderIndented(`- ${neutralise(line)}`, 2, canvas));
  return `${[...renderParagraph(why, canvas), ...lines].join("\n")}\n`;
}

function describeRecovery(recovery: Recovery): RecoveryWords {
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
    return { title: `Abandoned the tick ${runId}.`, why, next: [CHECK_TREE, STATUS] };
  }
  return recovery.restored
    ? { title: `Reverted the interrupted tick ${runId}.`, next: [SALVAGE, STATUS] }
    : { title: `The tick ${runId} was already finished; its change stays.`, next: [CHECK_TREE, STATUS] };
}

function describeRestoredLines({ mendedLines }: Recovery): string | null {
  if (mendedLines === 0) return null;
  const lines = mendedLines === 1 ? "1 line was" : `${mendedLines} lines were`;
  return `${lines} missing from the journal and restored from copies.`;
}

/** The owner of the change is unknown, so the card names the copies. */
function describeRescued(recovery: Recovery): string | null {
  if (recovery.kind !== "recovered" || recovery.rescued === null) return null;
  const { kept, total, folder } = recovery.rescued;
  const left = total === kept ? "" : `, ${total - kept} too large to copy`;
  return `${countNoun(total, "ignored file")} changed since the tick started; copies${left}: ${neutralise(folder)}`;
}
