/**
 * What the next tick has to know, as a fold over the whole journal.
 *
 * Everything counts from the moment that its event is recorded, so that a crash never makes spending undone. A tick
 * that turns out not to count gives its counts back when it ends, but not its dollars: what a program reported was
 * really spent. A series that goes on after another one finds its own counters again, since they are never reset.
 */
import type { Config } from "../contract/config.ts";
import type { JournalLine, TickEvent } from "../contract/event.ts";
import { unreachable } from "../contract/invariant.ts";
import type { WorkspaceState } from "../contract/state.ts";
import type { Task } from "../contract/task.ts";
import { budgetWarnings, NOTHING_SPENT } from "./budget.ts";
import { tickRecord, type TickRecord } from "./tick/tick-records.ts";

type Counters = WorkspaceState["budgets"];
type Counter = Exclude<keyof Counters, "estimated_cost_usd">;
type Limits = Config["budgets"];
type EventOf<T extends TickEvent["type"]> = Extract<TickEvent, { type: T }>;
type Question = WorkspaceState["open_question"];

/** What one tick has added so far, and what it has replaced. */
interface Tick {
  readonly runId: string;
  readonly series: Series;
  readonly counts: Counters;
  task: Task | null;
  patchAttempts: number;
  /** The milestone whose counters hold what this tick added. */
  milestone: Milestone | null;
  emptyTicksBefore: number | null;
}

interface Series {
  readonly seriesId: string;
  readonly budgets: Counters;
  emptyTicks: number;
}

interface Milestone {
  readonly milestoneId: string | null;
  readonly budgets: Counters;
  patchAttempts: number;
}

/** Changed in place while the lines are folded, because a copy for every line would make it quadratic. */
interface Fold {
  milestone: Milestone;
  series: Series | null;
  last: (EventOf<"tick_ended"> & { readonly runId: string }) | null;
  question: Question;
  readonly allSeries: Map<string, Series>;
  readonly openTicks: Map<string, Tick>;
}

/** The state of the workspace after these lines; the limits decide only whether it warns. */
export function workspaceState(lines: readonly JournalLine[], limits: Limits): WorkspaceState {
  const fold = emptyFold();
  for (const line of lines) take(fold, line);
  const { milestone, series, last, question } = fold;
  const spending = {
    budgets: milestone.budgets,
    series: series && {
      series_id: series.seriesId,
      budgets: series.budgets,
      empty_ticks: series.emptyTicks,
    },
  };
  return {
    version: 1,
    milestone_id: milestone.milestoneId,
    ...spending,
    patch_attempts: milestone.patchAttempts,
    budget_warning: budgetWarnings(spending, limits).length > 0,
    last_run_id: last?.runId ?? null,
    last_verdict: last?.verdict ?? null,
    last_code: last?.code ?? null,
    open_question: question,
  };
}

/** The tick that has no end: it is running, or it was cut short. The oldest, should there be several. */
export function unfinishedRun(lines: readonly JournalLine[]): TickRecord | null {
  const open = new Set<string>();
  const ended = new Set<string>();
  for (const { run_id, event } of lines) {
    if (event.type === "tick_ended") ended.add(run_id);
    // What a person decides about a tick that is over does not begin it again.
    if (ended.has(run_id)) open.delete(run_id);
    else open.add(run_id);
  }
  const [runId] = open;
  return runId === undefined ? null : tickRecord(lines, runId);
}

/** The tick of this worktree whose change was kept last and not taken back since; linked worktrees share a journal. */
export function lastAcceptedRun(lines: readonly JournalLine[], worktree: string): TickRecord | null {
  const changed = new Set<string>();
  const undone = new Set<string>();
  for (const { run_id, event } of lines) {
    if (event.type === "tick_started" && (event.worktree ?? worktree) !== worktree) undone.add(run_id);
    if (event.type === "judged" && event.blast_radius.files_touched > 0) changed.add(run_id);
    if (event.type === "undone") undone.add(run_id);
  }
  const line = lines.findLast(
    ({ run_id, event }) =>
      event.type === "settled" && event.action !== "rollback" && changed.has(run_id) && !undone.has(run_id),
  );
  return line === undefined ? null : tickRecord(lines, line.run_id);
}

function emptyFold(): Fold {
  return {
    milestone: { milestoneId: null, budgets: { ...NOTHING_SPENT }, patchAttempts: 0 },
    series: null,
    last: null,
    question: null,
    allSeries: new Map(),
    openTicks: new Map(),
  };
}

