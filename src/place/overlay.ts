/**
 * The work happens in an overlay over the worktree: every write goes to a layer of its own, at the same path.
 *
 * The worktree is untouched until a change is accepted, so there is nothing to roll back, whatever happens. Git's own
 * data is read-only inside. A change is merged path by path, if nobody has edited those paths meanwhile.
 */
import { readGrowthCaps } from "./choose-place.ts";
import { join } from "node:path";
import type { Evidence, Rules } from "../records/evidence.ts";
import type { Entry, Manifest, Observation } from "../base/manifest.ts";
import { MainTreeChanged } from "../base/main-tree-changed.ts";
import { RollbackError } from "../base/rollback-error.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { isSameEntry } from "../evidence/pure/compare-manifests.ts";
import { planRestoration } from "../evidence/pure/restoration-plan.ts";
import { findSideBefore } from "../judge/pure/kept-files.ts";
import { learnBelow, listAbove, rewind } from "../evidence/pure/rewind.ts";
import { decodePath } from "../base/path-names.ts";
import { writeEditedNote } from "../evidence/pure/unkept-notes.ts";
import { keepEntries, keepFiles, openContentStore } from "../store/content-store.ts";
import { restore } from "../store/restore.ts";
import { toBytePath } from "../system/byte-path.ts";
import { isVacant } from "../system/left-file.ts";
import { readHead } from "../git/head.ts";
import { readClockMs } from "../system/clock.ts";
import { findEntryAt } from "../system/walk.ts";
import { encloseInOverlay } from "../sandbox/overlay-enclosure.ts";
import { locatePlace, makeLayers, removePlace, removePlaces } from "../sandbox/place-folder.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { clearCaches } from "./clear-caches.ts";
import { collectEvidence } from "../evidence/collect-evidence.ts";
import { type CommitUndo, noteOwnSettlement, noteSettlement, undoSettlement } from "./commit-undo.ts";
import { hideSecrets } from "../evidence/copied-content.ts";
import { foreseePatch } from "../evidence/foresee-patch.ts";
import { observeGitData } from "../evidence/observe-git-data.ts";
import { observe } from "../evidence/observe.ts";
import { readOverlay, type OverlayQuestion, type OverlayLayers, type OverlayReading } from "./overlay-reading.ts";
import {
  completeSides,
  listEditedSince,
  locateLayers,
  makeOverlayMemory,
  mountOverlay,
  type Overlay,
  type OverlayMemory,
  type OverlayOptions,
  readOverlayStart,
  requireBase,
  requireHolder,
  UNKNOWN_START,
  watchUpper,
  writeOverlayStart,
} from "./overlay-start.ts";
import { listChangedPaths } from "../evidence/put-back.ts";
import { listDifferent, listEditedPaths, listRemovedPaths, pickChanged, undoMerge, writeMerge } from "./tree-merge.ts";
import { type Candidate, type ChangeView, makeTrial, type Place, type Workplace } from "./workplace.ts";

const MERGE = "merge";

export async function openOverlay(options: OverlayOptions): Promise<Workplace> {
  const { repository, stateDirectory, runId } = options;
  const store = await openContentStore(stateDirectory, repository.environment);
  const memory = makeOverlayMemory();
  const overlay: Overlay = { ...options, store, folder: locatePlace(stateDirectory, runId), memory };
  return {
    place: standIn(overlay),
    change: viewChange(overlay),
    settlement: {
      merge: (candidate) => mergeChange(overlay, candidate),
      discard: () => undoChanges(overlay, memory.merged?.evidence ?? null),
      noteOwnFiles: (paths) => noteOwnSettlement(locateSettlement(overlay), paths),
      reopen: async () => void (await openContentStore(stateDirectory, repository.environment)),
    },
    recovery: {
      resume: (observationSha256) => resumeOverlay(overlay, observationSha256),
      revertMerge: (evidence) => undoChanges(overlay, evidence),
      review: () => Promise.resolve([]),
    },
  };
}

