/** Prints the end of a tick, for people or as JSON. */
import { CODES } from "../../contract/values/codes.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { describeCause } from "../../core/words/cause-words.ts";
import type { DryRun, PlanDryRun } from "../../contract/answers/dry-run.ts";
import type { TickAnswer } from "../../run/tick/run-task.ts";
import { renderDryPlan, renderDryRun } from "../../view/cards/dry-run-text.ts";
import { neutralise } from "../../view/text/neutralise.ts";
import { renderTickCard } from "../../view/cards/tick-card.ts";
import type { CommandEnd, Session } from "../framework/command.ts";
import { getCanvas } from "../framework/session-canvas.ts";
import { printFailure } from "./refusal-answer.ts";

/** Prints the card or the document of a tick and answers with the status of its code. */
export function printTick(answer: TickAnswer, session: Session): CommandEnd {
  switch (answer.kind) {
    case "misused":
      return answer;
    case "ended": {
      const { report, problems } = answer;
      const status = CODES[report.code].exit;
      if (session.json) session.out(`${JSON.stringify(report)}\n`);
      else if (session.detail !== "quiet" || status !== 0) session.out(renderTickCard(report, getCanvas(session)));
      for (const problem of problems) session.err(`relais: not written: ${neutralise(problem)}\n`);
      return { kind: "ended", status };
    }
    case "dry":
    case "dry-plan":
      return printDryRun(answer, session);
    case "blocked":
    case "refused":
      return printFailure(answer, session);
    default:
      return unreachable(answer);
  }
}

function printDryRun(answer: DryRun | PlanDryRun, session: Session): CommandEnd {
  const { refusal } = answer;
  if (session.json) session.out(`${JSON.stringify(dryRunDocument(answer))}\n`);
  else if (session.detail === "quiet" && refusal === null) return { kind: "ended", status: 0 };
  else if (answer.kind === "dry") session.out(renderDryRun(answer, session.style));
  else session.out(renderDryPlan(answer, session.style));
  return { kind: "ended", status: refusal === null ? 0 : CODES[refusal.code].exit };
}

function dryRunDocument(answer: DryRun | PlanDryRun): object {
  const would_start = answer.refusal === null;
  const refusal = answer.refusal && {
    ...answer.refusal,
    remedy: describeCause(answer.refusal.code, answer.refusal.cause).remedy,
  };
  if (answer.kind === "dry") return { would_start, ...answer, refusal };
  const { orchestrator, builder, promptBytes } = answer;
  return { would_start, refusal, orchestrator, builder, prompt_bytes: promptBytes };
}
