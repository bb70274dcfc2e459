import type { JournalLine, TickEvent } from "../../records/event.ts";

export interface SeriesWaits {
  /** Since the last tick that no service refused. */
  readonly waits: readonly { readonly at: string; readonly until: string }[];
  readonly retryAt: string | null;
  /** The end of the current wait after the last tick. */
  readonly pending: string | null;
  /** Whether a service refused the last tick; a series also waits before a retry. */
  readonly isLimit: boolean;
}

export function findSeriesWaits(lines: readonly JournalLine[], seriesId: string): SeriesWaits {
  const own = listSinceLastAnswer(lines, seriesId);
  const lastEnd = own.findLastIndex(({ event }) => event.type === "tick_ended");
  const waits = own.flatMap(({ at, event }) => (event.type === "series_waiting" ? [{ at, until: event.until }] : []));
  const after = own.slice(lastEnd + 1);
  const before = own.slice(0, lastEnd + 1);
  return {
    waits,
    pending: after.some(({ event }) => event.type === "series_waiting") ? (waits.at(-1)?.until ?? null) : null,
    retryAt: findRetryTime(before),
    isLimit: lastEnd >= 0,
  };
}

/** The end of the wait for a service after this tick; null if there is none. */
export function waitBehind(lines: readonly JournalLine[], runId: string): string | null {
  const line = lines.findLast(({ run_id }) => run_id === runId);
  if (line === undefined) return null;
  const { pending, isLimit } = findSeriesWaits(lines, line.series_id);
  return isLimit ? pending : null;
}

function listSinceLastAnswer(lines: readonly JournalLine[], seriesId: string): readonly JournalLine[] {
  const landed = new Set(lines.flatMap(({ event, run_id }) => (isLanding(event) ? [run_id] : [])));
  const last = lines.findLastIndex(
    ({ series_id, event, run_id }) =>
      series_id === seriesId &&
      event.type === "tick_ended" &&
      event.code !== "STOP_RATE_LIMITED" &&
      !landed.has(run_id),
  );
  const first = lines.findIndex(({ series_id }) => series_id === seriesId);
  return lines.slice(Math.max(last + 1, first)).filter(({ series_id }) => series_id === seriesId);
}

/** No service was asked in such a tick. */
function isLanding(event: TickEvent): boolean {
  return event.type === "build_started" && event.landed !== undefined;
}

function findRetryTime(lines: readonly JournalLine[]): string | null {
  const started = lines.findLastIndex(({ event }) => event.type === "tick_started");
  const told = lines.slice(started).flatMap(({ event }) => readRetryTime(event) ?? []);
  return told.at(-1) ?? null;
}

/** An orchestrator, a builder or a reviewer may be refused. */
function readRetryTime(event: TickEvent): string | null {
  if (event.type !== "refused" && event.type !== "build_ended" && event.type !== "reviewed") return null;
  return event.until ?? null;
}

interface WaitQuestion {
  readonly nowMs: number;
  /** If the service said so. */
  readonly untilMs: number | null;
  /** The waits since the last tick that was not refused. */
  readonly waitedMs: readonly number[];
  readonly maxWaitMs: number;
}

type WaitPlan = { readonly kind: "wait"; readonly untilMs: number } | { readonly kind: "give_up" };

const FIRST_WAIT_MS = 60_000;
/** A wait is recorded a moment after it was planned, so it looks a little shorter. */
const SLACK_MS = 100;

/**
 * Waits as long as the service asks, or twice as long each time if it asks for nothing, but never longer in total than
 * configured. A wait that cannot be long enough is not started. A time in the past is accepted once: a service that
 * repeats it has asked for nothing.
 */
export function waitPlan({ nowMs, untilMs, waitedMs, maxWaitMs }: WaitQuestion): WaitPlan {
  const leftMs = maxWaitMs - waitedMs.reduce((sum, ms) => sum + ms, 0);
  if (leftMs < SLACK_MS) return { kind: "give_up" };
  const isStale = untilMs !== null && untilMs <= nowMs && waitedMs.length > 0;
  if (untilMs === null || isStale)
    return { kind: "wait", untilMs: nowMs + Math.min(leftMs, FIRST_WAIT_MS * 2 ** waitedMs.length) };
  if (untilMs - nowMs > leftMs) return { kind: "give_up" };
  return { kind: "wait", untilMs: Math.max(untilMs, nowMs) };
}
