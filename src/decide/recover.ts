/**
 * `relais recover`: finishes an interrupted tick.
 *
 * Lost lines of the journal are restored from their copies first. A tick that was
 * settled only needs its report; every other one is rolled back to T0, with the
 * work saved in salvage. The configuration is that of the tick, because the one in the repository may be
 * part of the damage. Where no tick was interrupted, the documents of the workspace are written again. Places of ended
 * ticks and temporary folders of killed processes are removed.
 *
 * If a rollback fails, a person may abandon the tick (`--abandon`), which touches nothing in the repository.
 */
import type { Recovery, RecoveryStep } from "../records/recovery.ts";
import { findStart } from "../tick/pure/tick-facts.ts";
import type { CommandFailure, NotReady } from "../records/command-failure.ts";
import type { Lock } from "../records/lock.ts";
import { RollbackError } from "../base/rollback-error.ts";
import { findNotPutBackRun, findUnfinishedRun } from "../journal/pure/journal-runs.ts";
import { findTickRecord, type TickRecord, TickRecords } from "../tick/pure/tick-records.ts";
import { isFolder } from "../system/read-files.ts";
import { locateTemporaryRoot } from "../system/temporary-folder.ts";
import { removeLeftFolders } from "../system/own-folders.ts";
import { removePlaces } from "../sandbox/place-folder.ts";
import { reapTick } from "../process/reap-session.ts";
import { locateSandboxes } from "../sandbox/sandbox.ts";

import { finishInterruptedTick, refuseNotPutBack, findOtherWorktree, refuseStillRunning } from "./finish-tick.ts";
import { type RecoverRequest, openRecoverySession, type RecoveryWork } from "./recovery-session.ts";
import { listUnprovenPlaces, refuseUnproven } from "./refuse-unproven.ts";
import { clearAttempts } from "../tick/prompt-files.ts";
import type { OpenTick } from "../tick/running-tick.ts";
import { publishAgain } from "../tick/perform-report.ts";
import { publishLines } from "../workspace/publish.ts";
import { foldJournalEnd } from "../workspace/read-workspace.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { appendEvent, type BrokenWorkspace, type TickIds } from "../workspace/workspace.ts";
import { findNext } from "../tick/pure/find-next.ts";
import type { Journal } from "../journal/journal.ts";

export function recover(request: RecoverRequest): Promise<Recovery | CommandFailure> {
  return withWorkspace(request, "recover", async (workspace): Promise<Recovery | NotReady> => {
    const step = await recoverAll({ request, workspace });
    if (step.kind === "blocked") return step;
    // The work of an abandoned tick may still be in its place.
    if (step.kind !== "abandoned") await removePlaces(workspace.stateDirectory);
    await clearAttempts(workspace.stateDirectory);
    const { environment } = request;
    for (const folder of [workspace.stateDirectory, locateTemporaryRoot(environment), locateSandboxes()])
      removeLeftFolders(folder);
    // A rollback also restores the lock of the killed process.
    const damagedLock = await workspace.clearStaleLocks();
    return { ...step, mendedLines: workspace.restoredLines, damagedLock };
  });
}

async function recoverAll(work: RecoveryWork): Promise<RecoveryStep | NotReady> {
  const { request, workspace } = work;
  const lines = workspace.journal.lines();
  const lost = workspace.goneHolders.find(({ run_id }) => findTickRecord(lines, run_id) === null);
  try {
    return request.abandon && lost !== undefined ? await abandonLost(workspace, lost) : await recoverLast(work);
  } catch (error) {
    // The journal still says that the rollback is to be done.
    if (error instanceof RollbackError) return refuseNotPutBack(error);
    throw error;
  }
}

/** Only its lock is known. */
async function abandonLost(workspace: BrokenWorkspace, { run_id }: Lock): Promise<RecoveryStep | NotReady> {
  const { undead } = await reapTick(run_id);
  if (undead.length > 0) return refuseStillRunning(undead);
  const message = "Its journal and its snapshot are lost.";
  await abandonTick(workspace.journal, { runId: run_id, seriesId: run_id }, message);
  return { kind: "abandoned", runId: run_id, problems: await publishLines(workspace) };
}

