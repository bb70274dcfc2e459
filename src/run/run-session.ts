import type { TickEvent } from "../contract/event.ts";
import { MeasurementError } from "../contract/measurement-error.ts";
import type { TickState } from "../core/tick/tick-state.ts";
import { currentTimeMs } from "../io/clock.ts";
import { perform } from "./perform.ts";
import { publishEnd } from "./perform-report.ts";
import { runTick } from "./tick.ts";
import { interruptionOf, TICK_TIMEOUT } from "./tick-interruption.ts";
import type { TickSession } from "./tick-session.ts";

/** What was to be recorded could not be, so nothing more may be done: nobody could tell afterwards what it was. */
export class JournalFailure extends MeasurementError {}

/** Runs the tick of a session to its end: its events go to the journal, its effects into the world. */
export async function runSession(session: TickSession, past: readonly TickEvent[]): Promise<TickState> {
  const state = await runTick(
    {
      perform: (effect, at) => perform(session, effect, at),
      record: recordIn(session),
      interruption: () => interruption(session),
    },
    past,
  );
  await publishEnd(session);
  return state;
}

/** Writes events of this tick into the journal. */
export function recordIn({ journal, runId, seriesId }: TickSession): (event: TickEvent) => Promise<void> {
  return async (event) => {
    const at = new Date(currentTimeMs()).toISOString();
    try {
      await journal.append({ at, run_id: runId, series_id: seriesId, event });
    } catch (error) {
      throw new JournalFailure(journal.path, error instanceof Error ? error.message : String(error));
    }
  };
}

function interruption({ signal, deadlineAt }: TickSession): TickEvent | null {
  if (signal.aborted) return interruptionOf(signal);
  return currentTimeMs() >= deadlineAt ? TICK_TIMEOUT : null;
}
