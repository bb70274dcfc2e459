import type { JobView, SeenWorker } from "./engine.ts";
import { explainWait } from "./choose-job.ts";
import type { JobRow } from "./job-row.ts";
import type { QueueState } from "./queue-state.ts";

/** The view stays as it is when the job goes on. */
export function viewJob(state: QueueState, row: JobRow, now: string, worker: SeenWorker | null): JobView {
  return {
    id: row.id,
    spec: row.head,
    terms: row.terms,
    phase: row.phase,
    isPaused: row.isPaused,
    submittedAt: row.submittedAt,
    attempt: row.attempt,
    token: BigInt(row.token),
    worker,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    waitsFor: explainWait(state, row, now),
    asked: row.phase === "running" ? (row.asks.at(-1) ?? null) : null,
    spent: row.spent,
    result: row.result,
    attachments: row.attachments,
    losses: row.losses,
  };
}
