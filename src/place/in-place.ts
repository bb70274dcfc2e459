/**
 * The work happens in the user's own worktree.
 *
 * Nothing has to be provisioned, but the damage happens first and is repaired afterwards. So everything is observed and
 * stored before the builder starts, restoration goes by path list and content, and it counts only when a fresh
 * observation equals the first one.
 *
 * A merge keeps the files of the worktree and restores git's own data as it was
 * before the build: what a builder staged is in its files and not staged any more. So nothing that the judge lets pass
 * in git's folder, because honest commands leave it too, outlives the change it came with. Before the checks the same is
 * done once: they see the files of the candidate, and git as the user has it.
 */
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { InvariantError } from "../base/errors.ts";
import type { Mount, Observation } from "../base/manifest.ts";
import { RollbackError } from "../base/rollback-error.ts";
import { compareManifests, listContentIds } from "../evidence/pure/compare-manifests.ts";
import { rewind } from "../evidence/pure/rewind.ts";
import { type ContentStore, openContentStore } from "../store/content-store.ts";
import { syncEntries } from "../system/sync-file.ts";
import { type WatchedFolder, watchGrowth } from "../store/watch-growth.ts";
import { toBytePath } from "../system/byte-path.ts";
import { isFile } from "../system/read-files.ts";
import { listLostContent, takeOverContent } from "../store/lost-content.ts";
import { loadObservation, type SavedObservation, saveObservation } from "../store/observation-file.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readGrowthCaps } from "./choose-place.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { clearCaches } from "./clear-caches.ts";
import { collectEvidence } from "../evidence/collect-evidence.ts";
import { isWrittenByRelais } from "../config/workspace-layout.ts";
import { hideSecrets } from "../evidence/copied-content.ts";
import { foreseePatch } from "../evidence/foresee-patch.ts";
import { demandSameMounts, listMountChangesSince, parseMounts, listRepositoryMounts } from "../evidence/mount-watch.ts";
import { holdsFor, loadRemembered, signObservation } from "../evidence/observation-signature.ts";
import { observe } from "../evidence/observe.ts";
import { type Candidate, type ChangeView, makeTrial, type Place, type Workplace } from "./workplace.ts";
import { listUnprovenRollback } from "../evidence/unproven-rollback.ts";
import {
  listChangedPaths,
  mergeGitData,
  putBack,
  putBackFile,
  type Rollback,
  type WholeRollback,
  writeForeseen,
} from "../evidence/put-back.ts";

export interface InPlaceOptions {
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** The folder of the tick in it. */
  readonly runDirectory: string;
  /** As it was before the work began. */
  readonly userExcludesFile: string | null;
  /** Says how much the tick may add to the repository; absent is no limit. */
  readonly config?: Pick<Config, "runner" | "workspace_dir" | "history">;
}

interface WorkplaceMemory {
  saved: SavedObservation | null;
  /** What a rollback leads to. */
  before: Observation | null;
  mounts: readonly Mount[];
  spared: readonly string[];
}

/** Where the first observation is saved, and how it is made where that is not by looking at everything. */
export interface FirstObservationSource {
  readonly file: string;
  readonly observeFirst?: () => Promise<Observation>;
}

/** An earlier observation saves reading unchanged files again. */
export async function openInPlace(options: InPlaceOptions, own?: FirstObservationSource): Promise<Workplace> {
  const { repository, stateDirectory } = options;
  const source = own ?? { file: join(stateDirectory, "observation") };
  const store = await openContentStore(stateDirectory, repository.environment);
  const memory: WorkplaceMemory = { saved: null, before: null, mounts: [], spared: [] };
  const sight = openSight(options, store, memory);
  return {
    place: standIn(repository, () => watchGrowth(listWatchedFolders(repository, memory), sight.caps)),
    change: {
      prepare: async (rememberedSha256 = null) => {
        memory.mounts = await listRepositoryMounts(repository);
        const first = { ...memory, repository, store, rememberedSha256, ...source };
        const { sha256, ...saved } = await prepareFirst(first, sight.look);
        memory.saved = saved;
        memory.before = saved.observation;
        return sha256;
      },
      ...viewChange(options, store, sight),
    },
    settlement: {
      merge: (candidate) => mergeInPlace(sight.rollback(), candidate),
      discard: () => putBack(sight.whole()),
      noteOwnFiles: () => Promise.resolve(),
      reopen: async () => reopenStore(options, { ...source, ...memory }),
    },
    recovery: {
      resume: async (observationSha256, spared = []) => {
        memory.saved = loadSavedObservation(source.file, observationSha256);
        memory.before = memory.saved.observation;
        memory.mounts = parseMounts(memory.saved.signature.split(",")[1] ?? "");
        memory.spared = spared;
      },
      revertMerge: () => Promise.resolve([]),
      review: (files) => listUnprovenRollback(sight.whole(), files),
    },
  };
}

function standIn(repository: Repository, watch: Place["watchGrowth"]): Place {
  const { root } = repository;
  const own = { watchGrowth: watch, close: () => Promise.resolve() };
  return { isolation: "in_place", repository, cwd: root, tree: root, enclosure: null, ...own };
}

