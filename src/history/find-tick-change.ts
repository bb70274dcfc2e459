import { join } from "node:path";
import type { TickChange, PastTick } from "../records/status-answers.ts";
import type { Observation } from "../base/manifest.ts";
import { chooseKeptFiles, type KeepLimits } from "../judge/pure/kept-files.ts";
import { combineRules } from "../judge/pure/combine-rules.ts";
import { findPairPatch, storePair } from "../store/change-pair.ts";
import { openContentStore } from "../store/content-store.ts";
import { toBytePath } from "../system/byte-path.ts";
import { withTemporaryFolder } from "../system/temporary-folder.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { findMountedTree, locatePlace, findPlaceTree } from "../sandbox/place-folder.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { collectEvidence } from "../evidence/collect-evidence.ts";
import { observeGitData } from "../evidence/observe-git-data.ts";
import { readGrowthCaps } from "../place/choose-place.ts";
import { readOverlay, type OverlayLayers } from "../place/overlay-reading.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { type Refusal, refuse } from "../records/command-failure.ts";
import { MeasurementError } from "../base/errors.ts";
import { findBase, findSettled, findPrepared, findStart } from "../tick/pure/tick-facts.ts";
import { findTickRecord, type TickRecord } from "../tick/pure/tick-records.ts";
import { locateKeptFolder, readKeptPatch } from "../store/rescue.ts";
import { readWorktreePatch } from "../store/worktree-patch.ts";
import { findWork, nameKeptRef } from "../keep/keep-work.ts";
import { readTickPatch } from "./past-tick-files.ts";

const MIB = 1024 * 1024;
const LIMITS: KeepLimits = { filesMax: 20_000, fileBytesMax: 16 * MIB, totalBytesMax: 64 * MIB };
const REF = "refs/relais/shown";
/** Nobody asks for these. */
const UNSHOWN: ReadonlySet<string> = new Set(["ignored", "runner_owned"]);

type ShownChange = Pick<TickChange, "patch" | "leftOut">;

/**
 * The change so far in the overlay of a running tick; null where it is not mounted. It is read as the tick itself does,
 * into a store of its own: nothing of the tick is written, and no filter runs on content that nobody has judged.
 */
export async function readOverlayChange(around: WorkspaceSnapshot, runId: string): Promise<ShownChange | null> {
  const layers = locateMounted(around, runId);
  if (layers === null) return null;
  const { repository, config } = around;
  const { environment } = repository;
  return withTemporaryFolder(environment, async (folder) => {
    const store = await openContentStore(folder, environment);
    const caps = readGrowthCaps({ config });
    const look = await readOverlay({ layers, store, earlier: null, afterBuild: false, caps });
    const side = (worktree: Observation["worktree"]): Observation => ({
      takenAt: look.takenAt,
      git,
      worktree: new Map([...worktree, ...look.around]),
    });
    const git = observeGitData(repository);
    const evidence = await collectEvidence({
      repository,
      store,
      userExcludesFile: (await readFilterSettings(repository)).excludesFile,
      rules: { ...combineRules(config, null), forbidden_globs: [] },
      before: side(look.before),
      after: side(look.after),
    });
    const { files, leftOut } = chooseKeptFiles(evidence, LIMITS);
    await storePair(
      store,
      REF,
      files.map((file) => ({ path: decodeChangePath(file), before: file.before, after: file.after })),
    );
    const patch = (await findPairPatch(folder, REF, environment)) ?? Buffer.alloc(0);
    return { patch, leftOut: leftOut.filter(({ reason }) => !UNSHOWN.has(reason)) };
  });
}

function locateMounted({ repository, stateDirectory }: WorkspaceSnapshot, runId: string): OverlayLayers | null {
  const merged = findMountedTree(stateDirectory, runId, repository.root);
  if (merged === null) return null;
  return {
    lower: toBytePath(repository.root),
    upper: toBytePath(join(locatePlace(stateDirectory, runId), "upper")),
    merged: toBytePath(merged),
  };
}

type Found = TickChange | Refusal;

/** The change of the newest tick with one; a running tick counts. Ticks are given newest first. */
export async function findLastChange(
  around: WorkspaceSnapshot,
  ticks: readonly PastTick[],
  signal: AbortSignal,
): Promise<Found> {
  for (const tick of ticks) {
    if (!mayHaveChange(tick)) continue;
    const found = await findTickChange(around, tick, signal);
    if (found.kind === "change" && (found.patch.length > 0 || found.state === "running")) return found;
  }
  const message = "No tick has changed anything yet.";
  return refuse({ cause: "nothing_there", message, next: "See `relais status`." });
}

const mayHaveChange = ({ isRunning, action, isKept }: PastTick): boolean => isRunning || action !== null || isKept;

