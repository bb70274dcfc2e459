import type { TickEvent, JournalLine } from "../records/event.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { readClockMs } from "../system/clock.ts";
import { readInterruption, type RunningTick, TICK_TIMEOUT, type ReadyReview, type OpenTick } from "./running-tick.ts";
import { performBaseline } from "./perform-baseline.ts";
import { InvariantError, unreachable, MeasurementError } from "../base/errors.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { reserveWork } from "./pure/budget.ts";
import { findTickPatch } from "./pure/tick-facts.ts";
import type { Step } from "./pure/find-next.ts";
import { announceBuild, performBuild } from "./perform-build.ts";
import { performJudge, announcePatch, performPatch, performWrite } from "./perform-judge.ts";
import { performPlan } from "./announce-plan.ts";
import { performReport } from "./perform-report.ts";
import { performSettle } from "./perform-settle.ts";
import { pickAgentNow } from "./own-record.ts";
import { announceFinished, adoptFinished } from "./adopt-finished.ts";
import { performVerify } from "./perform-verify.ts";
import { readHead } from "../git/head.ts";
import { findPreflightRefusal, makeSubject } from "./preflight.ts";
import { readBudgetWarnings } from "./state-rows.ts";
import { removeHalfWritten } from "../workspace/runner-documents.ts";
import { makeDeadlineSignal, hearSignals } from "../system/pause.ts";
import { type GitBounds, withGitBounds } from "../git/git-environment.ts";
import { JournalChanged } from "../journal/journal-file.ts";
import { isPrivateStill } from "../git/private-repository.ts";
import { nameTickMarker } from "../process/reap-session.ts";
import { JournalFailure } from "../workspace/journal-failure.ts";
import { JOURNAL_CHANGED, rebuildState, STORE_CHANGED } from "./check-rebuilt-state.ts";
import { emitRecorded } from "./emit-recorded.ts";
import type { TickPorts } from "./tick.ts";
import { appendEvent } from "../workspace/workspace.ts";

/**
 * Performs the steps of a tick. Many ticks have no review, no patch and no orchestrator: these steps are loaded when one
 * of them is due.
 */

/** Performs a step and answers with an event. */
export async function perform(session: OpenTick, step: Step): Promise<TickEvent> {
  if (step.phase === "settle") return performSettle(session, step);
  if (step.phase === "report") return performReport(session, step);
  if (session.kind === "recovering") throw new InvariantError(`${step.phase} is not performed in a recovery`);
  return performStep(session, step);
}

