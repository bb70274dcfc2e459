/** Waits for a limit of an agent's service. The end is in the journal, so that a restart continues the wait. */
import type { SeriesPause } from "../records/dry-run.ts";
import { CODES } from "../base/codes.ts";
import type { Config } from "../config/config.ts";
import { endSeries, type SeriesOver } from "./pure/after-tick.ts";
import { findSeriesWaits, waitPlan } from "./pure/series-waits.ts";
import { readClockMs } from "../system/clock.ts";
import { pauseUntil } from "../system/pause.ts";
import type { TickEvent } from "../records/event.ts";
import { InvariantError } from "../base/errors.ts";
import type { LiveListener } from "../records/live-event.ts";
import { appendEvent, type LockedWorkspace } from "../workspace/workspace.ts";
import { emitRecorded } from "../tick/emit-recorded.ts";
import { isPauseRequested } from "../workspace/pause-runner.ts";

interface WaitingSeries extends RecordedSeries {
  readonly workspace: LockedWorkspace;
  readonly request: RecordedSeries["request"] & {
    readonly signal: AbortSignal;
    readonly watch: {
      readonly waiting: (wait: SeriesPause) => void;
    };
  };
}

/** False where a signal ended the wait. A requested pause ends it too, and is still to be obeyed. */
export async function waitOut({ workspace, seriesId, request }: WaitingSeries): Promise<boolean> {
  const { pending, isLimit } = findSeriesWaits(workspace.journal.linesOfSeries(seriesId), seriesId);
  if (pending === null) return true;
  const untilMs = Date.parse(pending);
  const { signal, watch } = request;
  const until = new Date(untilMs).toISOString();
  const onStep = (leftMs: number): void => watch.waiting({ leftMs, until, isLimit });
  return pauseUntil(untilMs, { signal, onStep, isOver: () => isPauseRequested(workspace) });
}

/** Records the wait, or answers with the end of the series if it would be too long. */
export async function beginWait(waiting: WaitingSeries, { loop }: Config): Promise<SeriesOver | null> {
  const { journal } = waiting.workspace;
  const { waits, retryAt } = findSeriesWaits(journal.linesOfSeries(waiting.seriesId), waiting.seriesId);
  const plan = waitPlan({
    nowMs: readClockMs(),
    untilMs: retryAt === null ? null : Date.parse(retryAt),
    waitedMs: waits.map(({ at, until }) => Math.max(0, Date.parse(until) - Date.parse(at))),
    maxWaitMs: loop.max_wait_seconds * 1000,
  });
  if (plan.kind === "give_up") return endTooLong(retryAt, loop.max_wait_seconds);
  await recordSeriesEvent(waiting, { type: "series_waiting", until: new Date(plan.untilMs).toISOString() });
  return null;
}

export async function beginPause(waiting: WaitingSeries, ms: number): Promise<{ readonly kind: "wait" }> {
  const until = new Date(readClockMs() + ms).toISOString();
  await recordSeriesEvent(waiting, { type: "series_waiting", until });
  return { kind: "wait" };
}

function endTooLong(retryAt: string | null, seconds: number): SeriesOver {
  const asked = retryAt === null ? "" : ` It is available again at ${retryAt}.`;
  const message = `The agent's service still refuses after loop.max_wait_seconds (${seconds}).${asked}`;
  const { remedy, exit } = CODES.STOP_RATE_LIMITED;
  return { ...endSeries("stopped", { reason: "STOP_RATE_LIMITED", message, hint: remedy }), exit };
}

interface RecordedSeries {
  readonly seriesId: string;
  readonly request: { readonly emit?: LiveListener };
  readonly workspace: Pick<LockedWorkspace, "config" | "journal">;
}

/** Records an event of the series after its last tick, which must exist. */
export async function recordSeriesEvent(
  { seriesId, request, workspace: { journal, config } }: RecordedSeries,
  event: TickEvent,
): Promise<void> {
  const last = journal.linesOfSeries(seriesId).at(-1);
  if (last === undefined) throw new InvariantError("a series without a tick");
  const line = await appendEvent(journal, { runId: last.run_id, seriesId }, event);
  emitRecorded(request.emit, { line, journal, budgets: config.budgets });
}
