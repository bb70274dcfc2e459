/**
 * The state for the next tick, as a fold of the whole journal. Everything counts once its event is recorded, so a crash
 * never loses a cost. A tick that does not count is refunded at its end, except its dollars, which were really spent.
 * The counters of a series are never reset, so a resumed series finds its own.
 */
import type { Config } from "../../config/config.ts";
import type { JournalLine, TickEvent } from "../../records/event.ts";
import { foldShared, type LineFold } from "../../records/folded-lines.ts";
import { unreachable } from "../../base/errors.ts";
import type { WorkspaceState } from "../../records/state.ts";
import type { Task } from "../../records/task.ts";
import { listBudgetWarnings, NOTHING_SPENT } from "../../tick/pure/budget.ts";
import { isOfSeries } from "../../tick/pure/evolve.ts";
import { UNANSWERED } from "../../tick/pure/find-next.ts";
import type { EventOf } from "../../tick/pure/tick-state.ts";
import {
  addCost,
  addPatchAttempt,
  count,
  type Milestone,
  moveCounts,
  type Series,
  takeBack,
  type Tick,
} from "./tick-account.ts";

type Budgets = Config["budgets"];
type Question = WorkspaceState["open_question"];

type Saved = Pick<WorkspaceFold, "milestone" | "series" | "last" | "question" | "left">;

/** Changed in place, because a copy for every line would be quadratic. */
export class WorkspaceFold implements LineFold {
  milestone: Milestone = { milestoneId: null, budgets: { ...NOTHING_SPENT }, patchAttempts: 0 };
  series: Series | null = null;
  last: (EventOf<"tick_ended"> & { readonly runId: string }) | null = null;
  question: Question = null;
  readonly allSeries = new Map<string, Series>();
  readonly openTicks = new Map<string, Tick>();
  /** In order; a milestone that came back is listed each time it was left. */
  readonly left: Milestone[] = [];

  take = (line: JournalLine): void => take(this, line);

  /** Between two ticks: without earlier series. A command that continues one reads every line. */
  save(): string {
    const { milestone, series, last, question, left } = this;
    return JSON.stringify({ milestone, series, last, question, left } satisfies Saved);
  }

  load(text: string): void {
    const saved: Saved = JSON.parse(text);
    Object.assign(this, saved);
    if (saved.series !== null) this.allSeries.set(saved.series.seriesId, saved.series);
  }

  /** The state once this line was recorded. */
  foresee(line: JournalLine, limits: Budgets): WorkspaceState {
    const { take: _take, ...fields } = this;
    const next = Object.assign(new WorkspaceFold(), structuredClone(fields));
    next.take(line);
    return next.state(limits);
  }

  /** The limits only decide whether it warns. */
  state(limits: Budgets): WorkspaceState {
    const { milestone, series, last, question } = this;
    const spending = {
      budgets: { ...milestone.budgets },
      series: series && {
        series_id: series.seriesId,
        budgets: { ...series.budgets },
        empty_ticks: series.emptyTicks,
      },
    };
    return {
      version: 1,
      milestone_id: milestone.milestoneId,
      ...spending,
      patch_attempts: milestone.patchAttempts,
      budget_warning: listBudgetWarnings(spending, limits).length > 0,
      last_run_id: last?.runId ?? null,
      last_verdict: last?.verdict ?? null,
      last_code: last?.code ?? null,
      open_question: question,
    };
  }
}

export function foldWorkspaceState(lines: readonly JournalLine[], limits: Budgets): WorkspaceState {
  return foldShared(lines).fold(WorkspaceFold).state(limits);
}

/** These say how a tick went and not what it spent. */
const UNPAID_EVENTS = [
  "preflight_passed",
  "prepared",
  "baselined",
  "judged",
  "written",
  "asked",
  "settle_started",
  "settled",
  "rollback_failed",
  "interrupted",
  "reported",
  "accepted",
  "rejected",
  "undone",
  "abandoned",
  "pruned",
] as const;
const UNPAID: ReadonlySet<string> = new Set(UNPAID_EVENTS);

