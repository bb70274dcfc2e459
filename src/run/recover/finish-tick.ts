/** Recovers one tick of the journal: rolls it back if needed, and records its end. */
import type { RecoveryStep, RescuedFiles } from "../../contract/answers/recovery.ts";
import { findPrepared, findRollbackFailure, findSettled, findTask } from "../../core/tick/tick-facts.ts";
import type { TickEvent } from "../../contract/journal/event.ts";
import { describeError } from "../../contract/values/describe-error.ts";
import type { TickRecord } from "../../core/tick/tick-records.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { reapTick } from "../../io/process/reap-session.ts";
import { createRunId } from "../../io/workspace/run-directory.ts";
import type { NotReady } from "../../contract/answers/command-failure.ts";
import { listSalvageRules } from "../steps/perform-settle.ts";
import { publishLines } from "../workspace/publish.ts";
import { refuseStillRunning } from "./recovery-refusals.ts";
import { rescueIgnored } from "./rescue-ignored.ts";
import { publishEnd } from "../steps/perform-report.ts";
import { runTick } from "../tick/tick.ts";
import { makeTickPorts } from "../tick/tick-ports.ts";
import { keepSalvage } from "../keep/salvage.ts";
import type { TickSession } from "../session/tick-session.ts";

/** A settled tick is only reported. */
export async function finishInterruptedTick(
  session: TickSession,
  open: TickRecord,
  records: readonly TickRecord[],
): Promise<RecoveryStep | NotReady> {
  const { undead } = await reapTick(open.runId);
  if (undead.length > 0) return refuseStillRunning(undead);
  const restored = !isSealed(open);
  const rescued = restored ? await resumeWorkplace(session, open, records) : null;
  if (open.endedAt !== null) return rollBackAgain(session, open, rescued);
  await runTick(makeTickPorts(session), [...open.events, ...(await recordCrash(session, open))]);
  await publishEnd(session);
  const { report, problems } = session.memory;
  return { kind: "recovered", runId: open.runId, restored, report, problems, rescued };
}

/** The target is T0, plus the history of ticks that were refused since. */
async function resumeWorkplace(
  session: TickSession,
  { state, firstSeq }: TickRecord,
  records: readonly TickRecord[],
): Promise<RescuedFiles | null> {
  const prepared = findPrepared(state);
  if (prepared === null) return null;
  const { place, config } = session;
  const since = records.filter((record) => record.firstSeq > firstSeq);
  place.resume(
    prepared.prepared.observation_sha256,
    since.map(({ runId }) => `${config.history.dir}/${runId}`),
  );
  return place
    .collectBesideMounts(listSalvageRules(session, findTask(state)))
    .then(({ evidence }) => rescueIgnored(session, evidence))
    .catch(reportUnsaved(session));
}

/** A change that cannot be saved is reported, and reverted all the same. */
function reportUnsaved({ memory }: TickSession): (error: unknown) => null {
  return (error) => {
    const reason = describeError(error);
    memory.problems = [...memory.problems, `the reverted change could not be saved: ${reason}`];
    return null;
  };
}

function isSealed({ state, endedAt }: TickRecord): boolean {
  return findSettled(state) !== null || (endedAt !== null && findRollbackFailure(state) === null);
}

/** The crash is an event, too: recorded before it is acted upon. */
async function recordCrash(session: TickSession, { state }: TickRecord): Promise<readonly TickEvent[]> {
  if (state.phase === "report" || state.phase === "end") return [];
  const event: TickEvent = { type: "interrupted", code: "STOP_INTERRUPTED", cause: "crash", message: null };
  await append(session, event);
  return [event];
}

/** A rollback that failed earlier. Nothing is recorded unless it succeeds now. */
async function rollBackAgain(
  session: TickSession,
  { state }: TickRecord,
  rescued: RescuedFiles | null,
): Promise<RecoveryStep | NotReady> {
  const { store, stateDirectory, place } = session;
  // Under its own id: a person may have worked here since, and the tick's work is saved already.
  const runId = createRunId(readClockMs());
  const kept = await place
    .collectBesideMounts(listSalvageRules(session, findTask(state)))
    .then(({ evidence }) => keepSalvage({ store, stateDirectory, runId, code: "BLOCKED_ROLLBACK_FAILED", evidence }))
    .catch(reportUnsaved(session));
  await place.reopen().catch(() => null);
  const unkept = await place.discard();
  const salvage = kept === null || kept.files.length === 0 ? null : runId;
  await append(session, { type: "settled", action: "rollback", commit: null, branch: null, salvage });
  const problems = [...session.memory.problems, ...unkept, ...(await publishLines(session))];
  return { kind: "recovered", runId: session.runId, restored: true, report: null, problems, rescued };
}

async function append({ journal, runId: run_id, seriesId: series_id }: TickSession, event: TickEvent): Promise<void> {
  await journal.append({ at: new Date(readClockMs()).toISOString(), run_id, series_id, event });
}
