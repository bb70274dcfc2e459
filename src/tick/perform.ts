/**
 * Performs what a tick decides. Many ticks have no review, no patch and no orchestrator: these steps are loaded when one
 * of them is due.
 */
import type { JournalLine, TickEvent } from "../records/event.ts";
import { InvariantError, unreachable } from "../base/invariant.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { reserveWork } from "./pure/budget.ts";
import { findTickPatch } from "./pure/tick-facts.ts";
import type { Effect } from "./pure/decide.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { performBaseline } from "./perform-baseline.ts";
import { announceBuild, performBuild } from "./perform-build.ts";
import { performJudge } from "./perform-judge.ts";
import { announcePatch, performPatch, performWrite } from "./perform-patch.ts";
import { performPlan } from "./perform-plan.ts";
import { performReport } from "./perform-report.ts";
import { performSettle } from "./perform-settle.ts";
import { pickAgentNow } from "./hand-over.ts";
import { announceFinished, adoptFinished } from "./adopt-finished.ts";
import { performVerify } from "./perform-verify.ts";
import type { ReadyReview, RunningSession, TickSession } from "./tick-session.ts";
import { readHead } from "../git/read-head.ts";
import { findPreflightRefusal } from "./preflight.ts";
import { readBudgetWarnings } from "./state-rows.ts";
import { removeHalfWritten } from "../workspace/runner-documents.ts";

/** Performs the decided effect and answers with an event. */
export async function perform(session: TickSession, effect: Effect): Promise<TickEvent> {
  if (effect.do === "settle") return performSettle(session, effect.state);
  if (effect.do === "report") return performReport(session, effect.state);
  if (effect.do === "record" || session.kind === "recovering")
    throw new InvariantError(`${effect.do} is not performed in a session that is ${session.kind}`);
  return performStep(session, effect);
}

async function performStep(
  session: RunningSession,
  effect: Exclude<Effect, { do: "settle" | "report" | "record" }>,
): Promise<TickEvent> {
  const { orchestrator, review } = session.work;
  switch (effect.do) {
    case "preflight":
      return performPreflight(session);
    case "prepare":
      return performPrepare(session);
    case "plan":
      return performPlan(session, effect.state);
    case "orchestrate":
      return (await import("./perform-orchestrate.ts")).performOrchestrate(
        session,
        pickAgentNow(requireReady(orchestrator, "orchestrator"), effect.state, "orchestrator"),
        effect.state,
      );
    case "baseline":
      return performBaseline(session, effect.state);
    case "announce_build":
      return announceWork(session, effect.state);
    case "build":
      return performWork(session, effect.state);
    case "judge":
      return performJudge(session, effect.state);
    case "write":
      return performWrite(session);
    case "verify":
      return performVerify(session, effect.state);
    case "announce_review":
      return announceReview(session, effect.state);
    case "review":
      return (await import("./perform-review.ts")).performReview(
        session,
        pickReviewNow(review, effect.state),
        effect.state,
      );
    case "announce_ask":
      return (await import("./perform-ask.ts")).announceAsk(session);
    case "ask":
      return (await import("./perform-ask.ts")).performAsk(session, effect.state);
    default:
      return unreachable(effect);
  }
}

/** Every agent that the journal calls for was prepared before the tick. */
function requireReady<Agent>(agent: Agent | null, role: string): Agent {
  if (agent === null) throw new InvariantError(`there is no ${role} in this session`);
  return agent;
}

function pickReviewNow(review: ReadyReview | null, state: StateIn<"announce_review" | "review">): ReadyReview {
  const wanted = requireReady(review, "review");
  return pickAgentNow(wanted, state, wanted.plan.role);
}

/** Reviewers of an edited change are paid again, and nobody knew that when they were reserved. */
async function announceReview(session: RunningSession, state: StateIn<"announce_review">): Promise<TickEvent> {
  const { announceReview: announce } = await import("./perform-review.ts");
  const event = announce(pickReviewNow(session.work.review, state), state);
  if (state.isEdited !== true || event.type !== "review_started") return event;
  const { budgets } = session.config;
  const spent = session.journal.fold(WorkspaceFold).state(budgets);
  const decision = reserveWork(spent, budgets, { verify_runs: 0, reviewer_calls: event.sessions.length });
  if (decision.kind === "ok") return event;
  const { cause, message } = decision;
  return { type: "interrupted", code: "STOP_INTERRUPTED", cause, message };
}

