import type { TickEvent } from "../../contract/journal/event.ts";
import { InvariantError, unreachable } from "../../contract/values/invariant.ts";
import { patchOf } from "../../core/words/patch-of.ts";
import type { Effect } from "../../core/tick/decide.ts";
import type { TickState } from "../../core/tick/tick-state.ts";
import { announceBuild, performBuild } from "./perform-build.ts";
import { performJudge } from "./perform-judge.ts";
import { announcePatch, performPatch, performWrite } from "./perform-patch.ts";
import { performOrchestrate } from "./perform-orchestrate.ts";
import { performPlan } from "./perform-plan.ts";
import { performPreflight } from "./perform-preflight.ts";
import { performReport } from "./perform-report.ts";
import { announceReview, performReview } from "./perform-review.ts";
import { performSettle } from "./perform-settle.ts";
import { announceFinished, takeUpFinished } from "./take-up-finished.ts";
import { performVerify } from "./perform-verify.ts";
import type { TickSession } from "../session/tick-session.ts";

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
    case "build":
      return performWork(session, effect.do, state);
    case "judge":
      return performJudge(session, state);
    case "write":
      return performWrite(session);
    case "verify":
      return performVerify(session, state);
    case "announce_review":
      return announceReview(session, state);
    case "review":
      return performReview(session, state);
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

/** Whoever makes the change: a session, the patch of the task, or a session of an earlier tick that had come to its end. */
function performWork(
  session: TickSession,
  step: "announce_build" | "build",
  state: TickState,
): TickEvent | Promise<TickEvent> {
  const isAnnounced = step === "announce_build";
  const finished = session.work?.finished ?? null;
  if (finished !== null) return isAnnounced ? announceFinished(finished) : takeUpFinished(session, finished);
  if (patchOf(state.task) !== null)
    return isAnnounced ? announcePatch(session) : performPatch(session, state);
  return isAnnounced ? announceBuild(session) : performBuild(session, state);
}

/** Remembers everything. The locks first learn whose turn it is and how long the journal is, so that a later loss is noticed. */
async function performPrepare({ place, journal, runId, noteInLocks }: TickSession): Promise<TickEvent> {
  const { seq, sha256 } = journal.end();
  if (sha256 === null) throw new InvariantError("a tick is prepared that has no line in the journal");
  await noteInLocks({ run_id: runId, journal: { seq, sha256 } });
  const { observationSha256 } = await place.prepare();
  return { type: "prepared", isolation: "in_place", observation_sha256: observationSha256 };
}