function viewChange(options: InPlaceOptions, store: ContentStore, sight: Sight): Omit<ChangeView, "prepare"> {
  const { repository, runDirectory } = options;
  const { before, look, rollback, demandMounts } = sight;
  const seeAll = {
    observe: () => look(before(), true),
    bringBack: async (kept: Observation) => void (await putBack({ ...sight.whole(), before: kept, spared: [] })),
  };
  return {
    ...seeAll,
    trial: makeTrial({
      ...seeAll,
      runDirectory,
      rewind: (now, paths) => rewind(now, before().worktree, paths),
    }),
    collect: async (rules, mounts = "refuse") => {
      const after = await (mounts === "refuse" ? seeAll.observe() : sight.lookBesideMounts());
      const evidence = await collectEvidence({ ...options, rules, store, before: before(), after });
      return { evidence, observation: after };
    },
    clean: async (candidate) => clearGitData(rollback(), candidate),
    changedSince: async ({ observation }) => listChangedPaths(observation, await look(observation, true)),
    originalEdits: () => Promise.resolve([]),
    foresee: (request) => foreseePatch({ ...options, store, before: before() }, request),
    write: async ({ evidence, observation: foreseen }) => {
      return { evidence, observation: await writeForeseen(rollback(), foreseen) };
    },
    putBackFile: async (path) => {
      await demandMounts();
      await putBackFile(rollback(), path);
    },
    hideSecrets: (rules, words) => hideSecrets({ repository, store, before: before(), rules }, words),
  };
}

/** The journal will say that the change is kept, and a builder seldom waits for the disk. */
async function mergeInPlace(place: Rollback, { evidence, observation }: Candidate): Promise<readonly string[]> {
  const { changed } = await mergeGitData(place, observation);
  const kept = evidence.changes.filter(({ standing }) => standing !== "ignored");
  syncEntries(toBytePath(place.repository.root), kept.map(decodeChangePath));
  return changed;
}

/** Nothing before T0 is known. */
function listWatchedFolders({ root, commonDir }: Repository, { saved }: WorkplaceMemory): readonly WatchedFolder[] {
  if (saved === null) return [];
  const { worktree, git } = saved.observation;
  return [
    { folder: toBytePath(root), earlier: worktree, skipped: ".git" },
    { folder: toBytePath(commonDir), earlier: git, skipped: null },
  ];
}

type Sight = ReturnType<typeof openSight>;

/** Every observation throws where something was mounted in the repository since. */
function openSight(options: InPlaceOptions, store: ContentStore, memory: WorkplaceMemory) {
  const { repository, config } = options;
  const caps = readGrowthCaps(options);
  const isOwn = (path: string): boolean => config !== undefined && isWrittenByRelais(path, config);
  const before = (): Observation => {
    if (memory.before === null) throw new InvariantError("the workplace was not prepared");
    return memory.before;
  };
  const demandMounts = () => demandSameMounts(memory.mounts, repository);
  const mountsSince = () => listMountChangesSince(memory.mounts, repository);
  const look = async (earlier: Observation | null, afterBuild: boolean): Promise<Observation> => {
    await demandMounts();
    return observe({ repository, store, earlier, afterBuild, ...(afterBuild ? { caps } : {}) });
  };
  const around = { repository, store, caps };
  const lookBesideMounts = async (): Promise<Observation> => {
    const concealed = (await mountsSince()).map(({ point }) => point);
    return observe({ ...around, earlier: before(), afterBuild: true, concealed });
  };
  const rollback = (): Rollback => ({ repository, store, before: before(), look });
  const whole = (): WholeRollback => {
    return { ...around, isOwn, before: before(), mountsSince, spared: memory.spared };
  };
  return { caps, before, demandMounts, look, lookBesideMounts, rollback, whole };
}

interface FirstObservation extends FirstObservationSource {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly mounts: readonly Mount[];
  readonly rememberedSha256: string | null;
}

async function prepareFirst(
  request: FirstObservation,
  look: (earlier: Observation | null, afterBuild: boolean) => Promise<Observation>,
): Promise<SavedObservation & { readonly sha256: string }> {
  const { store, file, observeFirst } = request;
  const observation = await (observeFirst?.() ?? look(loadRemembered(request), false));
  const saved = { observation, signature: signObservation(request) };
  return { ...saved, sha256: await saveObservation(file, saved, store.redo) };
}

function loadSavedObservation(file: string, sha256: string): SavedObservation {
  const saved = loadObservation(file);
  if (saved !== null && saved.sha256 === sha256) return saved;
  throw new RollbackError("the observation from before the build is lost", [file]);
}

/** Committed content that the store has lost is copied from the repository's own objects. */
async function reopenStore(
  { repository, stateDirectory }: InPlaceOptions,
  { file, saved, mounts }: WorkplaceMemory & { readonly file: string },
): Promise<void> {
  const store = await openContentStore(stateDirectory, repository.environment);
  if (saved === null) return;
  if (!isFile(file)) await saveObservation(file, saved, store.redo);
  if (holdsFor(saved.signature, signObservation({ repository, store, mounts }))) return;
  const ids = await listLostContent(store, [...listContentIds(saved.observation)]);
  await takeOverContent(store, { ids, objects: join(repository.commonDir, "objects") });
}

/** Restores git's data and the caches of tools: a forged cache would decide a check. */
async function clearGitData(rollback: Rollback, judged: Candidate): ReturnType<ChangeView["clean"]> {
  const { repository, store, before } = rollback;
  const folder = toBytePath(repository.root);
  const candidate = await clearCaches(folder, store, before.worktree, judged);
  const { evidence, observation } = candidate;
  if (compareManifests(rollback.before.git, observation.git).length === 0) return { changed: [], candidate };
  const { changed, git } = await mergeGitData(rollback, observation);
  return { changed, candidate: { evidence, observation: { ...observation, git } } };
}
