/** The way into the workspace: locks, the journal, the configuration and HEAD. */
import type { NotReady } from "../../../../src/records/command-failure.ts";
import type { Lock } from "../../../../src/records/lock.ts";
import { foldEnd, foldShared } from "../../../../src/records/folded-lines.ts";
import type { Repository } from "../../../../src/git/repository-layout.ts";
import type { JournalOpened } from "../../../../src/journal/journal.ts";
import type { FoldedWorkspace } from "../../../../src/workspace/read-workspace.ts";
import type {
  BrokenWorkspace,
  NoteInLocks,
  OpenedWorkspace,
  Workspace,
  WorkspaceSnapshot,
} from "../../../../src/workspace/workspace.ts";
import { type ModelSummary, openModelJournal } from "../journal-disk.ts";
import { readModelConfig } from "../model-config.ts";
import { makePlace } from "../place-model.ts";
import { BRANCH, ROOT } from "../repository-model.ts";
import { getWorld } from "../stage.ts";
import type { SimulatedProcess } from "../world.ts";

interface Caller {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const STATE = "/state";
const LOCK = "/state/lock.json";

/** The process that opens something next: a command takes its locks right after it has opened its workspace. */
let opening: SimulatedProcess | null = null;

export function makeRepository({ environment }: Caller): Repository {
  const gitDir = `${ROOT}/.git`;
  return { kind: "repository", root: ROOT, gitDir, commonDir: gitDir, gitFile: false, environment };
}

export async function readHead(repository: Repository): Promise<{ readonly text: string; readonly commit: string }> {
  const world = getWorld();
  await world.step(world.processOf(repository.environment), "HEAD is read");
  return { text: BRANCH, commit: world.repository.head };
}

export async function findCheckedOutBranch(repository: Repository): Promise<string> {
  const { text } = await readHead(repository);
  return text.replace("ref: refs/heads/", "");
}

export async function findCommit(): Promise<string> {
  return getWorld().repository.head;
}

export async function openWorkspace(caller: Caller): Promise<Workspace> {
  const world = getWorld();
  const process = world.processOf(caller.environment);
  await world.step(process, "the workspace is opened");
  opening = process;
  const { config, text } = readModelConfig(world);
  return {
    kind: "ready",
    repository: makeRepository(caller),
    config,
    configText: text,
    baseText: text,
    foundText: null,
    fileText: text,
    isFound: false,
    head: { text: BRANCH, commit: world.repository.head },
    folder: `${ROOT}/${config.workspace_dir}`,
    stateDirectory: STATE,
    lockPath: LOCK,
  };
}

export const openSeriesWorkspace = (caller: Caller): Promise<Workspace> => openWorkspace(caller);

function makeLock(process: SimulatedProcess, runId: string): Lock {
  const started_at = new Date(getWorld().nowMs).toISOString();
  const own = { pid: process.pid, process_start: String(process.pid), host: "model", pid_namespace: null };
  return { run_id: runId, ...own, started_at, boot_id: "boot" };
}

interface HeldLocks {
  readonly kind: "held";
  readonly note: NoteInLocks;
  readonly release: () => Promise<void>;
}

export async function takeLocks(_paths: readonly string[], runId: string): Promise<HeldLocks | NotReady> {
  const world = getWorld();
  const process = opening;
  if (process === null) throw new Error("a lock of no process");
  await world.step(process, "the lock is taken");
  const { held } = world;
  if (held !== null && !held.process.isDead) {
    const why = { cause: "lock_held", message: `Process ${held.process.pid} runs.`, problems: [] };
    return { kind: "blocked", code: "BLOCKED_LOCK_HELD", ...why };
  }
  world.held = { process, lock: makeLock(process, runId) };
  const release = async (): Promise<void> => {
    await world.step(process, "the lock is released");
    if (world.held?.process === process) world.held = null;
  };
  return { kind: "held", note: () => world.step(process, "a note in the lock"), release };
}

export const clearStaleLocks = (): Promise<null> => Promise.resolve(null);

export async function findHeldLock(): Promise<object> {
  const { held } = getWorld();
  return held === null || held.process.isDead ? { kind: "free" } : { kind: "busy", path: LOCK, holder: held.lock };
}

export const lockPaths = (): readonly string[] => [LOCK];

/** Null where every line has to be read. */
export function recallJournal(): ModelSummary | null {
  const { journal } = getWorld();
  const { summary } = journal;
  return summary !== null && summary.end.sha256 === journal.end().sha256 ? summary : null;
}

export async function openJournal(_places: unknown, summary: ModelSummary | null = null): Promise<JournalOpened> {
  const world = getWorld();
  const process = world.held?.process;
  if (process === undefined) throw new Error("the journal is opened without a lock");
  await world.step(process, "the journal is opened");
  // It was recalled before the lock was taken, and another process may have added lines since.
  const isFitting = summary !== null && summary.end.sha256 === world.journal.end().sha256;
  return { kind: "open", journal: openModelJournal(world, process, isFitting ? summary : null) };
}

export async function surveyJournal(): Promise<object> {
  return { kind: "whole", lines: getWorld().journal.list() };
}

export async function openBrokenWorkspace(
  caller: Caller,
  runId: string,
): Promise<OpenedWorkspace<BrokenWorkspace> | NotReady> {
  const { repository, config, folder } = await openWorkspace(caller);
  const locks = await takeLocks([], runId);
  if (locks.kind === "blocked") return locks;
  const opened = await openJournal(null);
  if (opened.kind !== "open") throw new Error("the model has no damaged journal");
  for (const line of getWorld().journal.lines) line.isSafe = true;
  const { journal } = opened;
  const shared = { repository, config, folder, stateDirectory: STATE, journal, restoredLines: 0, goneHolders: [] };
  return { kind: "open", workspace: { ...shared, clearStaleLocks }, locks, journal };
}

export async function readWorkspace(caller: Caller): Promise<WorkspaceSnapshot> {
  const world = getWorld();
  await world.step(world.processOf(caller.environment), "the journal is read");
  const { config, text } = readModelConfig(world);
  return {
    kind: "snapshot",
    repository: makeRepository(caller),
    stateDirectory: STATE,
    lockPath: LOCK,
    configFile: { kind: "config", config, text },
    config,
    history: `${ROOT}/${config.history.dir}`,
    lines: world.journal.list(),
    missingLines: 0,
    lostTick: null,
  };
}

export async function foldJournalEnd(caller: Caller): Promise<FoldedWorkspace | null> {
  const summary = recallJournal();
  if (summary === null) return null;
  const lines = getWorld().journal.list();
  const readSeries = (id: string) => lines.filter(({ series_id }) => series_id === id);
  const journal = foldEnd({ ...summary, readAll: () => lines, readSeries });
  return { kind: "folded", repository: makeRepository(caller), stateDirectory: STATE, journal };
}

export async function foldWorkspace(caller: Caller): Promise<FoldedWorkspace> {
  const byEnd = await foldJournalEnd(caller);
  const journal = byEnd?.journal ?? foldShared(getWorld().journal.list());
  return { kind: "folded", repository: makeRepository(caller), stateDirectory: STATE, journal };
}

export async function openWorkplace(
  _isolation: string,
  {
    repository,
    runDirectory,
  }: {
    readonly repository: Repository;
    readonly runDirectory: string;
  },
) {
  const world = getWorld();
  return makePlace({ world, process: world.processOf(repository.environment), repository, runDirectory });
}

/** The configuration of the tick is that of the world. */
export async function readRecordedConfig(): Promise<object> {
  return { kind: "config", ...readModelConfig(getWorld()) };
}

/** A person at another terminal, who decides sooner or later. */
function decideHeld(): object | null {
  const world = getWorld();
  const [tick] = [...world.watch.open.values()].filter(({ state }) => state.phase === "ask");
  const isAbsent = world.isRough && world.plan.seed % 4 === 0;
  if (tick?.state.phase !== "ask" || isAbsent || world.random.below(3) > 0) return null;
  const decision = world.isBad() ? "reject" : "accept";
  return { run_id: tick.runId, question: tick.state.asked.question, decision, message: null };
}

type RequestName = "pause" | "decision";

export async function readRequest(_state: string, name: RequestName): Promise<object | null> {
  const { held, pauseFor } = getWorld();
  if (name === "decision") return decideHeld();
  if (held === null || pauseFor !== held.process.pid) return null;
  const { pid, process_start, boot_id, started_at } = held.lock;
  return { pid, process_start, boot_id, started_at };
}

export function removeRequest(_state: string, name: RequestName): void {
  if (name === "pause") getWorld().pauseFor = null;
}
