/**
 * `relais run`: one tick with a task that a person wrote, or with a patch that a task is made of.
 *
 * What is missing or wrong is found in the order of how little it costs: the task, the ground, the builder, the lock,
 * the journal. Until the lock is held nothing is written anywhere.
 */
import { join } from "node:path";
import type { Code } from "../contract/codes.ts";
import type { Rules } from "../contract/evidence.ts";
import { InvariantError } from "../contract/invariant.ts";
import { MeasurementError } from "../contract/measurement-error.ts";
import type { Task } from "../contract/task.ts";
import { patchOf } from "../core/patch-of.ts";
import { relayOf } from "../core/workflow/relay.ts";
import { nextWork } from "../core/workflow/workflow.ts";
import { workspaceState } from "../core/workspace-state.ts";
import { currentTimeMs } from "../io/clock.ts";
import { errorCode } from "../io/error-code.ts";
import { type Journal, openJournal } from "../io/journal.ts";
import { newRunId, removeRunDirectory } from "../io/run-directory.ts";
import { cannotGoOn } from "./cannot-go-on.ts";
import { foreseeChange, type ForeseenChange } from "./foresee-change.ts";
import { findGround, type Ground, type Unready } from "./ground.ts";
import { openSession, type SessionSources } from "./open-session.ts";
import { type PatchSource, patchTask, type PatchText, readPatch } from "./patch-task.ts";
import { rulesOf } from "./perform-judge.ts";
import { performPlan } from "./perform-plan.ts";
import { preflightRefusal } from "./perform-preflight.ts";
import { readTaskFile, type TaskFile } from "./read-task.ts";
import { type EndedTick, runWork } from "./run-work.ts";
import { journalDamaged } from "./surroundings.ts";
import type { TickSession } from "./tick-session.ts";
import { incompleteJournal, lockPathsOf } from "./incomplete-journal.ts";
import { type LockRefusal, type NoteInLocks, withLocks } from "./with-locks.ts";

export interface RunTaskRequest extends SessionSources {
  readonly cwd: string;
  /** A file with the task, or a patch to make one of. */
  readonly taskFile: string | PatchSource;
  /** Find out whether the tick could start, and leave it at that. */
  readonly isDryRun: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly relaisVersion: string;
}

/** What a tick would begin with, or why it would not begin. */
export interface DryRun {
  readonly kind: "dry";
  readonly refusal: {
    readonly code: Code;
    readonly cause: string | null;
    readonly message: string | null;
  } | null;
  readonly rules: Rules;
  readonly checks: readonly string[];
  readonly builder: string;
  /** What a patch would change; null where nothing can be foreseen. */
  readonly foreseen: ForeseenChange | null;
}

export type TickAnswer = EndedTick | DryRun | Extract<TaskFile, { kind: "misused" }> | Unready | LockRefusal;

type GivenTask = Extract<TaskFile, { kind: "task" }>;
type Given = GivenTask | PatchText;

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
  const given =
    typeof request.taskFile === "string"
      ? await readTaskFile(request.taskFile, request.cwd)
      : await readPatch(request.taskFile, request.cwd);
  if (given.kind === "misused") return given;
  const ground = await findGround(request.cwd, request.environment);
  if (ground.kind === "blocked") return ground;
  const incomplete = await incompleteJournal(ground);
  if (incomplete !== null) return incomplete;
  const runId = newRunId(currentTimeMs());
  const paths = lockPathsOf(ground);
  const locked = await withLocks({ paths, runId }, (noteInLocks) =>
    withJournal({ request, given, ground, runId, noteInLocks }),
  );
  return locked.kind === "done" ? locked.value : locked;
}

interface Opening {
  readonly request: RunTaskRequest;
  readonly given: GivenTask;
  readonly ground: Ground;
  readonly runId: string;
  readonly noteInLocks: NoteInLocks;
}

async function withJournal(opening: Omit<Opening, "given"> & { readonly given: Given }): Promise<TickAnswer> {
  const { ground } = opening;
  const path = join(ground.stateDirectory, "journal.jsonl");
  const opened = await openJournal({ path, ledger: join(ground.workspace, "ledger.jsonl") });
  if (opened.kind === "corrupt") return journalDamaged(opened);
  try {
    const given = taskOf(opening.given, ground, opened.journal);
    return given.kind === "misused" ? given : await tick({ ...opening, given }, opened.journal);
  } finally {
    await opened.journal.close();
  }
}

function taskOf(given: Given, { config }: Ground, journal: Journal): TaskFile {
  if (given.kind === "task") return given;
  return patchTask(given, { config, state: workspaceState(journal.lines(), config.budgets) });
}

async function tick(opening: Opening, journal: Journal): Promise<TickAnswer> {
  const { request, given, ground, runId, noteInLocks } = opening;
  const workflow = relayOf(given.task, ground.config);
  const next = nextWork(workflow, { lines: journal.lines(), seriesId: runId });
  if (next.kind === "end") throw new InvariantError("a series ended before it began");
  const { work } = next;
  const place = { ground, runId, seriesId: runId, noteInLocks };
  const opened = await openSession({ ...request, ...place, work, journal });
  if (opened.kind === "blocked") return opened;
  if (request.isDryRun) return dryRun(given.task, opened.session);
  return runWork(opened.session, { workflow: workflow.name, work, relaisVersion: request.relaisVersion });
}

/** Asks the same questions as a tick would, in the same order, and records nothing. */
async function dryRun(task: Task, session: TickSession): Promise<DryRun> {
  const refused = await preflightRefusal(session);
  const plan = refused === null ? performPlan(session) : { type: "refused" as const, ...refused };
  const foreseen = plan.type === "planned" ? await foreseeChange(session, task) : null;
  await removeRunDirectory(session.runDirectory);
  const { code, cause, message } = plan.type === "refused" ? plan : (foreseen?.refusal ?? NO_REFUSAL);
  return {
    kind: "dry",
    refusal: code === null ? null : { code, cause, message },
    rules: rulesOf(session, task),
    checks: checksOf(task),
    builder: builderOf(session, task),
    foreseen: foreseen?.change ?? null,
  };
}

const NO_REFUSAL = { code: null, cause: null, message: null } as const;

function checksOf({ verification }: Task): readonly string[] {
  return verification === undefined ? [] : [...verification.fast, ...verification.slow];
}

function builderOf({ work }: TickSession, task: Task): string {
  return patchOf(task) === null ? (work?.builder?.driver.name ?? "none") : "patch";
}