async function performStep(
  session: RunningTick,
  step: Exclude<Step, { readonly phase: "settle" | "report" }>,
): Promise<TickEvent> {
  const { orchestrator, review } = session.work;
  switch (step.phase) {
    case "preflight":
      return performPreflight(session);
    case "prepare":
      return performPrepare(session);
    case "plan":
      return performPlan(session, step);
    case "orchestrate":
      return (await import("./perform-orchestrate.ts")).performOrchestrate(
        session,
        pickAgentNow(requireReady(orchestrator, "orchestrator"), step, "orchestrator"),
        step,
      );
    case "baseline":
      return performBaseline(session, step);
    case "announce_build":
      return (await chooseSource(session, step)).announce();
    case "build":
      return (await chooseSource(session, step)).perform(step);
    case "judge":
      return performJudge(session, step);
    case "write":
      return performWrite(session);
    case "verify":
      return performVerify(session, step);
    case "announce_review":
      return announceReview(session, step);
    case "review":
      return (await import("./perform-review.ts")).performReview(session, pickReviewNow(review, step), step);
    case "announce_ask":
      return (await import("./perform-ask.ts")).announceAsk(session);
    case "ask":
      return (await import("./perform-ask.ts")).performAsk(session, step);
    default:
      return unreachable(step);
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
async function announceReview(session: RunningTick, state: StateIn<"announce_review">): Promise<TickEvent> {
  const { announceReview: announce } = await import("./perform-review.ts");
  const event = announce(pickReviewNow(session.work.review, state), state);
  if (state.isEdited !== true || event.type !== "review_started") return event;
  const { budgets } = session.tick.config;
  const spent = session.record.journal.fold(WorkspaceFold).state(budgets);
  const decision = reserveWork(spent, budgets, { verify_runs: 0, reviewer_calls: event.sessions.length });
  if (decision.kind === "ok") return event;
  const { cause, message } = decision;
  return { type: "interrupted", code: "STOP_INTERRUPTED", cause, message };
}

/** Where the change of a tick comes from. */
interface WorkSource {
  readonly announce: () => Promise<TickEvent> | TickEvent;
  readonly perform: (state: StateIn<"build">) => Promise<TickEvent>;
}

/** Work from elsewhere, sessions side by side, the finished session of an earlier tick, the patch of the task, or a session. */
async function chooseSource(
  session: RunningTick,
  state: StateIn<"announce_build"> | StateIn<"build">,
): Promise<WorkSource> {
  const { landing = null, attempts, round, finished = null, builder } = session.work;
  if (landing !== null) {
    const { announceLanding, adoptLanding } = await import("./adopt-landing.ts");
    return { announce: () => announceLanding(landing), perform: () => adoptLanding(session, landing) };
  }
  if (attempts !== null) {
    const { announceAttempts, performAttempts } = await import("./perform-attempts.ts");
    return {
      announce: () => announceAttempts(session, attempts),
      perform: ({ task }) => performAttempts(session, attempts, task),
    };
  }
  if (round !== null) {
    const { announceRound, listRoundTasks, performRound } = await import("./perform-attempts.ts");
    const tasks = listRoundTasks(session, state);
    const isRound = state.phase === "build" ? state.building.tasks !== undefined : tasks.length > 1;
    if (isRound)
      return {
        announce: () => announceRound(session, tasks),
        perform: (begun) => performRound(session, round, begun),
      };
  }
  if (finished !== null)
    return { announce: () => announceFinished(finished), perform: () => adoptFinished(session, finished) };
  const patch = findTickPatch(state.task);
  if (patch !== null)
    return { announce: () => announcePatch(session), perform: ({ task }) => performPatch(session, task, patch) };
  const agent = pickAgentNow(requireReady(builder, "builder"), state, "builder");
  return {
    announce: async () => announceBuild(agent, session, state),
    perform: (begun) => performBuild(session, agent, begun),
  };
}

/** The locks first note the tick and the end of the journal, so that its loss is noticed. */
async function performPrepare({
  tick: { runId },
  where: { place, change },
  record: { journal, noteInLocks },
}: OpenTick): Promise<TickEvent> {
  const { seq, sha256 } = journal.end();
  if (sha256 === null) throw new InvariantError("a tick is prepared that has no line in the journal");
  await noteInLocks({ run_id: runId, journal: { seq, sha256 } });
  const observationSha256 = await change.prepare(findRememberedObservation(journal.recent(), place.isolation));
  return { type: "prepared", isolation: place.isolation, observation_sha256: observationSha256 };
}

/**
 * The hash of the observation that the last tick in such a place began with. Before its first session nothing waits for
 * the disk: after a crash, which may have been a power cut, the store may have names without their content.
 */
function findRememberedObservation(
  lines: readonly JournalLine[],
  isolation: OpenTick["where"]["place"]["isolation"],
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
async function performPreflight(session: RunningTick): Promise<TickEvent> {
  const {
    tick: { config },
    where: { repository, workspace },
  } = session;
  const subject = makeSubject(session);
  const tidy = () => removeHalfWritten({ root: repository.root, workspace, cleanup: config.runner.crash_cleanup });
  const refused = await findPreflightRefusal(subject, tidy);
  if (refused !== null) return { type: "refused", ...refused };
  const head = await readHead(repository, session.tick.signal);
  if (head.commit === null) throw new InvariantError("HEAD lost its commit between two looks");
  return {
    type: "preflight_passed",
    base_commit: head.commit,
    head: head.text,
    warnings: [...readBudgetWarnings(subject)],
  };
}

/** Events go to the journal, steps into the world. */
export function makeTickPorts(session: OpenTick): TickPorts {
  let deadline = makeDeadlineSignal(session.tick.deadlineAt);
  const record = makeRecorder(session);
  return {
    perform: async (step) => {
      try {
        return await withGitBounds(makeBounds(session, step, deadline), () => performOrExplain(session, step));
      } finally {
        // The wait for a person has moved it.
        if (step.phase === "ask") deadline = makeDeadlineSignal(session.tick.deadlineAt);
      }
    },
    record: async (event) => {
      const recorded = await record(event);
      await hearSignals();
      return recorded;
    },
    interruption: () => findInterruption(session, deadline),
  };
}

/** A reconfigured store explains a failure. Rollback and report keep their own reasons. */
async function performOrExplain(session: OpenTick, step: Step): Promise<TickEvent> {
  try {
    return await perform(session, step);
  } catch (error) {
    const isLast = step.phase === "report" || (step.phase === "settle" && step.action === "rollback");
    if (isLast || !(error instanceof MeasurementError) || (await isPrivateStill(session.where.store.gitDir)))
      throw error;
    return STORE_CHANGED;
  }
}

/** If another process changed the journal, it is rewritten, and the tick ends. */
function makeRecorder(session: OpenTick): (event: TickEvent) => Promise<readonly TickEvent[]> {
  const {
    tick: { config },
    record: { journal, emit },
  } = session;
  const append = async (event: TickEvent): Promise<TickEvent> => {
    const line = await appendEvent(journal, session.tick, event);
    emitRecorded(emit, { line, journal, budgets: config.budgets });
    return line.event;
  };
  const recordAgain = async (event: TickEvent): Promise<readonly TickEvent[]> => {
    await rebuildState(session);
    // The changed journal explains every other interruption.
    const events = event.type === "interrupted" ? [JOURNAL_CHANGED] : [event, JOURNAL_CHANGED];
    const recorded: TickEvent[] = [];
    for (const each of events) recorded.push(await append(each));
    return recorded;
  };
  return async (event) => {
    const noted = takeNoted(session);
    try {
      return [...noted, await append(event)];
    } catch (error) {
      if (!(error instanceof JournalChanged)) throw new JournalFailure(journal.path, error);
    }
    try {
      return [...noted, ...(await recordAgain(event))];
    } catch (error) {
      throw new JournalFailure(journal.path, error);
    }
  };
}

/** The tick goes on from what the journal says, and an answer that is in it is not asked for again. */
function takeNoted({ left: memory }: OpenTick): readonly TickEvent[] {
  const { noted = [] } = memory;
  memory.noted = [];
  return noted;
}

/** A signal or the deadline ends the work, but not the settling and the report; no deadline ends a question. */
function makeBounds({ tick: { runId, signal } }: OpenTick, step: Step, deadline: AbortSignal): GitBounds {
  const marker = nameTickMarker(runId);
  if (step.phase === "settle" || step.phase === "report") return { marker, signal: null };
  return { marker, signal: step.phase === "ask" ? signal : AbortSignal.any([signal, deadline]) };
}

function findInterruption({ tick: { signal, deadlineAt } }: OpenTick, deadline: AbortSignal): TickEvent | null {
  if (signal.aborted) return readInterruption(signal);
  // The timer may have stopped git a moment before the clock reaches the deadline.
  return deadline.aborted || readClockMs() >= deadlineAt ? TICK_TIMEOUT : null;
}
