import { createHash } from "node:crypto";
import type { TickEvent, JournalLine } from "../records/event.ts";
import { type VerificationRun, REPORT_LIMITS } from "../records/report.ts";
import { hasPassed, findKnownBase, findLastDuration } from "../checks/pure/known-base.ts";
import type { Check } from "../checks/pure/verification-plan.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { shortenList, shorten } from "../base/words.ts";
import { readClockMs } from "../system/clock.ts";
import { readInterruption, type RunningTick, TICK_TIMEOUT, type ReadyReview, type OpenTick } from "./running-tick.ts";
import { planBase } from "../checks/pure/stages.ts";
import { runStage } from "../checks/run-stage.ts";
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
import { openCheckRun, performVerify, planTickChecks } from "./perform-verify.ts";
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
 * Runs the checks before the builder starts, so that nobody pays for work on a base that is already red, and so that each
 * check can be compared afterwards. A result is kept in the journal, for the same commit and configuration.
 */

type Baselined = Extract<TickEvent, { type: "baselined" }>;

export async function performBaseline(session: RunningTick, state: StateIn<"baseline">): Promise<TickEvent> {
  const {
    tick: { config },
    where: { change },
    record: { journal },
  } = session;
  const checks = listChecks(session, state);
  const commit = state.base.base_commit;
  const checksSha256 = hashSettings(session);
  const wanted = checks.map(describeCheck);
  const event = { type: "baselined", commit, checks_sha256: checksSha256 } as const;
  const known = findKnownBase(journal.recent(), { commit, checksSha256, wanted });
  if (known !== null) return { ...event, ...answer(session, state, known), kept: true };
  const boundMs = config.verification.baseline_max_seconds * 1000;
  const isBounded = config.verification.baseline === "auto";
  const lastMs = findLastDuration(journal.recent(), wanted);
  if (isBounded && lastMs !== null && lastMs > boundMs) return { ...event, ...SKIPPED };
  const deadlineAt = isBounded ? Math.min(session.tick.deadlineAt, readClockMs() + boundMs) : session.tick.deadlineAt;
  const run = { ...openCheckRun(session), deadlineAt };
  const end = await change.trial({}, (observation) => runStage(run, planBase(checks), observation));
  if (end.kind === "aborted") return readInterruption(session.tick.signal);
  if (end.kind === "tick-timed-out")
    return readClockMs() < session.tick.deadlineAt ? { ...event, ...SKIPPED } : TICK_TIMEOUT;
  return { ...event, ...answer(session, state, end.runs) };
}

const SKIPPED: Omit<Baselined, "type" | "commit" | "checks_sha256"> = {
  runs: [],
  code: null,
  message: null,
  skipped: true,
};

/** Not those of the workflow, which depend on the change, nor those that run once. */
function listChecks(session: RunningTick, { task }: StateIn<"baseline">): readonly Check[] {
  const plan = planTickChecks(session, task.verification ?? { fast: [], slow: [] });
  return plan.kind === "ready" ? plan.checks.filter(({ once }) => once !== true) : [];
}

function describeCheck({ templateId, args }: Check): Pick<VerificationRun, "template_id" | "args"> {
  return { template_id: templateId, args: args.map((arg) => shorten(arg, REPORT_LIMITS.argChars)) };
}

function hashSettings({
  tick: {
    config: { verification, env },
  },
}: RunningTick): string {
  const { templates, setup } = verification;
  return createHash("sha256")
    .update(JSON.stringify({ templates, setup, env: env.checks }))
    .digest("hex");
}

type Answer = Pick<Baselined, "runs" | "code" | "message">;

/** A check that fails already says nothing about the work, unless the work is to make it pass. */
function answer(session: RunningTick, state: StateIn<"baseline">, runs: readonly VerificationRun[]): Answer {
  const mends = "mends" in state.task ? (state.task.mends ?? []) : [];
  const red = runs.filter((run) => !hasPassed(run) && !mends.includes(run.template_id));
  const isRefused = red.length > 0 && mayRefuse(session, state);
  const names = red.map(({ template_id: id }) => id);
  const message = `Before any work, ${shortenList(names)} ${names.length === 1 ? "fails" : "fail"}.`;
  return {
    runs: [...runs],
    code: isRefused ? "BLOCKED_BASELINE_RED" : null,
    message: isRefused ? message : null,
  };
}

/** Elsewhere than in a relay, later bases may be red by design. */
function mayRefuse(
  { tick: { config, seriesId, runId }, record: { journal } }: RunningTick,
  { started }: StateIn<"baseline">,
): boolean {
  if (config.verification.inherited === "compare") return false;
  if (started.workflow === "relay") return true;
  return !journal.linesOfSeries(seriesId).some((line) => line.run_id !== runId);
}

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
