/**
 * `relais recover`: brings a tick to its end that was cut short.
 *
 * The journal says how far it came, and lines that it has lost are put back from their copies first. A tick that was
 * settled only lacks its report; every other one is put back to what was remembered before its builder began, with the
 * work kept in salvage. The configuration is the one that the tick began with, because the one in the repository may be
 * part of the damage. Where nothing was cut short, the documents of the workspace are written again from the journal.
 *
 * What cannot be put back is said, and a person may give it up (`--abandon`), which touches nothing in the repository.
 */
import { findStart } from "../../core/tick/tick-facts.ts";
import type { Lock } from "../../contract/journal/lock.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { RollbackError } from "../../contract/values/rollback-error.ts";
import { notPutBackRun } from "../../core/history/journal-runs.ts";
import { tickRecord, TickRecords, type TickRecord } from "../../core/tick/tick-records.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { errorCode } from "../../io/files/error-code.ts";
import { isFolder } from "../../io/files/is-folder.ts";
import type { Journal } from "../../io/journal/journal.ts";
import { lookAtLock } from "../../io/journal/lock.ts";
import { reapTick } from "../../io/process/reap-session.ts";
import { newRunId } from "../../io/workspace/run-directory.ts";
import { surveyJournal } from "../../io/journal/survey-journal.ts";
import { abandonTick } from "./abandon-tick.ts";
import { bringToItsEnd, publishLines, type RecoveryStep } from "./bring-to-its-end.ts";
import { gitUnusable, type Unready } from "../workspace/ground.ts";
import { lockPathsOf, lostTick } from "../workspace/incomplete-journal.ts";
import { openMended } from "./open-mended.ts";
import { findRecoveryPlace, type RecoverRequest, type RecoveryPlace } from "./recovery-place.ts";
import { notMeasured, notPutBack, otherWorktree, stillRunning } from "./recovery-refusals.ts";
import { recoverySession } from "./recovery-session.ts";
import type { TickSession } from "../session/tick-session.ts";
import { journalUnusable } from "../workspace/unusable-journal.ts";
import { type LockRefusal, withLocks } from "../workspace/with-locks.ts";

/** What became of it, and how many lines of the journal were missing and are back. */
export type Recovery =
  | (RecoveryStep & {
      readonly mendedLines: number;
      /** A lock file that nobody can understand: no tick begins beside it, and only a person may remove it. */
      readonly damagedLock: { readonly path: string; readonly reason: string } | null;
    })
  | Unready
  | LockRefusal;

type Mended = RecoveryStep & { readonly mendedLines: number };

/** A measurement that fails is an answer here too: who recovers has trouble enough. */
export async function recover(request: RecoverRequest): Promise<Recovery> {
  try {
    return await recoverLocked(request);
  } catch (error) {
    const isOfTheWorld = error instanceof MeasurementError || errorCode(error) !== null;
    if (!isOfTheWorld || request.signal.aborted) throw error;
    return notMeasured(error);
  }
}

async function recoverLocked(request: RecoverRequest): Promise<Recovery> {
  const place = await findRecoveryPlace(request);
  if (place.kind === "blocked") return place;
  const unusable = await gitUnusable(place.repository.root, place.environment);
  if (unusable !== null) return unusable;
  const survey = await surveyJournal({ ...place, lockPaths: lockPathsOf(place) });
  if (survey.kind === "newer") return journalUnusable(survey);
  if (survey.kind === "lost" && !place.abandon) return lostTick(survey.holder);
  // Seen before the locks are taken over, because that removes what they say.
  const gone = await goneHolders(lockPathsOf(place));
  const lock = { paths: [place.lockPath], runId: newRunId(currentTimeMs()) };
  const locked = await withLocks(lock, () => withJournal(place, gone));
  if (locked.kind !== "done") return locked;
  if (locked.value.kind === "blocked") return locked.value;
  return { ...locked.value, damagedLock: await clearStaleLock(lockPathsOf(place)) };
}

