/** The last tick, for somebody who asks where things stand. */
import type { LastTick } from "../../contract/answers/status.ts";
import { CODES } from "../../contract/values/codes.ts";
import { countSecondsSince, dropPast } from "../../io/machine/clock.ts";
import { findOpenTurn } from "../../core/tick/tick-turn.ts";
import { findRetryAt } from "../../core/tick/report-parts.ts";
import { findOutcome, findSettlement, findTask, isUndone } from "../../core/tick/tick-facts.ts";
import type { TickRecord } from "../../core/tick/tick-records.ts";

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
