/**
 * `relais run`: one tick, whose task a person wrote, or is made of a patch, or is proposed by the orchestrator.
 *
 * What is missing or wrong is found in the order of how little it costs: the task, the ground, the builder, the lock,
 * the journal. Until the lock is held nothing is written anywhere.
 */
import { join } from "node:path";
import type { Environment } from "../../contract/values/environment.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { tickNotification } from "../../core/history/notification.ts";
import { relayOf } from "../../core/workflow/relay.ts";
import { nextWork } from "../../core/workflow/workflow.ts";
import { WorkspaceFold } from "../../core/history/workspace-state.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { errorCode } from "../../io/files/error-code.ts";
import { type Journal, openJournal } from "../../io/journal/journal.ts";
import { newRunId } from "../../io/workspace/run-directory.ts";
import { cannotGoOn } from "../workspace/cannot-go-on.ts";
import { dryRun, type DryRun, type PlanDryRun } from "./dry-run.ts";
import { findGround, type Ground, type Unready } from "../workspace/ground.ts";
import { notify } from "../workspace/notify.ts";
import { openSession, type SessionSources } from "./open-session.ts";
import { patchTask } from "./patch-task.ts";
import { type PatchSource, type PatchText, readPatch } from "./read-patch.ts";
import { readTaskFile, type TaskFile } from "./read-task.ts";
import { type EndedTick, runWork } from "./run-work.ts";
import { tellOpened } from "./tell-recorded.ts";
import { journalUnusable } from "../workspace/unusable-journal.ts";
import { incompleteJournal, lockPathsOf } from "../workspace/incomplete-journal.ts";
import { type LockRefusal, type NoteInLocks, withLocks } from "../workspace/with-locks.ts";

export interface RunTaskRequest extends SessionSources {
  readonly cwd: string;
  /** A file with the task, or a patch to make one of; null where the orchestrator is to propose the task. */
  readonly taskFile: string | PatchSource | null;
  /** Find out whether the tick could start, and leave it at that. */
  readonly isDryRun: boolean;
  readonly environment: Environment;
  readonly relaisVersion: string;
}

/** A tick that is over, with the locks released. */
interface FinishedTick extends EndedTick {
  /** Tells the person's own program of it; answers with a warning where that did not work. */
  readonly notify: () => Promise<string | null>;
}

type Answer = EndedTick | DryRun | PlanDryRun | Misused | Unready;
export type TickAnswer = FinishedTick | Exclude<Answer, EndedTick> | LockRefusal;

type Misused = Extract<TaskFile, { kind: "misused" }>;

type GivenTask = Extract<TaskFile, { kind: "task" }>;
/** Null where the orchestrator plans. */
type Given = GivenTask | PatchText | null;

/**
 * Runs one tick. What keeps it from beginning is an answer; so is a journal that cannot be written, because then nothing
 * more may be done: what was recorded so far tells `relais recover` what to put back.
 */
export async function runTask(request: RunTaskRequest): Promise<TickAnswer> {
  try {
    return await runLocked(request);
  } catch (error) {
    if (error instanceof MeasurementError || errorCode(error) !== null) return cannotGoOn(error);
    throw error;
  }
}

async function runLocked(request: RunTaskRequest): Promise<TickAnswer> {
  const given = await readGiven(request);
  if (given?.kind === "misused") return given;
  const ground = await findGround(request.cwd, request.environment);
  if (ground.kind === "blocked") return ground;
  const incomplete = await incompleteJournal(ground);
  if (incomplete !== null) return incomplete;
  const runId = newRunId(currentTimeMs());
  const paths = lockPathsOf(ground);
  const locked = await withLocks({ paths, runId }, (noteInLocks) =>
    withJournal({ request, given, ground, runId, noteInLocks }),
  );
  if (locked.kind !== "done") return locked;
  return locked.value.kind === "ended" ? finished(locked.value, ground, request) : locked.value;
}

function finished(
  ended: EndedTick,
  { config, repository }: Ground,
  { environment, signal }: RunTaskRequest,
): FinishedTick {
  const notification = tickNotification(ended.report, repository.root);
  return { ...ended, notify: () => notify({ config, environment, signal }, notification) };
}

async function readGiven({ taskFile, cwd }: RunTaskRequest): Promise<Given | Misused> {
  if (taskFile === null) return null;
  return typeof taskFile === "string" ? readTaskFile(taskFile, cwd) : readPatch(taskFile, cwd);
}

interface Opening {
  readonly request: RunTaskRequest;
  readonly given: GivenTask | null;
  readonly ground: Ground;
  readonly runId: string;
  readonly noteInLocks: NoteInLocks;
}

async function withJournal(opening: Omit<Opening, "given"> & { readonly given: Given }): Promise<Answer> {
  const { ground } = opening;
  const path = join(ground.stateDirectory, "journal.jsonl");
  const opened = await openJournal({ path, ledger: join(ground.workspace, "ledger.jsonl") });
  if (opened.kind !== "open") return journalUnusable(opened);
  try {
    const given = taskOf(opening.given, ground, opened.journal);
    return given?.kind === "misused" ? given : await tick({ ...opening, given }, opened.journal);
  } finally {
    await opened.journal.close();
  }
}

function taskOf(given: Given, { config }: Ground, journal: Journal): TaskFile | null {
  if (given === null || given.kind === "task") return given;
  return patchTask(given, { config, state: journal.fold(WorkspaceFold).state(config.budgets) });
}

async function tick(opening: Opening, journal: Journal): Promise<Answer> {
  const { request, given, ground, runId, noteInLocks } = opening;
  const task = given?.task ?? null;
  const workflow = relayOf(task, ground.config);
  const next = nextWork(workflow, { lines: journal.lines(), seriesId: runId });
  if (next.kind !== "work") throw new InvariantError("a series ended before it began");
  const work = {
    ...next.work,
    isOwnPatch: typeof request.taskFile === "object" && request.taskFile !== null,
  };
  const place = { ground, runId, seriesId: runId, noteInLocks };
  const opened = await openSession({ ...request, ...place, work, journal });
  if (opened.kind === "blocked") return opened;
  if (request.isDryRun) return dryRun(opened.session);
  tellOpened(request.emit, { seriesId: runId, lines: journal.lines() });
  return runWork(opened.session, { workflow: workflow.name, work, relaisVersion: request.relaisVersion });
}
