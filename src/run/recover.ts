/**
 * `relais recover`: brings a tick to its end that was cut short.
 *
 * The journal says how far it came. A tick that was settled only lacks its report; every other one is put back to what
 * was remembered before its builder began, with the work kept in salvage. The configuration is the one that the tick
 * began with, because the one in the repository may be part of the damage. Where nothing was cut short, the documents
 * of the workspace are written again from the journal.
 */
import { join } from "node:path";
import type { Config } from "../contract/config.ts";
import type { TickEvent } from "../contract/event.ts";
import { unreachable } from "../contract/invariant.ts";
import { MeasurementError } from "../contract/measurement-error.ts";
import { RollbackError } from "../contract/rollback-error.ts";
import type { Report } from "../contract/report.ts";
import { tickRecords, type TickRecord } from "../core/tick/tick-records.ts";
import { readBounded } from "../io/bounded-file.ts";
import { currentTimeMs } from "../io/clock.ts";
import { commitIdentity } from "../io/commit-identity.ts";
import { openContentStore } from "../io/content-store.ts";
import { filterSettings } from "../io/filter-settings.ts";
import { type Journal, openJournal } from "../io/journal.ts";
import { reapTick } from "../io/reap-session.ts";
import { recallRepository } from "../io/remembered-repository.ts";
import { findRepository, type Repository, type RepositoryLayout } from "../io/repository-layout.ts";
import { newRunId, runDirectoryOf } from "../io/run-directory.ts";
import { openStateDirectory } from "../io/state-directory.ts";
import { configOf, type Unready, unready } from "./ground.ts";
import { openInPlace } from "./in-place.ts";
import { notPutBack, otherWorktree, stillRunning } from "./recovery-refusals.ts";
import { salvageRules } from "./perform-settle.ts";
import { publishState } from "./publish.ts";
import { keepSalvage } from "./salvage.ts";
import { runSession } from "./run-session.ts";
import { journalDamaged } from "./surroundings.ts";
import type { TickSession } from "./tick-session.ts";
import { type LockRefusal, withLocks } from "./with-locks.ts";

export interface RecoverRequest {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly renderReport: TickSession["renderReport"];
}

export type Recovery =
  /** Nothing was cut short; the documents were written again. */
  | { readonly kind: "nothing"; readonly problems: readonly string[] }
  | {
      readonly kind: "recovered";
      readonly runId: string;
      /** Whether anything was put back; a tick that was settled keeps what it has. */
      readonly restored: boolean;
      readonly report: Report | null;
      readonly problems: readonly string[];
    }
  | Unready
  | LockRefusal;

export async function recover(request: RecoverRequest): Promise<Recovery> {
  const remembered = await recallRepository(request.cwd, request.environment);
  const layout = await findLayout(request.cwd, remembered);
  switch (layout.kind) {
    case "none":
      return unready("no_repository", `There is no git repository at ${layout.searched} or above it.`);
    case "bare":
      return unready("bare_repository", `${layout.dir} is a repository without a working tree.`);
    case "repository":
      return inRepository(request, layout);
    default:
      return unreachable(layout);
  }
}

/** What is found counts, unless a repository nearer to us is known and something has become of its git directory. */
async function findLayout(cwd: string, remembered: Repository | null): Promise<RepositoryLayout> {
  try {
    const found = await findRepository(cwd);
    if (remembered === null || (found.kind === "repository" && found.root === remembered.root)) return found;
    return remembered;
  } catch (error) {
    if (remembered !== null && error instanceof MeasurementError) return remembered;
    throw error;
  }
}

interface Place {
  readonly request: RecoverRequest;
  readonly repository: Repository;
  readonly stateDirectory: string;
}

async function inRepository(request: RecoverRequest, repository: Repository): Promise<Recovery> {
  const state = openStateDirectory(repository, request.environment);
  if (state.kind === "unusable")
    return unready("state_unusable", `The state directory ${state.path}: ${state.reason}.`);
  const lock = { paths: [state.lockPath], runId: newRunId(currentTimeMs()) };
  const locked = await withLocks(lock, () =>
    withJournal({ request, repository, stateDirectory: state.path }),
  );
  return locked.kind === "done" ? locked.value : locked;
}

async function withJournal(place: Place): Promise<Recovery> {
  const path = join(place.stateDirectory, "journal.jsonl");
  const opened = await openJournal({ path, ledger: null });
  if (opened.kind === "corrupt") return journalDamaged(opened);
  try {
    return await recoverLast(place, opened.journal);
  } catch (error) {
    // What was remembered is lost, or it could not be put back; the journal still says that it is to be done.
    if (error instanceof RollbackError) return notPutBack(error);
    throw error;
  } finally {
    await opened.journal.close();
  }
}

