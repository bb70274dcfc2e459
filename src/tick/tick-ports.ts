import type { TickEvent } from "../records/event.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import type { Effect } from "./pure/decide.ts";
import { readClockMs } from "../system/clock.ts";
import { makeDeadlineSignal } from "../system/deadline-signal.ts";
import { hearSignals } from "../system/hear-signals.ts";
import { type GitBounds, withGitBounds } from "../git/git-bounds.ts";
import { JournalChanged } from "../journal/journal-file.ts";
import { isPrivateStill } from "../git/private-repository.ts";
import { nameTickMarker } from "../process/reap-session.ts";
import { JournalFailure } from "../workspace/journal-failure.ts";
import { perform } from "./perform.ts";
import { JOURNAL_CHANGED, rebuildState, STORE_CHANGED } from "./check-rebuilt-state.ts";
import { emitRecorded } from "./emit-recorded.ts";
import type { TickPorts } from "./tick.ts";
import { readInterruption, TICK_TIMEOUT } from "./tick-session.ts";
import type { TickSession } from "./tick-session.ts";
import { appendEvent } from "../workspace/append-event.ts";

/** Events go to the journal, effects into the world. */
export function makeTickPorts(session: TickSession): TickPorts {
  let deadline = makeDeadlineSignal(session.deadlineAt);
  const record = makeRecorder(session);
  return {
    perform: async (effect) => {
      try {
        return await withGitBounds(makeBounds(session, effect, deadline), () => performEffect(session, effect));
      } finally {
        // The wait for a person has moved it.
        if (effect.do === "ask") deadline = makeDeadlineSignal(session.deadlineAt);
      }
    },
    record: async (event) => {
      const recorded = await record(event);
      await hearSignals();
      return recorded;
    },
    interruption: () => findInterruption(session, deadline),
  };
}

/** A reconfigured store explains a failure. Rollback and report keep their own reasons. */
async function performEffect(session: TickSession, effect: Effect): Promise<TickEvent> {
  try {
    return await perform(session, effect);
  } catch (error) {
    const isLast = effect.do === "report" || (effect.do === "settle" && effect.state.action === "rollback");
    if (isLast || !(error instanceof MeasurementError) || (await isPrivateStill(session.store.gitDir))) throw error;
    return STORE_CHANGED;
  }
}

/** If another process changed the journal, it is rewritten, and the tick ends. */
function makeRecorder(session: TickSession): (event: TickEvent) => Promise<readonly TickEvent[]> {
  const { journal, emit, config } = session;
  const append = async (event: TickEvent): Promise<TickEvent> => {
    const line = await appendEvent(journal, session, event);
    emitRecorded(emit, { line, journal, budgets: config.budgets });
    return line.event;
  };
  const recordAgain = async (event: TickEvent): Promise<readonly TickEvent[]> => {
    await rebuildState(session);
    // The changed journal explains every other interruption.
    const events = event.type === "interrupted" ? [JOURNAL_CHANGED] : [event, JOURNAL_CHANGED];
    const recorded: TickEvent[] = [];
    for (const each of events) recorded.push(await append(each));
    return recorded;
  };
  return async (event) => {
    const noted = takeNoted(session);
    try {
      return [...noted, await append(event)];
    } catch (error) {
      if (!(error instanceof JournalChanged)) throw new JournalFailure(journal.path, error);
    }
    try {
      return [...noted, ...(await recordAgain(event))];
    } catch (error) {
      throw new JournalFailure(journal.path, error);
    }
  };
}

/** The tick goes on from what the journal says, and an answer that is in it is not asked for again. */
function takeNoted({ memory }: TickSession): readonly TickEvent[] {
  const { noted = [] } = memory;
  memory.noted = [];
  return noted;
}

/** A signal or the deadline ends the work, but not the settling and the report; no deadline ends a question. */
function makeBounds({ runId, signal }: TickSession, effect: Effect, deadline: AbortSignal): GitBounds {
  const marker = nameTickMarker(runId);
  if (effect.do === "settle" || effect.do === "report") return { marker, signal: null };
  return { marker, signal: effect.do === "ask" ? signal : AbortSignal.any([signal, deadline]) };
}

function findInterruption({ signal, deadlineAt }: TickSession, deadline: AbortSignal): TickEvent | null {
  if (signal.aborted) return readInterruption(signal);
  // The timer may have stopped git a moment before the clock reaches the deadline.
  return deadline.aborted || readClockMs() >= deadlineAt ? TICK_TIMEOUT : null;
}
