/** What the journal says of single ticks, for somebody who asks where things stand. */
import { findOutcome, findRollbackFailure, findTask, isUndone } from "../../core/tick/tick-facts.ts";
import type { LastTick, StatusTicks } from "../../contract/answers/status.ts";
import { CODES } from "../../contract/values/codes.ts";
import type { JournalLine } from "../../contract/journal/event.ts";
import { notPutBackRun, unfinishedRun } from "../../core/history/journal-runs.ts";
import { openSeries } from "../../core/series/last-series.ts";
import { waitBehind } from "../../core/series/series-waits.ts";
import { retryAt } from "../../core/tick/retry-at.ts";
import { settlementOf } from "../../core/tick/settlement.ts";
import { type TickRecord, tickRecords } from "../../core/tick/tick-records.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import type { LockSighting } from "../../io/journal/lock.ts";

/** The ticks that matter now; while somebody is at work, nothing is called cut short. */
export function statusTicks(lines: readonly JournalLine[], lock: LockSighting, root: string): StatusTicks {
  const open = unfinishedRun(lines);
  const holder = lock.kind === "busy" ? lock.holder : null;
  const records = tickRecords(lines);
  const last = records.findLast(({ endedAt }) => endedAt !== null) ?? null;
  return {
    running: holder && {
      runId: holder.run_id,
      pid: holder.pid,
      secondsAgo: secondsSince(holder.started_at),
      waitsUntil: waitBehind(lines, holder.run_id),
    },
    unfinished:
      open === null || holder !== null
        ? null
        : { runId: open.runId, phase: open.state.phase, secondsAgo: secondsSince(open.startedAt) },
    notPutBack: holder === null ? notPutBack(notPutBackRun(records)) : null,
    lastTick: last && lastTick(last),
    openSeries: holder === null ? openSeries(lines, root) : [],
  };
}

function notPutBack(record: TickRecord | null): StatusTicks["notPutBack"] {
  if (record === null) return null;
  const { runId, endedAt, startedAt, state } = record;
  return {
    runId,
    secondsAgo: secondsSince(endedAt ?? startedAt),
    differences: findRollbackFailure(state)?.differences ?? [],
  };
}

function lastTick({ runId, endedAt, startedAt, state }: TickRecord): LastTick | null {
  const outcome = findOutcome(state);
  if (outcome === null) return null;
  const { code } = outcome;
  return {
    runId,
    verdict: CODES[code].verdict,
    code,
    intent: findTask(state)?.intent ?? null,
    secondsAgo: secondsSince(endedAt ?? startedAt),
    commit: settlementOf(state).commit,
    isUndone: isUndone(state),
    retryAt: stillToCome(retryAt(state)),
  };
}

const stillToCome = (moment: string | null): string | null =>
  moment !== null && Date.parse(moment) > currentTimeMs() ? moment : null;

/** Whole seconds from a moment until now. */
export function secondsSince(moment: string): number {
  return Math.max(0, Math.floor((currentTimeMs() - Date.parse(moment)) / 1000));
}