async function recoverLast(place: Place, journal: Journal): Promise<Recovery> {
  const records = tickRecords(journal.lines());
  const open =
    records.find(({ endedAt }) => endedAt === null) ??
    records.find(({ state }) => state.rollbackFailure !== null);
  const last = open ?? records.at(-1);
  if (last === undefined) return { kind: "nothing", problems: [] };
  const session = await sessionOf(place, journal, last);
  if (session.kind === "blocked") return session;
  if (open === undefined) return publishAgain(session);
  return otherWorktree(open, place.repository) ?? (await bringToItsEnd(session, open));
}

async function bringToItsEnd(session: TickSession, open: TickRecord): Promise<Recovery> {
  const { undead } = await reapTick(open.runId);
  if (undead.length > 0) return stillRunning(undead);
  const restored = !isSealed(open);
  if (open.state.prepared !== null && restored) session.place.resume(open.state.prepared.observation_sha256);
  if (open.endedAt !== null) return rollBackAgain(session, open);
  await runSession(session, [...open.events, ...(await interruptionOf(session, open))]);
  const { report, problems } = session.memory;
  return { kind: "recovered", runId: open.runId, restored, report, problems };
}

function isSealed({ state, endedAt }: TickRecord): boolean {
  return state.settled !== null || (endedAt !== null && state.rollbackFailure === null);
}

/** The crash itself is an event like any other: recorded first, then acted upon. */
async function interruptionOf(session: TickSession, { state }: TickRecord): Promise<readonly TickEvent[]> {
  if (state.phase === "report" || state.phase === "end") return [];
  const event: TickEvent = { type: "interrupted", code: "STOP_INTERRUPTED", cause: "crash", message: null };
  await append(session, event);
  return [event];
}

/** A rollback that failed earlier. Nothing is recorded unless it succeeds now. */
async function rollBackAgain(session: TickSession, { state }: TickRecord): Promise<Recovery> {
  const { store, stateDirectory, place } = session;
  // Under a name of its own: a person may have worked here since, and what the tick left is kept already.
  const runId = newRunId(currentTimeMs());
  const { evidence } = await place.collect(salvageRules(session, state));
  const kept = await keepSalvage({ store, stateDirectory, runId, code: "BLOCKED_ROLLBACK_FAILED", evidence });
  await place.discard();
  const salvage = kept === null || kept.files.length === 0 ? null : runId;
  await append(session, { type: "settled", action: "rollback", commit: null, branch: null, salvage });
  const again = await publishAgain(session);
  const problems = again.kind === "nothing" ? again.problems : [];
  return { kind: "recovered", runId: session.runId, restored: true, report: null, problems };
}

async function append(
  { journal, runId: run_id, seriesId: series_id }: TickSession,
  event: TickEvent,
): Promise<void> {
  await journal.append({ at: new Date(currentTimeMs()).toISOString(), run_id, series_id, event });
}

async function publishAgain({ repository, workspace, journal, config }: TickSession): Promise<Recovery> {
  const problems = await publishState({
    root: repository.root,
    workspace,
    journalPath: journal.path,
    lines: journal.lines(),
    limits: config.budgets,
  });
  return { kind: "nothing", problems: problems.map(({ path, reason }) => `${path}: ${reason}`) };
}

const CONFIG_BYTES_MAX = 1024 * 1024;

async function sessionOf(
  { request, repository, stateDirectory }: Place,
  journal: Journal,
  { runId, seriesId }: TickRecord,
): Promise<(TickSession & { readonly kind: "session" }) | Unready> {
  const runDirectory = runDirectoryOf(stateDirectory, runId);
  const read = await readBounded(join(runDirectory, "config.json"), CONFIG_BYTES_MAX);
  const configText = read.kind === "read" ? read.data.toString("utf8") : "{}";
  const parsed = configOf(configText);
  if (parsed.kind === "blocked") return parsed;
  const config: Config = parsed.config;
  const settings = await filterSettings(repository, request.signal);
  return {
    kind: "session",
    repository,
    stateDirectory,
    workspace: join(repository.root, config.workspace_dir),
    config,
    configText,
    runDirectory,
    runId,
    seriesId,
    store: await openContentStore(stateDirectory),
    place: await openInPlace({ repository, stateDirectory, userExcludesFile: settings.excludesFile }),
    settings,
    identity: await commitIdentity(repository, request.signal),
    hooks: null,
    // What is left to do must not be cut short again.
    signal: new AbortController().signal,
    deadlineAt: Number.POSITIVE_INFINITY,
    journal,
    work: null,
    memory: { foreseen: null, candidate: null, tolerated: [], report: null, problems: [] },
    renderReport: request.renderReport,
  };
}
