/**
 * The work happens in the user's own worktree.
 *
 * Nothing has to be provisioned, but the damage happens first and is repaired afterwards. So everything is observed and
 * stored before the builder starts, restoration goes by path list and content, and it counts only when a fresh
 * observation equals the first one.
 *
 * A merge keeps the files of the worktree, which are where they belong already, and puts git's own data back as it was
 * before the build: what a builder staged is in its files and not staged any more. So nothing that the judge lets pass
 * in git's folder, because honest commands leave it too, outlives the change it came with.
 */
import { join } from "node:path";
import { InvariantError } from "../contract/invariant.ts";
import type { Evidence, Rules } from "../contract/evidence.ts";
import type { Observation } from "../contract/manifest.ts";
import { RollbackError } from "../contract/rollback-error.ts";
import { compactStore } from "../io/compact-store.ts";
import { type ContentStore, openContentStore, storeNames } from "../io/content-store.ts";
import { loadObservation, saveObservation } from "../io/observation-file.ts";
import type { Repository } from "../io/repository-layout.ts";
import { collectEvidence } from "./collect-evidence.ts";
import { observe } from "./observe.ts";
import { changedPaths, mergeGitData, putBack } from "./put-back.ts";

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

interface Prepared {
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
  readonly collect: (rules: Rules) => Promise<Candidate>;
  /** The paths that are not as they were when the candidate was collected. */
  readonly changedSince: (candidate: Pick<Candidate, "observation">) => Promise<readonly string[]>;
  /** Everything as it is now, the candidate and what came after it included. */
  readonly remember: () => Promise<Observation>;
  /** Puts back only what changed since that was remembered, and proves it. Throws a RollbackError where it cannot. */
  readonly bringBack: (remembered: Observation) => Promise<void>;
  /** Puts everything back, and proves it. Throws a RollbackError where it cannot. */
  readonly discard: () => Promise<void>;
  /**
   * Takes the candidate over; answers with the paths that changed since it was collected, which must be none. Throws a
   * RollbackError where git's data cannot be put back.
   */
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
  const changedSince: Workplace["changedSince"] = async ({ observation }) =>
    changedPaths(observation, await look(observation, true));
  return {
    prepare: async () => {
      const saved = loadObservation(file);
      const isUsable = saved !== null && holdsFor(saved.signature, options.repository, store);
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
    collect: async (rules) => {
      const observation = await look(before(), true);
      const evidence = await collectEvidence({
        ...options,
        rules,
        store,
        before: before(),
        after: observation,
      });
      return { evidence, observation };
    },
    changedSince,
    remember: () => look(before(), true),
    bringBack: (remembered) => putBack({ repository: options.repository, store, before: remembered, look }),
    discard: async () => putBack({ repository: options.repository, store, before: before(), look }),
    merge: async (candidate) =>
      mergeGitData({ repository: options.repository, store, before: before(), look }, candidate.observation),
  };
}

function idsOf({ worktree, git }: Observation): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const manifest of [worktree, git])
    for (const { id } of manifest.values()) if (id !== null) ids.add(id);
  return ids;
}

/** For which worktree an observation holds, and what the store must still have for it to be of use. */
function signatureOf(repository: Repository, store: ContentStore): string {
  return [worktreeName(repository), ...storeNames(store)].join(",");
}

/** Content may have been added to the store since, but none may be lost. */
function holdsFor(signature: string, repository: Repository, store: ContentStore): boolean {
  const [worktree, ...needed] = signature.split(",");
  const present = new Set(storeNames(store));
  return worktree === worktreeName(repository) && needed.every((name) => present.has(name));
}

function worktreeName({ root, commonDir }: Repository): string {
  return Buffer.from(`${root}\0${commonDir}`).toString("hex");
}
