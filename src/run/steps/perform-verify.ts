import type { CodeOf } from "../../contract/values/codes.ts";
import type { TickEvent } from "../../contract/journal/event.ts";
import { InvariantError, unreachable } from "../../contract/values/invariant.ts";
import { planChecks } from "../../core/checks/verification-plan.ts";
import { outlivesRedChecks } from "../../core/tick/settle-action.ts";
import type { StateIn } from "../../core/tick/tick-state.ts";
import { candidateOf } from "./perform-judge.ts";
import { noLongerJudged } from "./perform-settle.ts";
import { interruptionOf, TICK_TIMEOUT } from "../session/tick-interruption.ts";
import type { RunningSession } from "../session/tick-session.ts";
import { runChecks } from "./verify.ts";

/** Runs the checks of the task on the candidate that was judged. */
export async function performVerify(session: RunningSession, state: StateIn<"verify">): Promise<TickEvent> {
  const plan = planChecks(session.config.verification, state.wanted);
  if (plan.kind === "tainted")
    throw new InvariantError("checks that were admitted cannot be planned any more");
  const { changed, candidate } = await session.place.clearGitData(candidateOf(session));
  if (changed.length > 0) throw noLongerJudged(session, changed);
  session.memory.candidate = candidate;
  const verification = await runChecks({
    context: session,
    checks: [...plan.checks, ...session.work.checks.choose(state)],
    candidate,
    outlivesRed: outlivesRedChecks(state),
  });
  switch (verification.kind) {
    case "aborted":
      return interruptionOf(session.signal);
    case "tick-timed-out":
      return TICK_TIMEOUT;
    case "verified": {
      const { code, cause, runs, findings, tolerated } = verification;
      session.memory.tolerated = tolerated;
      return {
        type: "verified",
        code: codeFor(state, code),
        cause,
        runs: [...runs],
        findings: [...findings],
      };
    }
    default:
      return unreachable(verification);
  }
}

/** A task that only verifies must change nothing, whoever does it. */
function codeFor({ task }: StateIn<"verify">, code: CodeOf<"stop"> | null): CodeOf<"stop"> | null {
  const isOwnCode = task.task_kind === "verify_only" && code === "STOP_VERIFY_SIDE_EFFECTS";
  return isOwnCode ? "STOP_VERIFY_ONLY_SIDE_EFFECTS" : code;
}
