/** What the journal says of single ticks, for somebody who asks where things stand. */
import { findOutcome, findRollbackFailure, findTask, isUndone, findSettlement } from "../../core/tick/tick-facts.ts";
import type { LastTick, StatusTicks } from "../../contract/answers/status.ts";
import { CODES } from "../../contract/values/codes.ts";
import type { JournalLine } from "../../contract/journal/event.ts";
import { findNotPutBackRun, findUnfinishedRun } from "../../core/history/journal-runs.ts";
import { openSeries } from "../../core/series/last-series.ts";
import { waitBehind } from "../../core/series/series-waits.ts";
import { findOpenTurn } from "../../core/tick/open-turn.ts";
import { findRetryAt } from "../../core/tick/report-parts.ts";
import { type TickRecord, listTickRecords } from "../../core/tick/tick-records.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import type { LockSighting } from "../../io/journal/lock.ts";

/** While a process holds the lock, no tick counts as interrupted. */
export function summariseTicks(lines: readonly JournalLine[], lock: LockSighting, root: string): StatusTicks {
  const open = findUnfinishedRun(lines);
  const holder = lock.kind === "busy" ? lock.holder : null;
  const records = listTickRecords(lines);
  const last = records.findLast(({ endedAt }) => endedAt !== null) ?? null;
  return {
    running: holder && {
      runId: holder.run_id,
      pid: holder.pid,
      secondsAgo: countSecondsSince(holder.started_at),
      waitsUntil: waitBehind(lines, holder.run_id),
      asksUntil: findQuestionEnd(open),
    },
    unfinished:
      open === null || holder !== null
        ? null
        : { runId: open.runId, phase: open.state.phase, secondsAgo: countSecondsSince(open.startedAt) },
    notPutBack: holder === null ? describeNotPutBack(findNotPutBackRun(records)) : null,
    lastTick: last && describeLastTick(last),
    openSeries: holder === null ? openSeries(lines, root) : [],
  };
}

function findQuestionEnd(open: TickRecord | null): string | null {
  return open?.state.phase === "ask" ? open.state.asked.until : null;
}

function describeNotPutBack(record: TickRecord | null): StatusTicks["notPutBack"] {
  if (record === null) return null;
  const { runId, endedAt, startedAt, state } = record;
  return {
    runId,
    secondsAgo: countSecondsSince(endedAt ?? startedAt),
    differences: findRollbackFailure(state)?.differences ?? [],
  };
}

function describeLastTick({ runId, endedAt, startedAt, state }: TickRecord): LastTick | null {
  const outcome = findOutcome(state);
  if (outcome === null) return null;
  const { code } = outcome;
  return {
    runId,
    verdict: CODES[code].verdict,
    code,
    turn: findOpenTurn(state),
    intent: findTask(state)?.intent ?? null,
    secondsAgo: countSecondsSince(endedAt ?? startedAt),
    commit: findSettlement(state).commit,
    isUndone: isUndone(state),
    retryAt: dropPast(findRetryAt(state)),
  };
}

const dropPast = (moment: string | null): string | null =>
  moment !== null && Date.parse(moment) > readClockMs() ? moment : null;

export function countSecondsSince(moment: string): number {
  return Math.max(0, Math.floor((readClockMs() - Date.parse(moment)) / 1000));
}