function isUnpaid(event: TickEvent): event is EventOf<(typeof UNPAID_EVENTS)[number]> {
  return UNPAID.has(event.type);
}

function take(fold: WorkspaceFold, line: JournalLine): void {
  const { event } = line;
  if (isUnpaid(event) || isOfSeries(event)) return;
  if (event.type === "milestone_opened") return leaveMilestone(fold, event.milestone_id);
  const tick = openTick(fold, line);
  switch (event.type) {
    case "tick_started":
      fold.series = tick.series;
      tick.isOfSeries = event.series !== undefined;
      return;
    case "plan_started":
      return countTick(fold, tick, 1);
    case "plan_rejected":
    case "handed_over":
      return addCost(fold, tick, event.usage);
    case "build_ended":
    case "refused":
      tick.words = readGivenBack(event);
      count(fold, tick, countAttempts(event.attempts));
      return addCost(fold, tick, event.usage);
    case "planned":
      recordPlan(fold, tick, event);
      return addCost(fold, tick, event.usage);
    case "build_started":
      if (event.driver === "patch" && event.own_patch !== true) addPatchAttempt(fold, tick);
      return count(fold, tick, { builder_calls: countBuilders(event) });
    case "verified":
      return count(fold, tick, { verify_runs: event.runs.filter(({ oracle }) => oracle === undefined).length });
    case "review_started":
      return count(fold, tick, { reviewer_calls: event.sessions.length });
    case "review_answered":
    case "reviewed":
      return addReviews(fold, tick, event.reviews);
    case "tick_ended":
      return endTick(fold, tick, { ended: event, line });
    case "decided":
      // Reviewers of an edited change are paid again.
      if (event.decision === "edit") tick.answered.clear();
      return;
    case "answered":
      return recordAnswer(fold, line.run_id, event);
    default:
      return unreachable(event);
  }
}

/** Of a session, or of all attempts. */
function readGivenBack(event: EventOf<"build_ended" | "refused">): string | null {
  if (event.type === "refused") return event.code === "STOP_QUESTION" ? event.message : null;
  return event.failure?.code === "STOP_QUESTION" ? event.summary : null;
}

function countBuilders({ kept, landed, attempts = 1 }: EventOf<"build_started">): number {
  return kept === undefined && landed === undefined ? attempts : 0;
}

/** Each attempt asked its own reviewers; one that took several turns had more than the one builder of the start. */
function countAttempts(attempts: EventOf<"build_ended">["attempts"]) {
  const list = attempts?.list ?? [];
  return {
    builder_calls: list.reduce((sum, { builder_calls = 1 }) => sum + Math.max(0, builder_calls - 1), 0),
    reviewer_calls: list.reduce((sum, { reviewer_calls }) => sum + reviewer_calls, 0),
  };
}

/** The last event of a review repeats all of them, but each is paid once. */
function addReviews(fold: WorkspaceFold, tick: Tick, reviews: EventOf<"reviewed">["reviews"]): void {
  for (const { name, usage } of reviews) {
    if (!tick.answered.has(name)) addCost(fold, tick, usage);
    tick.answered.add(name);
  }
}

function openTick(fold: WorkspaceFold, { run_id: runId, series_id: seriesId }: JournalLine): Tick {
  const open = fold.openTicks.get(runId);
  if (open !== undefined) return open;
  const series = fold.allSeries.get(seriesId) ?? { seriesId, budgets: { ...NOTHING_SPENT }, tokens: 0, emptyTicks: 0 };
  fold.allSeries.set(seriesId, series);
  const tick = {
    runId,
    series,
    counts: { ...NOTHING_SPENT },
    answered: new Set<string>(),
    task: null,
    isOfSeries: false,
    words: null,
    patchAttempts: 0,
    milestone: null,
    emptyTicksBefore: null,
  };
  fold.openTicks.set(runId, tick);
  return tick;
}

