import { join } from "node:path";
import type { Attempt, Attempts } from "../records/attempts.ts";
import { Report } from "../records/report.ts";
import type { Task } from "../records/task.ts";
import { foldLines } from "../records/folded-lines.ts";
import { parseWith } from "../base/schema-error.ts";
import { readProgress } from "../journal/pure/rate-limit.ts";
import { describeReported, NOTHING_MADE, sumUsage } from "../tick/pure/attempt-report.ts";
import type { StateIn, TickState } from "../tick/pure/tick-state.ts";
import { readLastDocument } from "../process/children.ts";
import { readJournal } from "../journal/read-journal.ts";
import { hasRepository, locateJobFolder } from "../journal/job-folder.ts";
import { findStateDirectory } from "../journal/state-directory.ts";
import { importWork } from "../keep/import-work.ts";
import { adoptWork } from "../keep/keep-work.ts";
import { locateAttempts } from "../tick/prompt-files.ts";
import type { OpenTick } from "../tick/running-tick.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import type { RecoveryStep, RescuedFiles } from "../records/recovery.ts";
import {
  findJudgement,
  findPrepared,
  findRollbackFailure,
  findSettled,
  findTask,
  findStart,
} from "../tick/pure/tick-facts.ts";
import type { TickEvent } from "../records/event.ts";
import { describeError } from "../base/errors.ts";
import type { TickRecord } from "../tick/pure/tick-records.ts";
import { readClockMs } from "../system/clock.ts";
import { reapTick } from "../process/reap-session.ts";
import { createRunId } from "../journal/run-directory.ts";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import { listSalvageRules } from "../tick/perform-settle.ts";
import { publishLines } from "../workspace/publish.ts";
import { publishEnd } from "../tick/perform-report.ts";
import { runTick } from "../tick/tick.ts";
import { makeTickPorts } from "../tick/tick-ports.ts";
import { keepSalvage } from "../keep/salvage.ts";
import { clearHeldOut } from "../journal/trial-note.ts";
import { readRecordedEvidence } from "../journal/recorded-evidence.ts";
import type { Evidence } from "../records/evidence.ts";
import { rescueFiles } from "../store/rescue.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { RollbackError } from "../base/rollback-error.ts";
import { listDirtyPaths } from "../git/git-status.ts";
import type { Repository } from "../git/repository-layout.ts";
import { appendEvent } from "../workspace/workspace.ts";
import { requireRecovery } from "../workspace/journal-state.ts";
import type { RecoverRequest } from "./recovery-session.ts";
import { listUnprovenSteps, refuseUnproven } from "./refuse-unproven.ts";

/**
 * What the attempts of a killed tick left in their places: the work of those that had finished goes to salvage, and what
 * all of them cost is known. Their processes are gone by now; their places are removed later.
 */

interface LeftAttempts {
  readonly attempts: Attempts;
  readonly usage: Attempt["usage"];
}

/** Null where there was one session only. */
export async function takeLeftAttempts(session: OpenTick, state: StateIn<"build">): Promise<LeftAttempts | null> {
  const { attempts: count, tasks: ids } = state.building;
  if (count === undefined) return null;
  const known = [state.task, ...(state.also ?? [])];
  const list: Attempt[] = [];
  for (let number = 1; number <= count; number++) {
    const id = ids?.[number - 1];
    const task = known.find(({ task_id }) => task_id === id) ?? state.task;
    const left = await takeOne(session, number, state.building.driver, task);
    list.push(id === undefined ? left : { ...left, task_id: id });
  }
  return { attempts: { list, chosen: null, rule: null }, usage: sumUsage(list.map(({ usage }) => usage)) };
}

async function takeOne(session: OpenTick, number: number, agent: Attempt["agent"], task: Task): Promise<Attempt> {
  const {
    tick: { runId },
    where: { stateDirectory, repository, store },
  } = session;
  const place = locateJobFolder(join(locateAttempts(stateDirectory, runId), String(number)));
  const begun = { number, agent, durationMs: 0 };
  const unfinished = {
    number,
    agent,
    duration_ms: 0,
    verdict: "stop",
    code: "STOP_INTERRUPTED",
    salvaged: false,
  } as const;
  if (!hasRepository(place)) return { ...NOTHING_MADE, ...unfinished };
  const environment = { ...repository.environment, XDG_STATE_HOME: place.state };
  const own = await locateRepository({ cwd: place.repo, environment }, { needsGit: false });
  if (own.kind === "blocked") return { ...NOTHING_MADE, ...unfinished };
  const state = { stateDirectory: findStateDirectory(own, environment).path, environment };
  const parsed = parseWith(Report, readLastDocument(join(place.folder, "attempt.out")));
  if (parsed.kind !== "valid")
    return { ...NOTHING_MADE, ...unfinished, ...(await readCost(join(state.stateDirectory, "journal.jsonl"))) };
  const report = parsed.value;
  const work = await importWork(state, report, store);
  if (work !== null) await adoptWork(store, stateDirectory, { ...work, task });
  return { ...describeReported({ ...begun, durationMs: report.duration_ms }, report), salvaged: work !== null };
}

