/** What a tick has cost so far, and who pays. Changed in place while the journal is folded. */
import type * as v from "valibot";
import type { Usage } from "../../records/agent.ts";
import type { WorkspaceState } from "../../records/state.ts";
import type { Task } from "../../records/task.ts";
import { CALL_COUNTERS, NOTHING_SPENT } from "../../tick/pure/budget.ts";
import { formatDollarSum } from "../../base/words.ts";
import type { MilestoneArchive } from "../../records/milestone-archive.ts";

type Counters = WorkspaceState["budgets"];
type Counter = Exclude<keyof Counters, "estimated_cost_usd">;

export interface Tick {
  readonly runId: string;
  readonly series: Series;
  readonly counts: Counters;
  /** Reviewers whose cost is already counted. */
  readonly answered: Set<string>;
  task: Task | null;
  /** Whether it is a tick of a series. */
  isOfSeries: boolean;
  /** Why its builder gave the task back; null if it did not. */
  words: string | null;
  patchAttempts: number;
  /** The milestone that pays for this tick. */
  milestone: Milestone | null;
  emptyTicksBefore: number | null;
}

export interface Series {
  readonly seriesId: string;
  readonly budgets: Counters;
  /** Of prompts and answers, as the agents reported them. */
  tokens: number;
  emptyTicks: number;
}

export interface Milestone {
  readonly milestoneId: string | null;
  readonly budgets: Counters;
  patchAttempts: number;
}

interface Accounts {
  readonly milestone: Milestone;
}

export function count(fold: Accounts, tick: Tick, counts: Partial<Record<Counter, number>>): void {
  for (const budgets of [tick.counts, tick.series.budgets, chooseMilestone(fold, tick).budgets])
    for (const counter of CALL_COUNTERS) budgets[counter] += counts[counter] ?? 0;
}

/** It was really spent, so it is never refunded. */
export function addCost(fold: Accounts, tick: Tick, usage: v.InferOutput<typeof Usage> | null | undefined): void {
  const dollars = usage?.cost_usd ?? 0;
  for (const budgets of [tick.series.budgets, chooseMilestone(fold, tick).budgets])
    budgets.estimated_cost_usd = formatDollarSum(budgets.estimated_cost_usd, dollars);
  tick.series.tokens += (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
}

export function addPatchAttempt(fold: Accounts, tick: Tick): void {
  tick.patchAttempts += 1;
  chooseMilestone(fold, tick).patchAttempts += 1;
}

function chooseMilestone(fold: Accounts, tick: Tick): Milestone {
  tick.milestone ??= fold.milestone;
  return tick.milestone;
}

/** A tick that does not count is refunded. */
export function takeBack(tick: Tick): void {
  const { series, milestone, counts, emptyTicksBefore } = tick;
  for (const counter of CALL_COUNTERS) {
    series.budgets[counter] -= counts[counter];
    if (milestone !== null) milestone.budgets[counter] -= counts[counter];
  }
  if (milestone !== null) milestone.patchAttempts -= tick.patchAttempts;
  series.emptyTicks = emptyTicksBefore ?? series.emptyTicks;
}

export function moveCounts({ counts }: Tick, { from, to }: { readonly from: Counters; readonly to: Counters }): void {
  for (const counter of CALL_COUNTERS) {
    to[counter] += counts[counter];
    from[counter] -= counts[counter];
  }
}

/** Of a milestone that a person closed before a task named it. */
const UNNAMED = "unnamed";

/** All milestones that were left, the last one at the end. */
export function listMilestoneArchives(left: readonly Milestone[]): readonly MilestoneArchive[] {
  const archives = new Map<string, MilestoneArchive>();
  for (const { milestoneId: name, budgets, patchAttempts } of left) {
    const milestoneId = name ?? UNNAMED;
    const earlier = archives.get(milestoneId);
    archives.delete(milestoneId); // So that the one that was left last stands last.
    archives.set(milestoneId, {
      version: 1,
      milestone_id: milestoneId,
      times_left: (earlier?.times_left ?? 0) + 1,
      budgets: addCounters(earlier?.budgets ?? NOTHING_SPENT, budgets),
      patch_attempts: (earlier?.patch_attempts ?? 0) + patchAttempts,
    });
  }
  return [...archives.values()];
}

function addCounters(one: MilestoneArchive["budgets"], other: MilestoneArchive["budgets"]) {
  const sum = { ...one, estimated_cost_usd: formatDollarSum(one.estimated_cost_usd, other.estimated_cost_usd) };
  for (const counter of CALL_COUNTERS) sum[counter] += other[counter];
  return sum;
}