function standIn(overlay: Overlay): Place {
  const { repository, store, folder, memory } = overlay;
  return {
    isolation: "overlay",
    repository,
    cwd: repository.root,
    get tree() {
      return requireHolder(overlay).view(repository.root);
    },
    get enclosure() {
      return memory.holder === null ? null : encloseInOverlay(memory.holder);
    },
    watchGrowth: () => watchUpper(overlay),
    close: async (isResumedLater = false) => {
      await memory.holder?.close();
      memory.holder = null;
      if (!isResumedLater) await removePlace(folder, store.redo);
    },
  };
}

function viewChange(overlay: Overlay): ChangeView {
  const { repository, store, memory, runDirectory } = overlay;
  const look = (): Promise<Observation> => observeOverlay(overlay);
  const steps = { observe: look, bringBack: (kept: Observation) => bringBack(overlay, kept) };
  return {
    ...steps,
    trial: makeTrial({
      ...steps,
      runDirectory,
      rewind: (now, paths) => rewind(now, requireBase(now), paths),
      learn: (observation, paths) => learnPaths(overlay, observation, paths),
    }),
    prepare: () => prepareOverlay(overlay),
    collect: (rules) => collectChange(overlay, rules),
    clean: async (candidate) => ({ changed: [], candidate: await clearOverlayCaches(overlay, candidate) }),
    changedSince: async ({ observation }) =>
      memory.merged === null ? listChangedPaths(...completeSides(observation, await look())) : listLateEdits(overlay),
    originalEdits: () => Promise.resolve([]),
    foresee: async (request) => {
      const before = await observe({ repository, store, earlier: null, afterBuild: false });
      return foreseePatch({ ...overlay, before }, request);
    },
    write: (candidate) => writeForeseen(overlay, candidate),
    putBackFile: (path) => putBackFile(overlay, path),
    hideSecrets: (rules, words) =>
      hideSecrets({ ...memory, repository, store, before: lookAtNothing(overlay), rules }, words),
  };
}

/** What the runner puts there and takes away again leaves copies in the upper layer, which say nothing. */
async function learnPaths(overlay: Overlay, observation: Observation, paths: readonly string[]): Promise<Observation> {
  const { store, memory } = overlay;
  const layers = locateLayers(overlay);
  memory.learnt = await keepEntries(
    store,
    layers.lower,
    paths.map((path) => [path, findBelow(layers, path)]),
  );
  return learnBelow(observation, memory.learnt);
}

/** No link is followed: a person may have put one in the place of a folder. */
function findBelow({ lower }: OverlayLayers, path: string): Entry | null {
  const isThere = listAbove(path).every((above) => findEntryAt(lower, above)?.type === "directory");
  return isThere ? findEntryAt(lower, path) : null;
}

function clearOverlayCaches(overlay: Overlay, candidate: Candidate): Promise<Candidate> {
  const before = requireBase(candidate.observation);
  return clearCaches(locateLayers(overlay).merged, overlay.store, before, candidate);
}

/** Everything is as below. */
function lookAtNothing(overlay: Overlay): Observation {
  return { takenAt: 0, worktree: new Map(), git: lookAtGit(overlay), base: new Map() };
}

function lookAtGit({ memory, repository }: Overlay): Manifest {
  const takenAt = readClockMs();
  const manifest = observeGitData(repository, memory.git);
  memory.git = { manifest, takenAt };
  return manifest;
}

/** What the tick began with. Its hash is in the journal. */
async function prepareOverlay(overlay: Overlay): Promise<string> {
  const { repository, stateDirectory, folder, memory } = overlay;
  await removePlaces(stateDirectory);
  makeLayers(folder, repository.root);
  const observationSha256 = await writeOverlayStart(folder, overlay.store.redo, repository);
  memory.start = readOverlayStart(folder, observationSha256);
  if (memory.start === null) throw new MeasurementError(folder, "the place of the tick was removed");
  await mountOverlay(overlay);
  return observationSha256;
}

