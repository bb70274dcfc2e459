/**
 * The work happens in the user's own worktree.
 *
 * Nothing has to be provisioned, but the damage happens first and is repaired afterwards. So everything is observed and
 * stored before the builder starts, restoration goes by path list and content, and it counts only when a fresh
 * observation equals the first one.
 */
import { join } from "node:path";
import { InvariantError } from "../contract/invariant.ts";
import type { Evidence, Rules } from "../contract/evidence.ts";
import type { Observation } from "../contract/manifest.ts";
import { RollbackError } from "../contract/rollback-error.ts";
import { compareManifests, type Difference } from "../core/observation/compare-manifests.ts";
import { pathText } from "../core/observation/path-text.ts";
import { type RestorationPlan, restorationPlan } from "../core/observation/restoration-plan.ts";
import { bytePath } from "../io/byte-path.ts";
import { compactStore } from "../io/compact-store.ts";
import { type ContentStore, openContentStore, storeSignature } from "../io/content-store.ts";
import { loadObservation, saveObservation } from "../io/observation-file.ts";
import type { Repository } from "../io/repository-layout.ts";
import { restore } from "../io/restore.ts";
import { collectEvidence } from "./collect-evidence.ts";
import { observe } from "./observe.ts";

/** A store below this size is not worth the work of making it smaller. */
const COMPACT_BYTES_MIN = 256 * 1024 * 1024;

export interface InPlaceOptions {
  readonly repository: Repository;
  /** Outside the repository, private to the user. */
  readonly stateDirectory: string;
  readonly rules: Rules;
  /** The user's list of ignored files for all repositories, as it was before the work began. */
  readonly userExcludesFile: string | null;
}

/** What the builder left behind. The same candidate is judged, verified and settled. */
export interface Candidate {
  readonly evidence: Evidence;
  readonly observation: Observation;
}

export interface Prepared {
  /** The folder to work in. */
  readonly folder: string;
  /** Names what was remembered, so that a later process can prove that it puts the right thing back. */
  readonly observationSha256: string;
}

/** Where a tick works. Every backend has these, and nothing else of the kernel knows which one it is. */
export interface Workplace {
  /** Remembers everything as it is. */
  readonly prepare: () => Promise<Prepared>;
  /** After a crash: takes up what an earlier process remembered. Throws a RollbackError where that is lost. */
  readonly resume: (observationSha256: string) => void;
  readonly collect: () => Promise<Candidate>;
  /** The paths that are not as they were when the candidate was collected. */
  readonly changedSince: (candidate: Candidate) => Promise<readonly string[]>;
  /** Puts everything back, and proves it. Throws a RollbackError where it cannot. */
  readonly discard: () => Promise<void>;
  /** Takes the candidate over; answers with the paths that changed since it was collected, which must be none. */
  readonly merge: (candidate: Candidate) => Promise<readonly string[]>;
}

/** Opens the user's worktree as the place to work in. What was observed earlier saves reading it again. */
export async function openInPlace(options: InPlaceOptions): Promise<Workplace> {
  const store = await openContentStore(options.stateDirectory);
  const file = join(options.stateDirectory, "observation");
  let first: Observation | null = null;
  const before = (): Observation => {
    if (first === null) throw new InvariantError("the workplace was not prepared");
    return first;
  };
  const look = (earlier: Observation | null, afterBuild: boolean): Promise<Observation> =>
    observe({ repository: options.repository, store, earlier, afterBuild });
  const changedSince = async (candidate: Candidate): Promise<readonly string[]> =>
    differencesOf(candidate.observation, await look(candidate.observation, true));
  return {
    prepare: async () => {
      const saved = loadObservation(file);
      const isUsable = saved !== null && saved.signature === signatureOf(options.repository, store);
      first = await look(isUsable ? saved.observation : null, false);
      await compactStore(store, { live: idsOf(first), bytesMin: COMPACT_BYTES_MIN });
      const signature = signatureOf(options.repository, store);
      const observationSha256 = await saveObservation(file, { observation: first, signature });
      return { folder: options.repository.root, observationSha256 };
    },
    resume: (observationSha256) => {
      const saved = loadObservation(file);
      if (saved === null || saved.sha256 !== observationSha256) {
        throw new RollbackError("the observation from before the build is lost", [file]);
      }
      first = saved.observation;
    },
    collect: async () => {
      const observation = await look(before(), true);
      const evidence = await collectEvidence({ ...options, store, before: before(), after: observation });
      return { evidence, observation };
    },
    changedSince,
    discard: async () => putBack({ repository: options.repository, store, before: before(), look }),
    // The candidate is where it belongs already.
    merge: changedSince,
  };
}

interface Rollback {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Observation;
  readonly look: (earlier: Observation, afterBuild: boolean) => Promise<Observation>;
}

async function putBack({ repository, store, before, look }: Rollback): Promise<void> {
  try {
    const now = await look(before, true);
    const parts = [
      { folder: bytePath(repository.root), plan: restorationPlan(before.worktree, now.worktree) },
      { folder: bytePath(repository.commonDir), plan: restorationPlan(before.git, now.git) },
    ];
    const isDone = parts.every(({ plan }) => isEmpty(plan));
    for (const { folder, plan } of parts) await restore({ folder, store, plan });
    // Where nothing was to be done, the observation just taken is the proof.
    const differences = differencesOf(before, isDone ? now : await look(before, false));
    if (differences.length > 0) throw new RollbackError("it is still different", differences);
  } catch (error) {
    if (error instanceof RollbackError) throw error;
    throw new RollbackError(error instanceof Error ? error.message : String(error), []);
  }
}

function isEmpty({ remove, createFolders, write, settle }: RestorationPlan): boolean {
  return remove.length + createFolders.length + write.length + settle.length === 0;
}

function differencesOf(before: Observation, after: Observation): readonly string[] {
  return [
    ...compareManifests(before.worktree, after.worktree)
      .filter(isRestorable)
      .map(({ path }) => pathText(path).text),
    ...compareManifests(before.git, after.git)
      .filter(isRestorable)
      .map(({ path }) => `git: ${pathText(path).text}`),
  ];
}

/** Sockets cannot be made again; that one is gone is told in the evidence and nothing more can be done. */
function isRestorable({ before, after }: Difference): boolean {
  return !(before?.type === "socket" && after === null);
}

function idsOf({ worktree, git }: Observation): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const manifest of [worktree, git])
    for (const { id } of manifest.values()) if (id !== null) ids.add(id);
  return ids;
}

/** An observation holds for one worktree and for a store that still has all of its content. */
function signatureOf({ root, commonDir }: Repository, store: ContentStore): string {
  return `${storeSignature(store)}:${Buffer.from(`${root}\0${commonDir}`).toString("hex")}`;
}