function recordPlan(fold: WorkspaceFold, tick: Tick, { task, orchestrator_calls }: EventOf<"planned">): void {
  if (fold.milestone.milestoneId !== task.milestone_id) openMilestone(fold, tick, task.milestone_id);
  tick.milestone = fold.milestone;
  tick.task = task;
  tick.emptyTicksBefore = tick.series.emptyTicks;
  tick.series.emptyTicks = isEmpty(task) ? tick.series.emptyTicks + 1 : 0;
  countTick(fold, tick, Math.max(0, orchestrator_calls - tick.counts.orchestrator_calls));
}

/** A tick counts once, from its task or from its first orchestrator session on. */
function countTick(fold: WorkspaceFold, tick: Tick, orchestrator_calls: number): void {
  count(fold, tick, { ticks: tick.counts.ticks === 0 ? 1 : 0, orchestrator_calls });
}

/** The tick that opens a milestone is paid from its account; the first milestone takes over earlier costs. */
function openMilestone(fold: WorkspaceFold, tick: Tick, milestoneId: string): void {
  const earlier = fold.milestone;
  const isFirst = earlier.milestoneId === null;
  const budgets = isFirst ? earlier.budgets : { ...NOTHING_SPENT };
  if (!isFirst && tick.milestone === earlier) moveCounts(tick, { from: earlier.budgets, to: budgets });
  if (!isFirst) fold.left.push(earlier);
  fold.milestone = { milestoneId, budgets, patchAttempts: 0 };
}

/** All that was spent stays with the milestone that is left, also if no task has named it. */
function leaveMilestone(fold: WorkspaceFold, milestoneId: string | null): void {
  fold.left.push(fold.milestone);
  fold.milestone = { milestoneId, budgets: { ...NOTHING_SPENT }, patchAttempts: 0 };
}

/** Kept with the question until a tick was planned with both. */
function recordAnswer(fold: WorkspaceFold, runId: string, { text, dropped }: EventOf<"answered">): void {
  fold.openTicks.delete(runId);
  if (fold.question?.run_id !== runId) return;
  fold.question = dropped === true ? null : { ...fold.question, answer: text };
}

function isEmpty(task: Task): boolean {
  return task.control?.action === "continue";
}

function endTick(
  fold: WorkspaceFold,
  tick: Tick,
  { ended, line }: { readonly ended: EventOf<"tick_ended">; readonly line: JournalLine },
): void {
  fold.openTicks.delete(tick.runId);
  fold.last = { ...ended, runId: tick.runId };
  if (!ended.counted) takeBack(tick);
  if (ended.cause === UNANSWERED) return;
  if (ended.code === "STOP_QUESTION") fold.question = makeQuestion(tick, line.at);
  // An orchestrator that planned a later tick saw the question; a tick that does not count leaves it open.
  else if (ended.counted && closesQuestion(tick, fold.question)) fold.question = null;
}

/** A person's own task closes only what was asked about such a task: its builder was told the answer. */
function closesQuestion(tick: Tick, question: Question): boolean {
  return (
    tick.task !== null && (tick.counts.orchestrator_calls > 0 || (question?.again !== undefined && isOwnTask(tick)))
  );
}

function isOwnTask({ isOfSeries: isOne, counts }: Tick): boolean {
  return !isOne && counts.orchestrator_calls === 0;
}

function makeQuestion(tick: Tick, at: string): Question {
  const { runId, task, words } = tick;
  const asked = { run_id: runId, asked_at: at, answer: null };
  if (task?.question !== undefined)
    return { ...asked, prompt: task.question.prompt, choices: task.question.choices ?? [] };
  if (words === null) return null;
  const again = isOwnTask(tick) ? { again: findSentence(task) } : {};
  return { ...asked, prompt: words, choices: [], ...again };
}

/** Only what was typed as it stands can be typed again. */
function findSentence(task: Task | null): string | null {
  if (task?.task_kind !== "execute") return null;
  return task.builder.instructions === task.intent ? task.intent : null;
}
