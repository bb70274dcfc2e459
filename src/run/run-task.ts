/**
 * `relais run --task`: one tick with a task that a person wrote.
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
import { relayOf } from "../core/workflow/relay.ts";
import { nextWork } from "../core/workflow/workflow.ts";
import { currentTimeMs } from "../io/clock.ts";
import { errorCode } from "../io/error-code.ts";
import { type Journal, openJournal } from "../io/journal.ts";
import { newRunId, removeRunDirectory } from "../io/run-directory.ts";
import { findGround, type Ground, type Unready } from "./ground.ts";
import { openSession, type SessionSources } from "./open-session.ts";
import { rulesOf } from "./perform-judge.ts";
import { performPlan } from "./perform-plan.ts";
import { preflightRefusal } from "./perform-preflight.ts";
import { readTaskFile, type TaskFile } from "./read-task.ts";
import { JournalFailure } from "./run-session.ts";
import { type EndedTick, runWork } from "./run-work.ts";
import { journalDamaged } from "./surroundings.ts";
import type { TickSession } from "./tick-session.ts";
import { type LockRefusal, withLocks } from "./with-locks.ts";

export interface RunTaskRequest extends SessionSources {
  readonly cwd: string;
  readonly taskFile: string;
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
}

export type TickAnswer = EndedTick | DryRun | Extract<TaskFile, { kind: "misused" }> | Unready | LockRefusal;

type GivenTask = Extract<TaskFile, { kind: "task" }>;

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

function cannotGoOn(error: unknown): Unready {
  const message = `relais cannot go on: ${error instanceof Error ? error.message : String(error)}.`;
  const isJournal = error instanceof JournalFailure;
  return {
    kind: "blocked",
    code: isJournal ? "BLOCKED_CRASH_RECOVERY_REQUIRED" : "BLOCKED_MISSING_CONFIG",
    cause: isJournal ? "journal_unwritable" : "cannot_start",
    message,
    problems: [],
  };
}

async function runLocked(request: RunTaskRequest): Promise<TickAnswer> {
  const given = await readTaskFile(request.taskFile, request.cwd);
  if (given.kind === "misused") return given;
  const ground = await findGround(request.cwd, request.environment);
  if (ground.kind === "blocked") return ground;
  const runId = newRunId(currentTimeMs());
  const paths = [ground.lockPath, join(ground.repository.root, ground.config.runner.lockfile)];
  const locked = await withLocks({ paths, runId }, () => withJournal({ request, given, ground, runId }));
  return locked.kind === "done" ? locked.value : locked;
}

interface Opening {
  readonly request: RunTaskRequest;
  readonly given: GivenTask;
  readonly ground: Ground;
  readonly runId: string;
}

async function withJournal(opening: Opening): Promise<TickAnswer> {
  const { ground } = opening;
  const path = join(ground.stateDirectory, "journal.jsonl");
  const opened = await openJournal({ path, ledger: join(ground.workspace, "ledger.jsonl") });
  if (opened.kind === "corrupt") return journalDamaged(opened);
  try {
    return await tick(opening, opened.journal);
  } finally {
    await opened.journal.close();
  }
}

async function tick({ request, given, ground, runId }: Opening, journal: Journal): Promise<TickAnswer> {
  const workflow = relayOf(given.task, ground.config);
  const next = nextWork(workflow, { lines: journal.lines(), seriesId: runId });
  if (next.kind === "end") throw new InvariantError("a series ended before it began");
  const { work } = next;
  const opened = await openSession({ ...request, ground, runId, seriesId: runId, work, journal });
  if (opened.kind === "blocked") return opened;
  if (request.isDryRun) return dryRun(given.task, opened.session);
  return runWork(opened.session, { workflow: workflow.name, work, relaisVersion: request.relaisVersion });
}

/** Asks the same questions as a tick would, in the same order, and records nothing. */
async function dryRun(task: Task, session: TickSession): Promise<DryRun> {
  const refused = await preflightRefusal(session);
  const plan = refused === null ? performPlan(session) : { type: "refused" as const, ...refused };
  await removeRunDirectory(session.runDirectory);
  return {
    kind: "dry",
    refusal: plan.type === "refused" ? { code: plan.code, cause: plan.cause, message: plan.message } : null,
    rules: rulesOf(session, task),
    checks: [...(task.verification?.fast ?? []), ...(task.verification?.slow ?? [])],
    builder: session.work?.builder?.driver.name ?? "none",
  };
}
