/** The last tick, for somebody who asks where things stand. */
import type { LastTick } from "../records/status-answers.ts";
import { CODES } from "../base/codes.ts";
import { countSecondsSince, dropPast } from "../system/clock.ts";
import { findOpenTurn } from "../tick/pure/tick-turn.ts";
import { findRetryAt } from "../tick/pure/report-parts.ts";
import { findOutcome, findSettlement, findTask, isUndone } from "../tick/pure/tick-facts.ts";
import type { TickRecord } from "../tick/pure/tick-records.ts";

export function describeLastTick({ runId, endedAt, startedAt, state }: TickRecord): LastTick | null {
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
