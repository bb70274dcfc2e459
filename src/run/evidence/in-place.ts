/**
 * The work happens in the user's own worktree.
 *
 * Nothing has to be provisioned, but the damage happens first and is repaired afterwards. So everything is observed and
 * stored before the builder starts, restoration goes by path list and content, and it counts only when a fresh
 * observation equals the first one.
 *
 * A merge keeps the files of the worktree, which are where they belong already, and puts git's own data back as it was
 * before the build: what a builder staged is in its files and not staged any more. So nothing that the judge lets pass
 * in git's folder, because honest commands leave it too, outlives the change it came with. Before the checks the same is
 * done once: they see the files of the candidate, and git as the person has it.
 */
import { join } from "node:path";
import { InvariantError } from "../../contract/values/invariant.ts";
import type { Evidence, Rules } from "../../contract/evidence/evidence.ts";
import type { Mount, Observation } from "../../contract/evidence/manifest.ts";
import { RollbackError } from "../../contract/values/rollback-error.ts";
import { compareManifests } from "../../core/observation/compare-manifests.ts";
import { compactStore } from "../../io/content/compact-store.ts";
import { type ContentStore, openContentStore, storeNames } from "../../io/content/content-store.ts";
import { isFile } from "../../io/files/is-file.ts";
import { listLostContent, takeOverContent } from "../../io/content/lost-content.ts";
import { loadObservation, type SavedObservation, saveObservation } from "../../io/observe/observation-file.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { collectEvidence } from "./collect-evidence.ts";
import { type Foreseen, foreseePatch, type PatchRequest } from "./foresee-patch.ts";
import {
  demandSameMounts,
  listMountChangesSince,
  parseMounts,
  listRepositoryMounts,
  writeMounts,
} from "./mount-watch.ts";
import { observe } from "./observe.ts";
import { listChangedPaths, mergeGitData, putBack, putBackFile, type Rollback } from "./put-back.ts";
import { writeForeseen } from "./write-foreseen.ts";

/** A store below this size is not worth the work of making it smaller. */
const COMPACT_BYTES_MIN = 256 * 1024 * 1024;

export interface InPlaceOptions {
  readonly repository: Repository;
  /** Outside the repository, private to the user. */
  readonly stateDirectory: string;
  /** The user's list of ignored files for all repositories, as it was before the work began. */
  readonly userExcludesFile: string | null;
}

/** What the builder left behind. The same candidate is judged, verified and settled. */
export interface Candidate {
  readonly evidence: Evidence;
  readonly observation: Observation;
}

interface PreparedWorkplace {
  /** The folder to work in. */
  readonly folder: string;
  /** Names what was remembered, so that a later process can prove that it puts the right thing back. */
  readonly observationSha256: string;
}

