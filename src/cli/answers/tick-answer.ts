/** How the end of a tick is said, to a person and to a script. */
import { CODES, type Code } from "../../contract/values/codes.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { causeWords } from "../../core/words/cause-words.ts";
import type { DryRun, PlanDryRun } from "../../run/tick/dry-run.ts";
import type { TickAnswer } from "../../run/tick/run-task.ts";
import type { LockRefusal } from "../../run/workspace/with-locks.ts";
import { dryPlanText, dryRunText } from "../../view/cards/dry-run-text.ts";
import { failureText } from "../../view/cards/failure-text.ts";
import { neutralise } from "../../view/text/neutralise.ts";
import { tickCard } from "../../view/cards/tick-card.ts";
import type { CommandEnd, Session } from "../framework/command.ts";
import { canvasOf } from "../framework/session-canvas.ts";

/** Prints the card or the document of a tick and answers with the status of its code. */
export function tellTick(answer: TickAnswer, session: Session): CommandEnd {
  switch (answer.kind) {
    case "misused":
      return answer;
    case "ended": {
      const { report, problems } = answer;
      const status = CODES[report.code].exit;
      if (session.json) session.out(`${JSON.stringify(report)}\n`);
      else if (session.detail !== "quiet" || status !== 0) session.out(tickCard(report, canvasOf(session)));
      for (const problem of problems) session.err(`relais: not written: ${neutralise(problem)}\n`);
      return { kind: "ended", status };
    }
    case "dry":
    case "dry-plan":
      return tellDryRun(answer, session);
    case "blocked":
      return tellBlocked(answer, session);
    case "busy":
    case "corrupt":
      return tellBlocked(lockFailure(answer), session);
    default:
      return unreachable(answer);
  }
}

function tellDryRun(answer: DryRun | PlanDryRun, session: Session): CommandEnd {
  const { refusal } = answer;
  if (session.json) session.out(`${JSON.stringify(dryRunDocument(answer))}\n`);
  else if (session.detail === "quiet" && refusal === null) return { kind: "ended", status: 0 };
  else if (answer.kind === "dry") session.out(dryRunText(answer, session.style));
  else session.out(dryPlanText(answer, session.style));
  return { kind: "ended", status: refusal === null ? 0 : CODES[refusal.code].exit };
}

function dryRunDocument(answer: DryRun | PlanDryRun): object {
  const would_start = answer.refusal === null;
  const refusal = answer.refusal && {
    ...answer.refusal,
    remedy: causeWords(answer.refusal.code, answer.refusal.cause).remedy,
  };
  if (answer.kind === "dry") return { would_start, ...answer, refusal };
  const { orchestrator, builder, promptBytes } = answer;
  return { would_start, refusal, orchestrator, builder, prompt_bytes: promptBytes };
}

interface Failure {
  readonly code: Code;
  readonly cause: string;
  readonly message: string;
  readonly problems: readonly string[];
  readonly remedy?: string;
}

/** Says why nothing could start. */
export function tellBlocked(failure: Failure, session: Session): CommandEnd {
  const { code, cause, message, problems } = failure;
  const { verdict, exit } = CODES[code];
  const remedy = failure.remedy ?? CODES[code].remedy;
  if (session.json) session.out(`${JSON.stringify({ verdict, code, cause, message, problems, remedy })}\n`);
  else session.err(failureText({ code, message, problems, next: `Next: ${remedy}` }, session.style));
  return { kind: "ended", status: exit };
}

/** Says why the lock was not to be had. */
export function lockFailure(refusal: LockRefusal): Failure {
  const shared = { code: "BLOCKED_LOCK_HELD", problems: [] } as const;
  if (refusal.kind === "corrupt") {
    return {
      ...shared,
      cause: "lock_corrupt",
      message: `The lock file ${refusal.path} is damaged: ${refusal.reason}.`,
      remedy: `Make sure that no relais works here, then remove it: rm ${refusal.path}`,
    };
  }
  const { pid, host, run_id, started_at } = refusal.holder;
  const message = `Process ${pid} on ${host} has been working here since ${started_at} (run ${run_id}).`;
  return { ...shared, cause: "lock_held", message };
}