export async function findTickChange(around: WorkspaceSnapshot, tick: PastTick, signal: AbortSignal): Promise<Found> {
  const { runId, intent, commit, branch } = tick;
  const record = findTickRecord(around.lines, runId);
  if (tick.isRunning && record !== null && findSettled(record.state) === null)
    return readChangeSoFar(around, { tick, record, signal });
  const recorded = await readRecordedPatch(around, runId);
  if (recorded.kind !== "patch") return refuseNoPatch(tick, recorded.reason);
  const { patch, leftOut } = recorded;
  return { kind: "change", runId, intent, state: readState(tick), commit, branch, patch, leftOut };
}

function readState({ isUndone, isAccepted, action }: PastTick): TickChange["state"] {
  if (isUndone) return "undone";
  if (isAccepted || action === "commit") return "committed";
  return action === "accept" ? "kept" : "reverted";
}

interface RunningTick {
  readonly tick: PastTick;
  readonly record: TickRecord;
  readonly signal: AbortSignal;
}

async function readChangeSoFar(around: WorkspaceSnapshot, running: RunningTick): Promise<Found> {
  const { repository } = around;
  const { runId, intent } = running.tick;
  const worktree = findStart(running.record.state)?.worktree ?? repository.root;
  if (worktree !== repository.root) {
    const next = `Run \`relais diff\` in ${worktree}.`;
    return refuse({ cause: "other_worktree", runId, message: `${runId} works in another worktree.`, next });
  }
  const shown = await readCalmMoment(() => readPatchSoFar(around, running));
  if (shown !== null) return { kind: "change", runId, intent, state: "running", commit: null, branch: null, ...shown };
  const message = `${runId} writes so much that its change cannot be read now.`;
  return refuse({ cause: "still_running", runId, message, next: "Try again; `relais log` shows what the agent does." });
}

const READS_MAX = 50;

/** An agent may remove or rewrite a file while it is read; null where it does so each time. */
async function readCalmMoment<T>(read: () => Promise<T>): Promise<T | null> {
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MeasurementError)) throw error;
    }
  }
  return null;
}

async function readPatchSoFar(
  around: WorkspaceSnapshot,
  { tick: { runId }, record, signal }: RunningTick,
): Promise<Pick<TickChange, "patch" | "leftOut"> | null> {
  const { repository, stateDirectory, config } = around;
  // Git cannot look into an overlay from outside.
  if (findPrepared(record.state)?.prepared.isolation === "overlay") return readOverlayChange(around, runId);
  const base = findBase(record.state)?.base_commit;
  if (base === undefined) return { patch: new Uint8Array(), leftOut: [] };
  const root = findPlaceTree(stateDirectory, runId) ?? repository.root;
  const comparison = { repository: { ...repository, root }, base, without: config.workspace_dir, signal };
  return { patch: await readWorktreePatch(comparison), leftOut: [] };
}

type RecordedPatch =
  | { readonly kind: "patch"; readonly patch: Buffer; readonly leftOut: TickChange["leftOut"] }
  | { readonly kind: "none"; readonly reason: string | null };

/** The stored content shows renames; where it was dropped, there is the patch in the history. */
async function readRecordedPatch(around: WorkspaceSnapshot, runId: string): Promise<RecordedPatch> {
  const { stateDirectory, repository } = around;
  for (const kind of ["accepted", "salvage"] as const) {
    const work = await findWork(around, kind, runId);
    if (work.kind !== "found") continue;
    const { left_out: leftOut } = work.work;
    const patch = await findPairPatch(stateDirectory, nameKeptRef(kind, runId), repository.environment);
    if (patch !== null) return { kind: "patch", patch, leftOut };
    const kept = await readKeptPatch(locateKeptFolder(stateDirectory, kind, runId));
    if (kept.kind === "read") return { kind: "patch", patch: kept.data, leftOut };
  }
  const found = await readTickPatch(around, runId);
  if (found.kind === "patch") return { kind: "patch", patch: found.patch, leftOut: [] };
  return { kind: "none", reason: found.kind === "none" ? null : `${found.path}: ${found.reason}` };
}

function refuseNoPatch({ runId, isPruned }: PastTick, reason: string | null): Refusal {
  if (isPruned) {
    const message = `The change of ${runId} is gone: its folder was removed by \`relais history prune\`.`;
    return refuse({ cause: "history_pruned", runId, message, next: "See `relais history list`." });
  }
  const message = reason === null ? `${runId} has no change.` : `The change of ${runId} cannot be read: ${reason}.`;
  return refuse({ cause: "no_patch", runId, message, next: `See \`relais history show ${runId}\`.` });
}
