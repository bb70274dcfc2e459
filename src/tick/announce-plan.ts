import { join } from "node:path";
import { CODES } from "../base/codes.ts";
import { isSameCommand } from "../checks/pure/verification-plan.ts";
import type { TickEvent } from "../records/event.ts";
import { type OrchestratorPrompt, composeOrchestratorPrompt, type PlanFacts } from "./pure/orchestrator-prompt.ts";
import { buildReport } from "./pure/build-report.ts";
import { type TickRecord, TickRecords } from "./pure/tick-records.ts";
import { findOutcome, findReportable } from "./pure/tick-facts.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { createDispatch } from "../system/drop-folder.ts";
import { readHead } from "../git/head.ts";
import type { PlanTexts } from "./prompt-files.ts";
import { comparePrompt } from "./compare-prompt.ts";
import type { ReadyOrchestrator, RunningTick, OpenTick, ReadyWork } from "./running-tick.ts";
import { hashDocument } from "../workspace/runner-documents.ts";
import type { Observation } from "../base/manifest.ts";
import type { VerificationRun } from "../records/report.ts";
import type { Review } from "../records/review.ts";
import type { ReviewPlan } from "../checks/pure/review-plan.ts";
import { dropFalseVotes } from "./false-votes.ts";
import { appendEvent } from "../workspace/workspace.ts";
import type { Task } from "../records/task.ts";
import { admitTask } from "./pure/task-admission.ts";
import { leadsOutside } from "../system/leads-outside.ts";
import { pickAgentNow } from "./own-record.ts";

/** Composes the prompt of the orchestrator from the journal and the user's documents, and announces the session. */

const LAST_REPORT_CHARS = 6000;

/** The prompt is saved before the session starts. */
export async function announcePlan(
  session: RunningTick,
  { driver, texts }: ReadyOrchestrator,
  { rejection, started }: StateIn<"plan">,
): Promise<TickEvent> {
  const prompt = await planPrompt(session, texts, rejection);
  session.left.prompt = prompt;
  const text = `${prompt.system}\n\n${prompt.user}`;
  session.where.store.redo.write(join(session.where.runDirectory, "orchestrator.prompt.txt"), text);
  return {
    type: "plan_started",
    driver: driver.name,
    dispatch: createDispatch(),
    prompt_bytes: { ...prompt.bytes },
    prompt: comparePrompt(session, [started.workflow, "orchestrator"], text),
    prompt_sha256: {
      "orchestrator.system.txt": hashDocument(prompt.system),
      "orchestrator.user.txt": hashDocument(prompt.user),
    },
  };
}

/** Calls nobody and writes nothing. */
export async function planPrompt(
  session: RunningTick,
  texts: PlanTexts,
  rejection: StateIn<"plan">["rejection"],
): Promise<OrchestratorPrompt> {
  const { tasksMax: most } = session.work;
  const tasksMax = most === undefined ? {} : { tasksMax: most };
  return composeOrchestratorPrompt({ ...texts, facts: await readPlanFacts(session, texts), rejection, ...tasksMax });
}

