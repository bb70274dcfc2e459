/** What the journal says about the waits of a series. */
import type { JournalLine, TickEvent } from "../../contract/journal/event.ts";

export interface SeriesWaits {
  /** The waits since the last tick that no service refused: when each began, and until when. */
  readonly waits: readonly { readonly at: string; readonly until: string }[];
  /** When the service that refused the last tick will answer again, where it said so. */
  readonly retryAt: string | null;
  /** Until when the series waits now: it waits after its last tick. */
  readonly pending: string | null;
  /** Whether a service refused the last tick; a series waits before it tries something again, too. */
  readonly isLimit: boolean;
}

/** Looks back as far as ticks were refused by a service, and no further. */
export function findSeriesWaits(lines: readonly JournalLine[], seriesId: string): SeriesWaits {
  const own = sinceLastAnswer(lines, seriesId);
  const lastEnd = own.findLastIndex(({ event }) => event.type === "tick_ended");
  const waits = own.flatMap(({ at, event }) => (event.type === "series_waiting" ? [{ at, until: event.until }] : []));
  const after = own.slice(lastEnd + 1);
  const before = own.slice(0, lastEnd + 1);
  return {
    waits,
    pending: after.some(({ event }) => event.type === "series_waiting") ? (waits.at(-1)?.until ?? null) : null,
    retryAt: retryTimeOf(before),
    isLimit: lastEnd >= 0,
  };
}

/** Until when the series of this tick waits for a service behind it; null where it does not. */
export function waitBehind(lines: readonly JournalLine[], runId: string): string | null {
  const line = lines.findLast(({ run_id }) => run_id === runId);
  if (line === undefined) return null;
  const { pending, isLimit } = findSeriesWaits(lines, line.series_id);
  return isLimit ? pending : null;
}

/** The lines of the series after the last tick that no service refused. */
function sinceLastAnswer(lines: readonly JournalLine[], seriesId: string): readonly JournalLine[] {
  const last = lines.findLastIndex(
    ({ series_id, event }) =>
      series_id === seriesId && event.type === "tick_ended" && event.code !== "STOP_RATE_LIMITED",
  );
  const first = lines.findIndex(({ series_id }) => series_id === seriesId);
  return lines.slice(Math.max(last + 1, first)).filter(({ series_id }) => series_id === seriesId);
}

/** What the last tick was told, if it was told anything. */
function retryTimeOf(lines: readonly JournalLine[]): string | null {
  const started = lines.findLastIndex(({ event }) => event.type === "tick_started");
  const told = lines.slice(started).flatMap(({ event }) => retryTime(event) ?? []);
  return told.at(-1) ?? null;
}

/** Whoever is asked may be refused: who plans, who builds, and who reviews. */
function retryTime(event: TickEvent): string | null {
  if (event.type !== "refused" && event.type !== "build_ended" && event.type !== "reviewed") return null;
  return event.until ?? null;
}