/** After a crash: only what is left of the work is wanted, for salvage. The worktree is as it was. */
async function resumeOverlay(overlay: Overlay, observationSha256: string): Promise<void> {
  const { folder, memory, repository } = overlay;
  try {
    makeLayers(folder, repository.root);
    memory.start = readOverlayStart(folder, observationSha256) ?? UNKNOWN_START;
    await mountOverlay(overlay);
  } catch (error) {
    throw new RollbackError(`the work of the tick cannot be reached: ${describeError(error)}`, []);
  }
}

async function observeOverlay(overlay: Overlay): Promise<Observation> {
  const { memory, store } = overlay;
  const look = await lookFresh(overlay, { store, afterBuild: true, caps: readGrowthCaps(overlay) });
  memory.earlier = look;
  const worktree = new Map([...look.after].filter(([path]) => !isCopy(memory, look, path)));
  const isEdited = new Set(listEditedSince(look.before, memory));
  memory.edited = [...isEdited].filter((path) => !isCopy(memory, look, path) && !isHidden(memory, look, path));
  const base = new Map([...look.before].filter(([path]) => !isEdited.has(path) && !isCopy(memory, look, path)));
  const observed = { takenAt: look.takenAt, worktree, git: lookAtGit(overlay), base };
  return look.excess === null ? observed : { ...observed, excess: look.excess };
}

/** Whether the runner put it back after a trial. */
function isCopy({ learnt }: OverlayMemory, { after }: OverlayReading, path: string): boolean {
  const was = learnt.get(path) ?? null;
  return was !== null && isSameEntry(was, after.get(path) ?? null);
}

/** A new folder of the upper layer hides what somebody makes below it. */
function isHidden(memory: OverlayMemory, look: OverlayReading, path: string): boolean {
  return !look.after.has(path) && listAbove(path).some((above) => isCopy(memory, look, above));
}

/** An overlay remembers folders that somebody has removed below it; mounted again, it shows what it holds. */
async function lookFresh(
  overlay: Overlay,
  request: Omit<OverlayQuestion, "layers" | "earlier">,
): Promise<OverlayReading> {
  const { memory } = overlay;
  const look = await readOverlay({ ...request, layers: locateLayers(overlay), earlier: memory.earlier });
  if (!look.isStale) return look;
  await memory.holder?.close();
  await mountOverlay(overlay);
  return readOverlay({ ...request, layers: locateLayers(overlay), earlier: null });
}

/** After the merge, the change is what was merged. */
async function collectChange(overlay: Overlay, rules: Rules): Promise<Candidate> {
  const { memory, repository, store, userExcludesFile } = overlay;
  if (memory.merged !== null) return memory.merged;
  const observation = await observeOverlay(overlay);
  const around = memory.earlier?.around ?? new Map<string, Entry>();
  const sides = {
    before: { ...observation, worktree: new Map([...requireBase(observation), ...around]) },
    after: { ...observation, worktree: new Map([...observation.worktree, ...around]) },
  };
  const evidence = await collectEvidence({ ...memory, repository, store, userExcludesFile, rules, ...sides });
  return { evidence: { ...evidence, attributes_touched: UNTOUCHED }, observation };
}

/** A copy in the upper layer has new times, and attributes are never merged. */
const UNTOUCHED = { count: 0, paths: [] };

/** Restores one file of the worktree that the runner itself removed inside. */
async function putBackFile(overlay: Overlay, path: string): Promise<void> {
  const { repository, store } = overlay;
  const { merged: folder, lower } = locateLayers(overlay);
  const entry = findEntryAt(lower, toBytePath(path));
  if (entry === null || entry.type === "directory") return;
  if (!(await isVacant({ root: requireHolder(overlay).view(repository.root), path }))) return;
  const file = { folder: lower, path: toBytePath(path), entry, knownId: null };
  const [kept] = entry.type === "file" ? await keepFiles(store, { files: [file], sizeMax: null, force: false }) : [];
  const was: Entry = { ...entry, id: kept?.id ?? null };
  await restore({
    folder,
    store,
    plan: planRestoration(new Map([[toBytePath(path), was]]), new Map()),
    isPassing: true,
  });
}