function take(fold: Fold, line: JournalLine): void {
  const { event } = line;
  const tick = tickOf(fold, line);
  switch (event.type) {
    case "tick_started":
      fold.series = tick.series;
      return;
    case "planned":
      return plan(fold, tick, event);
    case "build_started":
      if (event.driver === "patch") addPatchAttempt(fold, tick);
      return count(fold, tick, { builder_calls: 1 });
    case "build_ended":
      return addCost(fold, tick, event.usage?.cost_usd ?? 0);
    case "verified":
      return count(fold, tick, { verify_runs: event.runs.length });
    case "reviewed":
      return count(fold, tick, { reviewer_calls: event.reviewer_calls });
    case "tick_ended":
      return end(fold, tick, { ended: event, at: line.at });
    case "refused":
    case "preflight_passed":
    case "prepared":
    case "judged":
    case "settle_started":
    case "settled":
    case "rollback_failed":
    case "interrupted":
    case "reported":
    case "accepted":
    case "undone":
    case "pruned":
      return; // These say how a tick went and not what it spent.
    default:
      return unreachable(event);
  }
}

function tickOf(fold: Fold, { run_id: runId, series_id: seriesId }: JournalLine): Tick {
  const open = fold.openTicks.get(runId);
  if (open !== undefined) return open;
  const series = fold.allSeries.get(seriesId) ?? { seriesId, budgets: { ...NOTHING_SPENT }, emptyTicks: 0 };
  fold.allSeries.set(seriesId, series);
  const tick = {
    runId,
    series,
    counts: { ...NOTHING_SPENT },
    task: null,
    patchAttempts: 0,
    milestone: null,
    emptyTicksBefore: null,
  };
  fold.openTicks.set(runId, tick);
  return tick;
}

function plan(fold: Fold, tick: Tick, { task, orchestrator_calls }: EventOf<"planned">): void {
  if (fold.milestone.milestoneId !== task.milestone_id)
    fold.milestone = { milestoneId: task.milestone_id, budgets: { ...NOTHING_SPENT }, patchAttempts: 0 };
  tick.milestone = fold.milestone;
  tick.task = task;
  tick.emptyTicksBefore = tick.series.emptyTicks;
  tick.series.emptyTicks = isEmpty(task) ? tick.series.emptyTicks + 1 : 0;
  count(fold, tick, { ticks: 1, orchestrator_calls });
}

/** A task that only says "go on" does nothing. */
function isEmpty(task: Task): boolean {
  return task.control?.action === "continue";
}

function count(fold: Fold, tick: Tick, counts: Partial<Record<Counter, number>>): void {
  for (const budgets of [tick.counts, tick.series.budgets, milestoneOf(fold, tick).budgets])
    for (const counter of COUNTERS) budgets[counter] += counts[counter] ?? 0;
}

function addCost(fold: Fold, tick: Tick, dollars: number): void {
  for (const budgets of [tick.series.budgets, milestoneOf(fold, tick).budgets])
    budgets.estimated_cost_usd += dollars;
}

function addPatchAttempt(fold: Fold, tick: Tick): void {
  tick.patchAttempts += 1;
  milestoneOf(fold, tick).patchAttempts += 1;
}

function milestoneOf(fold: Fold, tick: Tick): Milestone {
  tick.milestone ??= fold.milestone;
  return tick.milestone;
}

function end(
  fold: Fold,
  tick: Tick,
  { ended, at }: { readonly ended: EventOf<"tick_ended">; readonly at: string },
): void {
  fold.openTicks.delete(tick.runId);
  fold.last = { ...ended, runId: tick.runId };
  if (!ended.counted) takeBack(tick);
  if (ended.code === "STOP_QUESTION") fold.question = questionOf(tick, at);
  // Whoever planned a later tick has had the question before them; one that does not count leaves it open.
  else if (ended.counted && tick.task !== null) fold.question = null;
}

function takeBack(tick: Tick): void {
  const { series, milestone, counts, emptyTicksBefore } = tick;
  for (const counter of COUNTERS) {
    series.budgets[counter] -= counts[counter];
    if (milestone !== null) milestone.budgets[counter] -= counts[counter];
  }
  if (milestone !== null) milestone.patchAttempts -= tick.patchAttempts;
  series.emptyTicks = emptyTicksBefore ?? series.emptyTicks;
}

function questionOf({ runId, task }: Tick, at: string): Question {
  if (task?.question === undefined) return null;
  const { prompt, choices = [] } = task.question;
  return { run_id: runId, asked_at: at, prompt, choices, answer: null };
}

const COUNTERS = [
  "ticks",
  "orchestrator_calls",
  "builder_calls",
  "verify_runs",
  "reviewer_calls",
] as const satisfies readonly Counter[];
