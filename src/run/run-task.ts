/**
 * `relais run --task`: one tick with a task that a person wrote.
 *
 * What is missing or wrong is found in the order of how little it costs: the task, the ground, the builder, the lock,
 * the journal. Until the lock is held nothing is written anywhere.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ScriptPlayer } from "../agents/scripted.ts";
import type { TickEvent } from "../contract/event.ts";
import { InvariantError } from "../contract/invariant.ts";
import { MeasurementError } from "../contract/measurement-error.ts";
import type { Report } from "../contract/report.ts";
import { currentTimeMs } from "../io/clock.ts";
import { commitIdentity } from "../io/commit-identity.ts";
import { openContentStore } from "../io/content-store.ts";
import { errorCode } from "../io/error-code.ts";
import { filterSettings } from "../io/filter-settings.ts";
import { type Journal, openJournal } from "../io/journal.ts";
import { pinHooks } from "../io/pin-hooks.ts";
import { rememberRepository } from "../io/remembered-repository.ts";
import { createRunDirectory, newRunId } from "../io/run-directory.ts";
import { dryRun, type DryRun, type PlanDryRun } from "./dry-run.ts";
import { findGround, type Ground, type Unready } from "./ground.ts";
import { openInPlace } from "./in-place.ts";
import { openWork } from "./open-work.ts";
import { readTaskFile, type TaskFile } from "./read-task.ts";
import { JournalFailure, recordIn, runSession } from "./run-session.ts";
import { journalDamaged } from "./surroundings.ts";
import type { TickSession } from "./tick-session.ts";
import { type LockRefusal, withLocks } from "./with-locks.ts";

export interface RunTaskRequest {
  readonly cwd: string;
  /** Null where the orchestrator is to propose the task. */
  readonly taskFile: string | null;
  /** Find out whether the tick could start, and leave it at that. */
  readonly isDryRun: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly relaisVersion: string;
  /** How to start relais itself as the builder of a scripted session. */
  readonly player: ScriptPlayer;
  readonly renderReport: TickSession["renderReport"];
}

export type TickAnswer =
  | { readonly kind: "ended"; readonly report: Report; readonly problems: readonly string[] }
  | DryRun
  | PlanDryRun
  | Extract<TaskFile, { kind: "misused" }>
  | Unready
  | LockRefusal;

/** Null where the orchestrator plans. */
type GivenTask = Extract<TaskFile, { kind: "task" }> | null;

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
  const given = request.taskFile === null ? null : await readTaskFile(request.taskFile, request.cwd);
  if (given?.kind === "misused") return given;
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

async function tick(opening: Opening, journal: Journal): Promise<TickAnswer> {
  const session = await openSession(opening, journal);
  if (session.kind === "blocked") return session;
  if (opening.request.isDryRun) return dryRun(session, opening.given?.task ?? null);
  const started = startEvent(opening);
  await recordIn(session)(started);
  await runSession(session, [started]);
  const { report, problems } = session.memory;
  if (report === null) throw new InvariantError("a tick ended without a report");
  return { kind: "ended", report, problems };
}

function startEvent({ ground, request }: Opening): TickEvent {
  const { config, configText } = ground;
  return {
    type: "tick_started",
    workflow: "relay",
    relais_version: request.relaisVersion,
    config_sha256: createHash("sha256").update(configText).digest("hex"),
    on_success: config.git.commit === "always" ? "commit" : "accept",
    max_tick_seconds: config.runner.max_tick_seconds,
    worktree: ground.repository.root,
  };
}

async function openSession(
  opening: Opening,
  journal: Journal,
): Promise<(TickSession & { kind: "session" }) | Unready> {
  const { request, given, ground, runId } = opening;
  const { repository, config, stateDirectory } = ground;
  const drivers = { config, repository, player: request.player };
  const work = await openWork(drivers, given?.task ?? null);
  if ("kind" in work) return work;
  await rememberRepository(stateDirectory, repository);
  const settings = await filterSettings(repository, request.signal);
  const runDirectory = await createRunDirectory(stateDirectory, runId, {
    "config.json": ground.configText,
    ...(given === null ? {} : { "task.json": given.taskText }),
  });
  const hooks = config.git.hooks === "run" ? await pinHooks(repository, join(runDirectory, "hooks")) : null;
  return {
    kind: "session",
    repository,
    stateDirectory,
    workspace: ground.workspace,
    config,
    configText: ground.configText,
    runDirectory,
    runId,
    seriesId: runId,
    store: await openContentStore(stateDirectory),
    place: await openInPlace({ repository, stateDirectory, userExcludesFile: settings.excludesFile }),
    settings,
    identity: await commitIdentity(repository, request.signal),
    hooks,
    signal: request.signal,
    deadlineAt: currentTimeMs() + config.runner.max_tick_seconds * 1000,
    journal,
    work,
    memory: { candidate: null, tolerated: [], report: null, problems: [] },
    renderReport: request.renderReport,
  };
}