/** Where a tick works. Every backend has these, and nothing else of the kernel knows which one it is. */
export interface Workplace {
  /** Remembers everything as it is. */
  readonly prepare: () => Promise<PreparedWorkplace>;
  /**
   * After a crash: takes up what an earlier process remembered. Throws a RollbackError where that is lost. What was made
   * since in the spared folders stays when everything is put back.
   */
  readonly resume: (observationSha256: string, spared?: readonly string[]) => void;
  /** Makes the store again where somebody removed it, and writes down once more what was remembered. */
  readonly reopen: () => Promise<void>;
  /** Throws where something was mounted in the repository since. */
  readonly collect: (rules: Rules) => Promise<Candidate>;
  /** As `collect`, and where something was mounted since, all that is there counts as it was. */
  readonly collectBesideMounts: (rules: Rules) => Promise<Candidate>;
  /**
   * Puts git's own data back and leaves the files: what a check sees then is the work and not what a builder staged.
   * Answers with the paths that changed since the candidate was collected, which must be none, and with the candidate
   * as it is by now.
   */
  readonly clearGitData: (
    candidate: Candidate,
  ) => Promise<{ readonly changed: readonly string[]; readonly candidate: Candidate }>;
  /** Puts one file back, which the runner itself took away, as it was when everything was remembered. */
  readonly putBackFile: (path: string) => Promise<void>;
  /** What a patch would make of what was remembered; nothing is touched. */
  readonly foresee: (request: PatchRequest) => Promise<Foreseen>;
  /** Writes a foreseen candidate, and proves that it lies there. Throws where it does not, or where anything else changed. */
  readonly write: (candidate: Candidate) => Promise<Candidate>;
  /** The paths that are not as they were when the candidate was collected. */
  readonly changedSince: (candidate: Pick<Candidate, "observation">) => Promise<readonly string[]>;
  /** Everything as it is now, the candidate and what came after it included. */
  readonly remember: () => Promise<Observation>;
  /** Puts back only what changed since that was remembered, and proves it. Throws a RollbackError where it cannot. */
  readonly bringBack: (remembered: Observation) => Promise<void>;
  /**
   * Puts everything back, and proves it. Throws a RollbackError where it cannot. Answers with what could not be kept
   * aside on the way.
   */
  readonly discard: () => Promise<readonly string[]>;
  /**
   * Takes the candidate over; answers with the paths that changed since it was collected, which must be none. Throws a
   * RollbackError where git's data cannot be put back.
   */
  readonly merge: (candidate: Candidate) => Promise<readonly string[]>;
}

/** What a workplace knows once it was prepared. */
interface WorkplaceMemory {
  saved: SavedObservation | null;
  /** What was mounted around the repository by then. */
  mounts: readonly Mount[];
  spared: readonly string[];
}

/** Opens the user's worktree as the place to work in. What was observed earlier saves reading it again. */
export async function openInPlace(options: InPlaceOptions): Promise<Workplace> {
  const { repository } = options;
  const store = await openContentStore(options.stateDirectory, repository.environment);
  const file = join(options.stateDirectory, "observation");
  const memory: WorkplaceMemory = { saved: null, mounts: [], spared: [] };
  const { before, look, collectFrom, rollback } = openSight(options, store, memory);
  const mountsSince = () => listMountChangesSince(memory.mounts, repository);
  return {
    prepare: async () => {
      memory.mounts = await listRepositoryMounts(repository);
      const { saved, sha256 } = await observeFirst({ ...memory, repository, store, file }, look);
      memory.saved = saved;
      return { folder: repository.root, observationSha256: sha256 };
    },
    resume: (observationSha256, spared = []) => {
      memory.saved = loadSavedObservation(file, observationSha256);
      memory.mounts = parseMounts(memory.saved.signature.split(",")[1] ?? "");
      memory.spared = spared;
    },
    reopen: async () => reopenStore(options, { file, ...memory }),
    collect: async (rules) => collectFrom(rules, await look(before(), true)),
    collectBesideMounts: async (rules) => {
      const concealed = (await mountsSince()).map(({ point }) => point);
      const request = { repository, store, earlier: before(), afterBuild: true, concealed };
      return collectFrom(rules, await observe(request));
    },
    foresee: (request) => foreseePatch({ ...options, store, before: before() }, request),
    write: async ({ evidence, observation }) => ({
      evidence,
      observation: await writeForeseen(rollback(), observation),
    }),
    changedSince: async ({ observation }) => listChangedPaths(observation, await look(observation, true)),
    putBackFile: async (path) => {
      await demandSameMounts(memory.mounts, repository);
      await putBackFile(rollback(), path);
    },
    remember: () => look(before(), true),
    bringBack: async (remembered) => {
      await putBack({ repository, store, before: remembered, mountsSince, spared: [] });
    },
    discard: async () => putBack({ repository, store, before: before(), mountsSince, spared: memory.spared }),
    clearGitData: async (candidate) => clearGitData(rollback(), candidate),
    merge: async (candidate) => (await mergeGitData(rollback(), candidate.observation)).changed,
  };
}