/** The change comes from a session, the patch of the task, or the finished session of an earlier tick. */
async function announceWork(session: RunningSession, state: StateIn<"announce_build">): Promise<TickEvent> {
  const { finished = null, landing = null, builder } = session.work;
  if (landing !== null) return (await import("./adopt-landing.ts")).announceLanding(landing);
  if (session.attempts !== null)
    return (await import("./perform-attempts.ts")).announceAttempts(session, session.attempts);
  if (session.round !== null) {
    const { announceRound, listRoundTasks } = await import("./perform-attempts.ts");
    const tasks = listRoundTasks(session, state);
    if (tasks.length > 1) return announceRound(session, tasks);
  }
  if (finished !== null) return announceFinished(finished);
  if (findTickPatch(state.task) !== null) return announcePatch(session);
  return announceBuild(pickAgentNow(requireReady(builder, "builder"), state, "builder"), session, state);
}

async function performWork(session: RunningSession, state: StateIn<"build">): Promise<TickEvent> {
  const { finished = null, landing = null, builder } = session.work;
  if (landing !== null) return (await import("./adopt-landing.ts")).adoptLanding(session, landing);
  if (session.attempts !== null)
    return (await import("./perform-attempts.ts")).performAttempts(session, session.attempts, state.task);
  if (session.round !== null && state.building.tasks !== undefined)
    return (await import("./perform-attempts.ts")).performRound(session, session.round, state);
  if (finished !== null) return adoptFinished(session, finished);
  const patch = findTickPatch(state.task);
  return patch === null
    ? performBuild(session, pickAgentNow(requireReady(builder, "builder"), state, "builder"), state)
    : performPatch(session, state.task, patch);
}

/** The locks first note the tick and the end of the journal, so that its loss is noticed. */
async function performPrepare({ place, journal, runId, noteInLocks }: TickSession): Promise<TickEvent> {
  const { seq, sha256 } = journal.end();
  if (sha256 === null) throw new InvariantError("a tick is prepared that has no line in the journal");
  await noteInLocks({ run_id: runId, journal: { seq, sha256 } });
  const { observationSha256 } = await place.prepare(findRememberedObservation(journal.recent(), place.isolation));
  return { type: "prepared", isolation: place.isolation, observation_sha256: observationSha256 };
}

/**
 * The hash of the observation that the last tick in such a place began with. Before its first session nothing waits for
 * the disk: after a crash, which may have been a power cut, the store may have names without their content.
 */
function findRememberedObservation(
  lines: readonly JournalLine[],
  isolation: TickSession["place"]["isolation"],
): string | null {
  const last = lines.findLast(({ event }) => event.type === "prepared" && event.isolation === isolation);
  if (last?.event.type !== "prepared") return null;
  const isCrashed = lines.some(({ run_id, event }) => run_id === last.run_id && isCrash(event));
  return isCrashed ? null : last.event.observation_sha256;
}

function isCrash(event: TickEvent): boolean {
  return event.type === "abandoned" || ("cause" in event && event.cause === "crash");
}

/** Half-written files of a crash are removed just before the documents are read. */
async function performPreflight(session: RunningSession): Promise<TickEvent> {
  const { repository, workspace, config } = session;
  const tidy = () => removeHalfWritten({ root: repository.root, workspace, cleanup: config.runner.crash_cleanup });
  const refused = await findPreflightRefusal(session, tidy);
  if (refused !== null) return { type: "refused", ...refused };
  const head = await readHead(repository, session.signal);
  if (head.commit === null) throw new InvariantError("HEAD lost its commit between two looks");
  return {
    type: "preflight_passed",
    base_commit: head.commit,
    head: head.text,
    warnings: [...readBudgetWarnings(session)],
  };
}
