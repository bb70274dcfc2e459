/** What the journal says of single ticks, for somebody who asks where things stand. */
import { findRollbackFailure } from "../tick/pure/tick-facts.ts";
import type { StatusTicks } from "../records/status.ts";
import type { JournalLine } from "../records/event.ts";
import { findNotPutBackRun, findUnfinishedRun } from "../journal/pure/journal-runs.ts";
import { openSeries } from "../workflows/pure/last-series.ts";
import { waitBehind } from "../workflows/pure/series-waits.ts";
import { type TickRecord, listTickRecords } from "../tick/pure/tick-records.ts";
import { countSecondsSince } from "../system/clock.ts";
import { describeLastTick } from "../workspace/last-tick.ts";
import type { LockSighting } from "../journal/acquire-lock.ts";

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