/** Its own journal counts what was spent before the kill. */
async function readCost(path: string): Promise<Pick<Attempt, "usage" | "reviewer_calls">> {
  const read = await readJournal(path);
  const { spent } = readProgress(foldLines(read.kind === "read" ? read.lines : []));
  const tokens = { input_tokens: null, cached_input_tokens: null, output_tokens: null };
  return {
    usage: spent.dollars === 0 ? null : { ...tokens, cost_usd: spent.dollars },
    reviewer_calls: Math.max(0, spent.sessions - 1),
  };
}

/** Recovers one tick of the journal: rolls it back if needed, and records its end. */

interface Interrupted {
  readonly open: TickRecord;
  readonly records: readonly TickRecord[];
  readonly allowSteps: RecoverRequest["allowSteps"];
}

/** A settled tick is only reported. */
export async function finishInterruptedTick(session: OpenTick, tick: Interrupted): Promise<RecoveryStep | NotReady> {
  const { undead } = await reapTick(tick.open.runId);
  if (undead.length > 0) return refuseStillRunning(undead);
  try {
    return await finishTick(session, tick);
  } finally {
    // `recover` removes the place when nothing is to be asked or repeated.
    await session.where.place.close(true);
  }
}

async function finishTick(
  session: OpenTick,
  { open, records, allowSteps }: Interrupted,
): Promise<RecoveryStep | NotReady> {
  const restored = !isSealed(open);
  const evidence = restored ? await resumeWorkplace(session, open, records) : null;
  const steps = await listUnprovenSteps(session, open, evidence, restored);
  if (steps.length > 0 && !(await allowSteps(steps))) return refuseUnproven(open.runId, steps);
  if (restored && findPrepared(open.state) !== null && session.where.place.isolation !== "in_place")
    await revertMerge(session, open.state);
  const rescued = evidence === null ? null : tryRescue(session, evidence);
  // A tick may also have been interrupted after its own rollback failed.
  if (findRollbackFailure(open.state) !== null) {
    const again = await rollBackAgain(session, open);
    await runToEnd(session, open);
    return recordRollback(session, { ...again, rescued });
  }
  await runToEnd(session, open);
  const { report, problems } = session.left;
  return { kind: "recovered", runId: open.runId, restored, report, problems, rescued };
}

async function runToEnd(session: OpenTick, open: TickRecord): Promise<void> {
  if (open.endedAt !== null) return;
  await runTick(makeTickPorts(session), [...open.events, ...(await recordCrash(session, open))]);
  await publishEnd(session);
}

/** The target is T0, plus the history of ticks that were refused since. */
async function resumeWorkplace(
  session: OpenTick,
  { state, firstSeq, events }: TickRecord,
  records: readonly TickRecord[],
): Promise<Evidence | null> {
  const prepared = findPrepared(state);
  if (prepared === null) return null;
  const {
    tick: { config },
    where: { place, change },
  } = session;
  const since = records.filter((record) => record.firstSeq > firstSeq);
  const spared = since.map(({ runId }) => `${config.history.dir}/${runId}`);
  try {
    await session.where.recovery.resume(prepared.prepared.observation_sha256, spared);
  } catch (error) {
    if (!(error instanceof RollbackError) || !(await isUntouched(session, events))) throw error;
    await change.prepare();
  }
  clearHeldOut(session.where.runDirectory, place.tree);
  if (place.isolation !== "in_place") return null;
  return change
    .collect(listSalvageRules(session, findTask(state)), "unchanged")
    .then(({ evidence }) => evidence)
    .catch(reportUnsaved(session));
}

/** The lines of a tick that started no session: one may be refused before it, or judged and checked if it only verifies. */
const WITHOUT_SESSION: ReadonlySet<string> = new Set<TickEvent["type"]>([
  "tick_started",
  "preflight_passed",
  "prepared",
  "planned",
  "baselined",
  "judged",
  "verified",
  "refused",
  "reported",
  "interrupted",
]);

/** A recovery that was stopped has begun a rollback, and changed nothing. */
function isWithoutSession(event: TickEvent): boolean {
  return WITHOUT_SESSION.has(event.type) || (event.type === "settle_started" && event.action === "rollback");
}

/**
 * Before the first session nothing waits for the disk, so a power cut may keep these lines and take the observation. Then
 * nothing is to be restored, if git says so too: a builder could have removed lines and observation together.
 */
async function isUntouched(
  { where: { place, repository }, pinned: { settings } }: OpenTick,
  events: readonly TickEvent[],
): Promise<boolean> {
  if (place.isolation !== "in_place" || !events.every(isWithoutSession)) return false;
  return (await listDirtyPaths({ repository, settings })).length === 0;
}

/** The worktree has changed only where a crash interrupted the merge of the judged change. */
async function revertMerge(
  { where: { recovery, runDirectory }, left: memory }: OpenTick,
  state: TickState,
): Promise<void> {
  const judged = findJudgement(state);
  if (judged === null) {
    await recovery.revertMerge(null);
    return;
  }
  const read = await readRecordedEvidence(runDirectory, judged.evidence_sha256);
  if (read.kind === "damaged") throw new RollbackError("the evidence of the tick is lost", [read.path]);
  memory.problems = [...memory.problems, ...(await recovery.revertMerge(read.evidence))];
}

