import type { QueueState, JobRow } from "./queue-state.ts";

export interface ChoiceInput {
  /** The wall clock, as a timestamp in UTC. */
  readonly now: string;
  readonly labels: readonly string[];
}

/** The job that a worker with these labels starts next; null where none can start now. */
export function chooseJob(state: QueueState, input: ChoiceInput): JobRow | null {
  if (state.isHeld) return null;
  for (const row of state.waiting) if (canStart(state, row, input)) return row;
  return null;
}

function canStart(state: QueueState, row: JobRow, { now, labels }: ChoiceInput): boolean {
  if (row.isPaused || row.blockers.length > 0 || state.holders.has(row.head.key)) return false;
  if (row.terms.not_before !== null && row.terms.not_before > now) return false;
  return hasLabels(row, labels);
}

function hasLabels(row: JobRow, labels: readonly string[]): boolean {
  return row.head.needs.every((label) => labels.includes(label));
}

/**
 * Whether a job may still come to a worker with these labels, without a person and without a later time: one that
 * waits for a running one, or one that runs now and could be lost.
 */
export function mayComeHere(state: QueueState, input: ChoiceInput): boolean {
  if (state.isHeld) return false;
  for (const row of state.running.values()) if (hasLabels(row, input.labels)) return true;
  return state.waiting.some((row) => canStart(state, row, input));
}

/** Why a waiting job does not start now; null where only a worker is missing. */
export function explainWait(state: QueueState, row: JobRow, now: string): string | null {
  if (row.phase !== "waiting" && row.phase !== "scheduled") return null;
  if (row.isPaused) return "it is paused";
  if (row.phase === "scheduled") return null;
  if (state.isHeld) return "the queue is paused";
  return explainOrder(state, row, now);
}

function explainOrder(state: QueueState, row: JobRow, now: string): string | null {
  const [blocker] = row.blockers;
  if (blocker !== undefined) return explainBlocker(state, blocker);
  if (row.terms.not_before !== null && row.terms.not_before > now) return `it starts at ${row.terms.not_before}`;
  const holder = state.holders.get(row.head.key);
  if (holder !== undefined) return `job ${holder} runs on the same branch`;
  return row.head.needs.length === 0 ? null : `a worker with ${row.head.needs.join(", ")}`;
}

function explainBlocker(state: QueueState, id: string): string {
  const phase = state.jobs.get(id)?.phase;
  return phase === "failed" || phase === "cancelled" ? `job ${id}, which ended as ${phase}` : `job ${id}`;
}
