import type { TickEvent } from "../contract/event.ts";
import { InvariantError, unreachable } from "../contract/invariant.ts";
import type { Effect } from "../core/tick/decide.ts";
import type { TickState } from "../core/tick/tick-state.ts";
import { announceBuild, performBuild } from "./perform-build.ts";
import { performJudge } from "./perform-judge.ts";
import { performOrchestrate } from "./perform-orchestrate.ts";
import { performPlan } from "./perform-plan.ts";
import { performPreflight } from "./perform-preflight.ts";
import { performReport } from "./perform-report.ts";
import { performSettle } from "./perform-settle.ts";
import { performVerify } from "./perform-verify.ts";
import type { TickSession } from "./tick-session.ts";

/** Does what was decided, one small function per effect, and answers with what happened. */
export async function perform(session: TickSession, effect: Effect, state: TickState): Promise<TickEvent> {
  switch (effect.do) {
    case "preflight":
      return performPreflight(session);
    case "prepare":
      return performPrepare(session);
    case "plan":
      return performPlan(session, state);
    case "orchestrate":
      return performOrchestrate(session, state);
    case "announce_build":
      return announceBuild(session);
    case "build":
      return performBuild(session, state);
    case "judge":
      return performJudge(session, state);
    case "verify":
      return performVerify(session, state);
    case "settle":
      return performSettle(session, state, effect.action);
    case "report":
      return performReport(session);
    case "record":
      throw new InvariantError("what is only recorded is not performed");
    default:
      return unreachable(effect);
  }
}

/** Remembers everything. What an earlier session left for this one to find is cleared away before. */
async function performPrepare({ work, place }: TickSession): Promise<TickEvent> {
  await work?.orchestrator?.driver.clear();
  await work?.builder?.driver.clear();
  const { observationSha256 } = await place.prepare();
  return { type: "prepared", isolation: "in_place", observation_sha256: observationSha256 };
}