async function readPlanFacts(session: RunningTick, { goal, facts }: PlanTexts): Promise<PlanFacts> {
  const {
    tick: { config, runId },
    where: { repository },
    record: { journal },
  } = session;
  const head = await readHead(repository, session.tick.signal);
  const others = journal
    .foldRecent(TickRecords)
    .all()
    .filter((record) => record.runId !== runId);
  const last = others.findLast(({ endedAt }) => endedAt !== null) ?? null;
  return {
    config,
    goal,
    facts,
    branch: head.text.replace(/^ref: refs\/heads\//u, ""),
    commit: head.commit ?? "",
    state: journal.fold(WorkspaceFold).state(config.budgets),
    lastReport: last === null ? "" : renderLastReport(session, last),
    blocked: last === null ? null : describeBlock(last),
  };
}

/** From the journal: the file in the workspace could have been edited. */
function renderLastReport(
  { tick: { config }, record: { journal, renderReport } }: RunningTick,
  record: TickRecord,
): string {
  const { runId, seriesId, startedAt } = record;
  const state = findReportable(record.state);
  if (state === null) return "";
  const endedAt = record.endedAt ?? startedAt;
  const { milestone_id, budgets } = journal.fold(WorkspaceFold).state(config.budgets);
  const report = buildReport({
    runId,
    seriesId,
    state,
    startedAt,
    endedAt,
    durationMs: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
    budgets: { ...budgets, milestone_id, warnings: [] },
    paths: { historyDir: null, diffPatch: null, verifyLog: null, reportMd: null },
  });
  return renderReport(report, { maxChars: LAST_REPORT_CHARS, isForPlan: true });
}

function describeBlock({ state }: TickRecord): object | null {
  const outcome = findOutcome(state);
  if (outcome === null || CODES[outcome.code].verdict !== "blocked") return null;
  const { code, cause, message } = outcome;
  return { code, cause, message, remedy: CODES[code].remedy };
}

/**
 * Records the answers of reviewers while others of the same round still run.
 *
 * Each of them was paid for, so a crash must not lose the finished ones. Whether a reviewer changed files
 * is only measured when all have ended, and the event says so.
 */

interface ReviewRound {
  readonly plan: ReviewPlan;
  readonly remembered: Observation;
  readonly runs: readonly VerificationRun[];
}

export function answerNotes(session: OpenTick, round: ReviewRound) {
  const failures: unknown[] = [];
  let line = Promise.resolve();
  const write = async (review: Review): Promise<void> => {
    const reviews = await dropFalseVotes(session, { ...round, reviews: [review] });
    const event: TickEvent = { type: "review_answered", reviews, unmeasured: true };
    await appendEvent(session.record.journal, session.tick, event);
    session.left.noted = [...(session.left.noted ?? []), event];
  };
  return {
    /** Never fails, because the other sessions must continue. */
    record: (review: Review): Promise<void> => {
      // One after the other: a journal has one end.
      line = line.then(() => write(review)).catch((error: unknown) => void failures.push(error));
      return line;
    },
    throwFailure: (): void => {
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Finds the task of the tick: a given one, or one of the orchestrator. */

type Refused = Extract<TickEvent, { type: "refused" }>;

export async function performPlan(session: RunningTick, state: StateIn<"plan">): Promise<TickEvent> {
  const { task, orchestrator } = session.work;
  if (task !== null) return planGiven(session, task);
  return announcePlan(session, pickAgentNow(orchestrator, state, "orchestrator"), state);
}

/** A given task is refused now if it can be. */
export function planGiven(session: RunningTick, task: Task): TickEvent {
  return (
    findRefusal(session, task) ?? { type: "planned", task, orchestrator_calls: 0, ...describeOwnChecks(session, task) }
  );
}

type Planned = Extract<TickEvent, { type: "planned" }>;

/** What the workflow and the configuration may add to the checks of the task, and what a person left out. */
export function describeOwnChecks(
  session: RunningTick,
  task: Task,
): Pick<Planned, "own_checks" | "base_checks" | "left_out"> {
  const max = countMost(session);
  const { base = [] } = session.work.checks;
  const leftOut = listLeftOut(session, task);
  return {
    ...(max > 0 ? { own_checks: max } : {}),
    ...(base.length > 0 ? { base_checks: base.length } : {}),
    ...(leftOut.length > 0 ? { left_out: [...leftOut] } : {}),
  };
}

/** Where a person chose other checks. */
function listLeftOut(session: RunningTick, task: Task): readonly string[] {
  const { tick, work } = session;
  const { fast = [], slow = [] } = task.verification ?? {};
  const named = [...fast, ...slow];
  const { known } = work.checks;
  if (!mustRunAll(session, task.task_kind, named.length + known.length)) return [];
  const { templates } = tick.config.verification;
  const isRun = (id: string): boolean => {
    const template = templates.find((one) => one.id === id);
    return named.includes(id) || (template !== undefined && known.some((check) => isSameCommand(check, template)));
  };
  return tick.required.filter((id) => !isRun(id));
}

/** In a goal and a campaign, some ticks run none; without a file, a tree has its guard. */
function mustRunAll(session: RunningTick, kind: Task["task_kind"], count: number): boolean {
  const start = findTickStart(session);
  if (start?.workflow === "relay") return kind === "execute";
  return count > 0 && !(start?.workflow === "tree" && start.series?.config === "found");
}

/** A relay judges each tick by itself; the others run held-out checks where they run any. */
function countMost(session: RunningTick): number {
  const { max } = session.work.checks;
  const isOwn = findTickStart(session)?.workflow === "relay" || max > 0;
  return isOwn ? max + session.tick.config.verification.held_out.length : max;
}

function findTickStart({ tick: { runId }, record: { journal } }: RunningTick) {
  const start = journal.linesOf(runId).findLast(({ event }) => event.type === "tick_started")?.event;
  return start?.type === "tick_started" ? start : undefined;
}

/** Why a task cannot be done; null where it can. */
export function findRefusal(session: RunningTick, task: Task): Refused | null {
  const refusal = session.work.admit?.(task) ?? findAdmissionRefusal(session, task);
  return refusal === null ? null : { type: "refused", ...refusal };
}

function findAdmissionRefusal(session: RunningTick, task: Task) {
  const {
    tick: { config },
    where: { repository },
    record: { journal },
    work,
  } = session;
  const { root } = repository;
  const admission = admitTask({
    config,
    task,
    state: journal.fold(WorkspaceFold).state(config.budgets),
    ownChecks: countMost(session),
    leadsOutside: (path) => leadsOutside(root, path),
    isOwnPatch: work.isOwnPatch ?? false,
    isLanding: (work.landing ?? null) !== null,
    isPlanned: work.task === null,
    builders: (work.attempts?.count ?? 1) * (1 + (work.builder?.fallbacks.length ?? 0)),
    ...describeReview(work),
  });
  if (admission.kind === "admitted") return null;
  const { code, cause, message } = admission;
  return { code, cause, message };
}

/** The worst case: each agent that is out of quota was asked by all of them. */
function describeReview({ review }: ReadyWork) {
  if (review === null) return { reviewers: 0, ofVerifyOnly: false };
  const { plan, fallbacks } = review;
  return { reviewers: plan.reviewers.length * (1 + fallbacks.length), ofVerifyOnly: plan.ofVerifyOnly ?? false };
}