/** Writes the foreseen change of a patch into the place. */
async function writeForeseen(overlay: Overlay, { evidence, observation }: Candidate): Promise<Candidate> {
  const { store, repository } = overlay;
  const before = await observe({ repository, store, earlier: null, afterBuild: false });
  const sides = pickChanged(evidence.changes, { before: before.worktree, after: observation.worktree });
  const plan = planRestoration(sides.after, sides.before);
  await restore({ folder: locateLayers(overlay).merged, store, plan, isPassing: true });
  const now = await observeOverlay(overlay);
  const foreseen = { ...now, worktree: sides.after, base: sides.before };
  const [first] = listChangedPaths(...completeSides(foreseen, now));
  if (first !== undefined) throw new MeasurementError("the worktree", `it is not what was judged: ${first}`);
  return { evidence, observation: now };
}

async function bringBack(overlay: Overlay, remembered: Observation): Promise<void> {
  const now = await observeOverlay(overlay);
  const [target, present] = completeSides(remembered, now);
  const plan = planRestoration(target.worktree, present.worktree);
  await restore({ folder: locateLayers(overlay).merged, store: overlay.store, plan, isPassing: true });
  const [first] = listChangedPaths(...completeSides(remembered, await observeOverlay(overlay)));
  if (first !== undefined) throw new MeasurementError("the worktree", `it could not be brought back: ${first}`);
}

/** Answers with the paths that changed in the place since; a person's edits in the worktree are an error of its own. */
async function mergeChange(overlay: Overlay, candidate: Candidate): Promise<readonly string[]> {
  const { memory, repository, store } = overlay;
  const now = await observeOverlay(overlay);
  const changed = listChangedPaths(...completeSides(candidate.observation, now));
  const merge = { root: toBytePath(repository.root), store, ...pickSides(candidate) };
  const late = [
    ...memory.edited,
    ...listRemovedPaths(merge.root, candidate.evidence.changes, memory.start?.atNs ?? 0n),
  ].map((path) => decodePath(path).text);
  const edited = [...late, ...listEditedPaths(merge)];
  await demandUnedited(overlay, [...new Set(edited)]);
  memory.merged = candidate;
  await noteSettlement(locateSettlement(overlay), []);
  await writeMerge(merge, join(overlay.folder, MERGE));
  return changed;
}

async function demandUnedited({ repository, memory }: Overlay, paths: readonly string[]): Promise<void> {
  if (paths.length > 0) throw new MainTreeChanged(paths);
  const head = await readHead(repository);
  const isMoved = head.text !== memory.start?.head.text || head.commit !== memory.start.head.commit;
  if (isMoved) throw new MainTreeChanged(["HEAD"]);
}

/** What hooks and filters wrote into the merged files. */
function listLateEdits({ memory: { merged }, repository }: Overlay): readonly string[] {
  return merged === null ? [] : listDifferent({ root: toBytePath(repository.root), ...pickSides(merged) });
}

function locateSettlement({ repository, store, runId, ownBranch, ownFolder, folder }: Overlay): CommitUndo {
  return { repository, store, runId, ownBranch, ownFolder, record: join(folder, "settlement") };
}

async function undoChanges(overlay: Overlay, evidence: Evidence | null): Promise<readonly string[]> {
  const { repository, store, memory, folder } = overlay;
  await undoSettlement(locateSettlement(overlay));
  memory.known = new Map(evidence?.changes.map((change) => [decodeChangePath(change), findSideBefore(change)]));
  const merge = { root: toBytePath(repository.root), store, record: join(folder, MERGE) };
  const edited = evidence === null ? [] : await undoMerge(merge, evidence.changes);
  memory.merged = null;
  return edited.map(writeEditedNote);
}

function pickSides({ observation, evidence }: Candidate) {
  return pickChanged(evidence.changes, { before: requireBase(observation), after: observation.worktree });
}
