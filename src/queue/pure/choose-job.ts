import { type ChoiceInput, findReady } from "./ready-jobs.ts";
import type { JobRow } from "./job-row.ts";
import type { QueueState } from "./queue-state.ts";

/** The job that a worker with these labels starts next; null where none can start now. */
export function chooseJob(state: QueueState, input: ChoiceInput): JobRow | null {
  return state.isHeld ? null : findReady(state.ready, input);
}

/**
 * Whether a job may still come to a worker with these labels, without a person and without a later time: one that
 * waits for a running one, or one that runs now and could be lost.
 */
export function mayComeHere(state: QueueState, input: ChoiceInput): boolean {
  if (state.isHeld) return false;
  for (const { head } of state.running.values())
    if (head.needs.every((label) => input.labels.includes(label))) return true;
  return chooseJob(state, input) !== null;
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