/** How a workplace looks at its repository, which is refused where something was mounted in it since. */
function openSight(options: InPlaceOptions, store: ContentStore, memory: WorkplaceMemory) {
  const { repository } = options;
  const before = (): Observation => {
    if (memory.saved === null) throw new InvariantError("the workplace was not prepared");
    return memory.saved.observation;
  };
  const look = async (earlier: Observation | null, afterBuild: boolean): Promise<Observation> => {
    await demandSameMounts(memory.mounts, repository);
    return observe({ repository, store, earlier, afterBuild });
  };
  const collectFrom = async (rules: Rules, observation: Observation): Promise<Candidate> => {
    const sides = { before: before(), after: observation };
    return { evidence: await collectEvidence({ ...options, rules, store, ...sides }), observation };
  };
  const rollback = (): Rollback => ({ repository, store, before: before(), look });
  return { before, look, collectFrom, rollback };
}

interface FirstObservation {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly file: string;
  readonly mounts: readonly Mount[];
}

/** Remembers everything, with the help of what was remembered last where that still holds. */
async function observeFirst(
  { repository, store, file, mounts }: FirstObservation,
  look: (earlier: Observation | null, afterBuild: boolean) => Promise<Observation>,
): Promise<{ readonly saved: SavedObservation; readonly sha256: string }> {
  const signature = (): string => signObservation({ repository, store, mounts });
  const earlier = loadObservation(file);
  const isUsable = earlier !== null && holdsFor(earlier.signature, signature());
  const observation = await look(isUsable ? earlier.observation : null, false);
  await compactStore(store, { liveIds: () => listIds(observation), bytesMin: COMPACT_BYTES_MIN });
  const saved = { observation, signature: signature() };
  return { saved, sha256: await saveObservation(file, saved) };
}

function loadSavedObservation(file: string, sha256: string): SavedObservation {
  const saved = loadObservation(file);
  if (saved !== null && saved.sha256 === sha256) return saved;
  throw new RollbackError("the observation from before the build is lost", [file]);
}

/** What is committed is in the repository's own objects too, and is taken from there where the store has lost it. */
async function reopenStore(
  { repository, stateDirectory }: InPlaceOptions,
  { file, saved, mounts }: WorkplaceMemory & { readonly file: string },
): Promise<void> {
  const store = await openContentStore(stateDirectory, repository.environment);
  if (saved === null) return;
  if (!isFile(file)) await saveObservation(file, saved);
  if (holdsFor(saved.signature, signObservation({ repository, store, mounts }))) return;
  const ids = await listLostContent(store, [...listIds(saved.observation)]);
  await takeOverContent(store, { ids, objects: join(repository.commonDir, "objects") });
}

/** Where the builder left git's data alone there is nothing to look at. */
async function clearGitData(rollback: Rollback, candidate: Candidate): ReturnType<Workplace["clearGitData"]> {
  const { evidence, observation } = candidate;
  if (compareManifests(rollback.before.git, observation.git).length === 0) return { changed: [], candidate };
  const { changed, git } = await mergeGitData(rollback, observation);
  return { changed, candidate: { evidence, observation: { ...observation, git } } };
}

function listIds({ worktree, git }: Observation): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const manifest of [worktree, git]) for (const { id } of manifest.values()) if (id !== null) ids.add(id);
  return ids;
}

/** For which worktree, with what mounted around it, an observation holds, and what the store must still have. */
function signObservation({ repository, store, mounts }: Omit<FirstObservation, "file">): string {
  const { root, commonDir } = repository;
  const worktree = Buffer.from(`${root}\0${commonDir}`).toString("hex");
  return [worktree, writeMounts(mounts), ...storeNames(store)].join(",");
}

/** Content may have been added to the store since, but none may be lost. */
function holdsFor(saved: string, now: string): boolean {
  const [worktree, mounts, ...needed] = saved.split(",");
  const [worktreeNow, mountsNow, ...present] = now.split(",");
  return worktree === worktreeNow && mounts === mountsNow && needed.every((name) => present.includes(name));
}