async function recoverLast(work: RecoveryWork): Promise<RecoveryStep | NotReady> {
  const records = work.workspace.journal.fold(TickRecords).all();
  const open = records.find(({ endedAt }) => endedAt === null) ?? findNotPutBackRun(records) ?? undefined;
  const last = open ?? records.at(-1);
  if (last === undefined) return { kind: "nothing", problems: [] };
  const session = await openRecoverySession(work, last);
  if (session.kind === "blocked") return session;
  if (open === undefined) {
    const steps = await listUnprovenPlaces(session);
    if (steps.length > 0 && !(await work.request.allowSteps(steps))) return refuseUnproven(last.runId, steps);
    return { kind: "nothing", problems: await publishAgain(session, last) };
  }
  return recoverOpen(work.request, session, { open, records });
}

async function recoverOpen(
  { abandon, allowSteps }: RecoverRequest,
  session: OpenTick,
  { open, records }: { readonly open: TickRecord; readonly records: readonly TickRecord[] },
): Promise<RecoveryStep | NotReady> {
  const elsewhere = findOtherWorktree(open, session.where.repository);
  if (elsewhere !== null) {
    // From another worktree, a tick can be abandoned only if its own worktree is gone.
    const isGone = abandon && !isFolder(findStart(open.state)?.worktree ?? "");
    return isGone ? abandonOpen(session, open, elsewhere.message) : elsewhere;
  }
  try {
    const step = await finishInterruptedTick(session, { open, records, allowSteps });
    // A person who does not want the rollback needs another way out, too.
    return isGivenUp(step, abandon) ? await abandonOpen(session, open, step.message) : step;
  } catch (error) {
    if (!(error instanceof RollbackError) || !abandon) throw error;
    return abandonOpen(session, open, error.message);
  }
}

function isGivenUp(step: RecoveryStep | NotReady, abandon: boolean): step is NotReady {
  return abandon && step.kind === "blocked" && step.rollback !== undefined;
}

async function abandonOpen(session: OpenTick, record: TickRecord, message: string): Promise<RecoveryStep> {
  await abandonTick(session.record.journal, record, message);
  return {
    kind: "abandoned",
    runId: record.runId,
    problems: await publishLines({ ...session.where, ...session.tick, ...session.record }),
  };
}

/** Records that a person abandoned a tick. Nothing in the repository is touched. */
async function abandonTick(journal: Journal, ids: TickIds, message: string): Promise<void> {
  await appendEvent(journal, ids, { type: "abandoned", message });
  const state = findTickRecord(journal.lines(), ids.runId)?.state;
  if (state === undefined || state.phase === "done") return;
  const next = findNext(state);
  if ("event" in next) await appendEvent(journal, ids, next.event);
}

/** `runId` is the recovered tick. */
interface Cleared {
  readonly kind: "cleared";
  readonly runId: string | null;
}

/** Recovers an interrupted tick before a series starts or continues. */
export async function recoverFirst(
  request: Omit<RecoverRequest, "abandon" | "allowSteps">,
): Promise<Cleared | CommandFailure> {
  if ((await foldJournalEnd(request)) !== null) return { kind: "cleared", runId: null };
  const needed = await withSnapshot(request, ({ lines, missingLines }) => ({
    kind: "known" as const,
    isNeeded: findUnfinishedRun(lines) !== null || missingLines > 0,
  }));
  if (needed.kind !== "known") return needed;
  if (!needed.isNeeded) return { kind: "cleared", runId: null };
  const recovery = await recover({ ...request, abandon: false, allowSteps: () => Promise.resolve(false) });
  if (recovery.kind === "blocked" || recovery.kind === "refused") return recovery;
  return { kind: "cleared", runId: recovery.kind === "nothing" ? null : recovery.runId };
}