function tryRescue(session: OpenTick, evidence: Evidence): RescuedFiles | null {
  try {
    return rescueIgnored(session, evidence);
  } catch (error) {
    return reportUnsaved(session)(error);
  }
}

/** A change that cannot be saved is reported, and reverted all the same. */
function reportUnsaved({ left: memory }: OpenTick): (error: unknown) => null {
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
async function recordCrash(session: OpenTick, { state }: TickRecord): Promise<readonly TickEvent[]> {
  if (state.phase === "report" || state.phase === "end") return [];
  const crash = { code: "STOP_INTERRUPTED", cause: "crash", message: null } as const;
  const left = state.phase === "build" ? await takeLeftAttempts(session, state) : null;
  const event: TickEvent = left === null ? { type: "interrupted", ...crash } : { type: "refused", ...crash, ...left };
  await appendEvent(session.record.journal, session.tick, event);
  return [event];
}

interface RepeatedRollback {
  /** Where the work is that it reverted. */
  readonly salvage: string | null;
  readonly unkept: readonly string[];
}

/** A rollback that failed earlier. Nothing is recorded unless it succeeds now. */
async function rollBackAgain(session: OpenTick, { state }: TickRecord): Promise<RepeatedRollback> {
  const {
    where: { store, stateDirectory, change, settlement },
  } = session;
  // Under its own id: a person may have worked here since, and the tick's work is saved already.
  const runId = createRunId(readClockMs());
  const kept = await change
    .collect(listSalvageRules(session, findTask(state)), "unchanged")
    .then(({ evidence }) => keepSalvage({ store, stateDirectory, runId, code: "BLOCKED_ROLLBACK_FAILED", evidence }))
    .catch(reportUnsaved(session));
  await settlement.reopen().catch(() => null);
  const unkept = await settlement.discard();
  return { salvage: kept === null || kept.files.length === 0 ? null : runId, unkept };
}

/** After the end of the tick, which still says that the rollback failed. */
async function recordRollback(
  session: OpenTick,
  { salvage, unkept, rescued }: RepeatedRollback & { readonly rescued: RescuedFiles | null },
): Promise<RecoveryStep> {
  await appendEvent(session.record.journal, session.tick, {
    type: "settled",
    action: "rollback",
    commit: null,
    branch: null,
    salvage,
  });
  const problems = [
    ...session.left.problems,
    ...unkept,
    ...(await publishLines({ ...session.where, ...session.tick, ...session.record })),
  ];
  return { kind: "recovered", runId: session.tick.runId, restored: true, report: null, problems, rescued };
}

/**
 * Copies the ignored files that a recovery removes or overwrites.
 *
 * Salvage leaves ignored files out, because a builder creates thousands. Between a crash and its recovery they
 * may also be a person's, a new `.env` for instance. So copies go into the state directory,
 * which only its owner can read.
 */
function rescueIgnored(
  { tick: { config }, where: { repository, stateDirectory } }: OpenTick,
  { changes }: Evidence,
): RescuedFiles | null {
  const files = changes.flatMap((change) => {
    const isOurs = change.path.startsWith(`${config.workspace_dir}/`);
    if (change.standing !== "ignored" || isOurs || change.after?.type !== "file") return [];
    return [{ path: decodeChangePath(change), size: change.after.size }];
  });
  if (files.length === 0) return null;
  const folder = join(stateDirectory, "rescued", "files", createRunId(readClockMs()));
  const kept = rescueFiles(repository.root, folder, files);
  return { folder, kept, total: files.length };
}

export function refuseNotPutBack({ message, differences }: RollbackError): NotReady {
  return {
    ...refuseNotReady("rollback_failed", `${message}.`),
    code: "BLOCKED_ROLLBACK_FAILED",
    problems: differences,
    remedy:
      "Fix that and run `relais recover` again. If you cannot, `relais recover --abandon` leaves the files as they are and unblocks relais.",
  };
}

/** The observation of one worktree must never be restored over another. */
export function findOtherWorktree({ runId, state }: TickRecord, { root }: Repository): NotReady | null {
  const worktree = findStart(state)?.worktree ?? root;
  if (worktree === root) return null;
  const message = `The tick ${runId} was interrupted in another worktree, ${worktree}.`;
  const remedy = `Run \`relais recover\` there: cd ${worktree}. If that worktree is deleted, run \`relais recover --abandon\`.`;
  return requireRecovery("other_worktree", message, remedy);
}

/** No rollback while processes of the tick still run. */
export function refuseStillRunning(undead: readonly { readonly pid: number; readonly command: string }[]): NotReady {
  const names = undead.map(({ pid, command }) => `${pid} (${command})`).join(", ");
  const message = `Processes of the interrupted tick still run: ${names}.`;
  return requireRecovery("processes_survived", message, "Stop them, then run `relais recover` again.");
}