async function goneHolders(paths: readonly string[]): Promise<readonly Lock[]> {
  const sightings = await Promise.all(paths.map(lookAtLock));
  return sightings.flatMap((sighting) =>
    sighting.kind === "stale" && sighting.holder.journal !== undefined ? [sighting.holder] : [],
  );
}

/** Putting everything back also brings the lock of the killed process back. Answers with one that is not understood. */
async function clearStaleLock(
  paths: readonly string[],
): Promise<{ readonly path: string; readonly reason: string } | null> {
  for (const path of paths) {
    const sighting = await lookAtLock(path);
    if (sighting.kind === "corrupt") return { path, reason: sighting.reason };
    if (sighting.kind !== "stale") continue;
    await withLocks({ paths: [path], runId: newRunId(currentTimeMs()) }, () => Promise.resolve());
  }
  return null;
}

async function withJournal(place: RecoveryPlace, gone: readonly Lock[]): Promise<Unready | Mended> {
  const opened = await openMended(place);
  if (opened.kind === "blocked") return opened;
  const { journal, mendedLines } = opened;
  try {
    const step = await recoverAll(place, journal, gone);
    return step.kind === "blocked" ? step : { ...step, mendedLines };
  } catch (error) {
    // What was remembered is lost, or it could not be put back; the journal still says that it is to be done.
    if (error instanceof RollbackError) return notPutBack(error);
    throw error;
  } finally {
    await journal.close();
  }
}

async function recoverAll(
  place: RecoveryPlace,
  journal: Journal,
  gone: readonly Lock[],
): Promise<RecoveryStep | Unready> {
  const lost = gone.find(({ run_id }) => tickRecord(journal.lines(), run_id) === null);
  if (place.abandon && lost !== undefined) return abandonLost(place, journal, lost);
  return recoverLast(place, journal);
}

/** All that is known of it is who it was. */
async function abandonLost(
  place: RecoveryPlace,
  journal: Journal,
  { run_id }: Lock,
): Promise<RecoveryStep | Unready> {
  const { undead } = await reapTick(run_id);
  if (undead.length > 0) return stillRunning(undead);
  const message = "Its lines and what was remembered before it are lost.";
  await abandonTick(journal, { runId: run_id, seriesId: run_id, message });
  const { repository, workspace, config } = place;
  const problems = await publishLines({ repository, workspace, journal, config });
  return { kind: "abandoned", runId: run_id, problems };
}

async function recoverLast(place: RecoveryPlace, journal: Journal): Promise<RecoveryStep | Unready> {
  const records = journal.fold(TickRecords).all();
  const open = records.find(({ endedAt }) => endedAt === null) ?? notPutBackRun(records) ?? undefined;
  const last = open ?? records.at(-1);
  if (last === undefined) return { kind: "nothing", problems: [] };
  const session = await recoverySession(place, journal, last);
  if (session.kind === "blocked") return session;
  if (open === undefined) return { kind: "nothing", problems: await publishLines(session) };
  return recoverOpen(place, session, { open, records });
}

async function recoverOpen(
  place: RecoveryPlace,
  session: TickSession,
  { open, records }: { readonly open: TickRecord; readonly records: readonly TickRecord[] },
): Promise<RecoveryStep | Unready> {
  const elsewhere = otherWorktree(open, place.repository);
  if (elsewhere !== null)
    return isGivenUp(place, open) ? abandonOpen(session, open, elsewhere.message) : elsewhere;
  try {
    return await bringToItsEnd(session, open, records);
  } catch (error) {
    if (!(error instanceof RollbackError) || !place.abandon) throw error;
    return abandonOpen(session, open, error.message);
  }
}

/** From here only a tick whose worktree is gone can be given up. */
function isGivenUp({ abandon }: RecoveryPlace, { state }: TickRecord): boolean {
  return abandon && !isFolder(findStart(state)?.worktree ?? "");
}

async function abandonOpen(
  session: TickSession,
  { runId, seriesId }: TickRecord,
  message: string,
): Promise<RecoveryStep | Unready> {
  await abandonTick(session.journal, { runId, seriesId, message });
  return { kind: "abandoned", runId, problems: await publishLines(session) };
}
