import type * as v from "valibot";
import type { IsolationUsed } from "../records/agent.ts";
import type { Change, Evidence, Rules } from "../records/evidence.ts";
import type { Entry, Observation } from "../base/manifest.ts";
import type { GrowthWatch } from "../store/watch-growth.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { Enclosure } from "../process/enclosure.ts";
import type { RollbackStep } from "../records/recovery.ts";
import type { Foreseen, PatchRequest } from "../evidence/foresee-patch.ts";
import type { RollbackFiles } from "../evidence/unproven-rollback.ts";
import { replaceEntries } from "../evidence/pure/rewind.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { endTrial, noteTrial } from "../journal/trial-note.ts";

export type IsolationName = v.InferOutput<typeof IsolationUsed>;

/** What the builder left behind. The same candidate is judged, verified and settled. */
export interface Candidate {
  readonly evidence: Evidence;
  readonly observation: Observation;
}

/** Where a tick works, by who calls it. It belongs to one attempt. */
export interface Workplace {
  readonly place: Place;
  readonly change: ChangeView;
  readonly settlement: Settlement;
  readonly recovery: PlaceRecovery;
}

/** Where programs run: agents, checks, and the sandbox around them. */
export interface Place {
  readonly isolation: IsolationName;
  /** The repository that its observations are of. */
  readonly repository: Repository;
  /** The worktree, as a program of the tick sees it. */
  readonly cwd: string;
  /** The same folder, as this process reaches it. */
  readonly tree: string;
  /** How programs are started there; null is as any other program. */
  readonly enclosure: Enclosure | null;
  /** Watches until its end whether more is added since T0 than the tick may add. */
  readonly watchGrowth: () => GrowthWatch;
  /** Releases what the place occupies, and removes it unless another process is to resume it. It cannot be used afterwards. */
  readonly close: (isResumedLater?: boolean) => Promise<void>;
}

/** What became of the tree. */
export interface ChangeView {
  /**
   * Observes everything as it is (T0). The answer is a hash, which lets a later process prove that it restores the right
   * observation.
   *
   * `rememberedSha256` is the hash of the last observation in the journal. Only that one saves reading: a builder can
   * forge the file together with the hash inside it.
   */
  readonly prepare: (rememberedSha256?: string | null) => Promise<string>;
  /**
   * Throws where something was mounted in the repository since, unless everything at a new mount is to count as
   * unchanged.
   */
  readonly collect: (rules: Rules, mounts?: "refuse" | "unchanged") => Promise<Candidate>;
  /**
   * Restores git's own data and ignored caches of tools, and leaves all other files: a check sees the work, and neither
   * what a builder staged nor what it told a tool to remember.
   * Answers with the paths that changed since the candidate was collected (there must be none) and the candidate
   * as it is now.
   */
  readonly clean: (
    candidate: Candidate,
  ) => Promise<{ readonly changed: readonly string[]; readonly candidate: Candidate }>;
  readonly changedSince: (candidate: Pick<Candidate, "observation">) => Promise<readonly string[]>;
  /**
   * In a copy: the paths of the original that changed since, and so did a person, or a program that left the place. None
   * where no program of the tick can find the original, or where it is the place itself.
   */
  readonly originalEdits: () => Promise<readonly string[]>;
  /** Observes everything as it is now, the candidate included. */
  readonly observe: () => Promise<Observation>;
  /** Reverts what changed since that observation, and proves it. Throws a RollbackError where it cannot. */
  readonly bringBack: (observation: Observation) => Promise<void>;
  /** Does something with another content of the place. What it held is restored and proven afterwards. */
  readonly trial: <Answer>(trial: Trial, act: (tried: Observation) => Promise<Answer>) => Promise<Answer>;
  /** What a patch would change; nothing is touched. */
  readonly foresee: (request: PatchRequest) => Promise<Foreseen>;
  /** Writes a foreseen candidate and proves it. Throws where anything else changed. */
  readonly write: (candidate: Candidate) => Promise<Candidate>;
  /** Restores one file of T0 that the runner itself removed. */
  readonly putBackFile: (path: string) => Promise<void>;
  /** The builder's words without the values of secrets that were there before the build. */
  readonly hideSecrets: <Words>(rules: Rules, words: Words) => Promise<Words>;
}

export interface Trial {
  /** What the place holds again afterwards; absent is what it holds now. */
  readonly kept?: Observation;
  /** The changes that are reverted to T0 meanwhile; absent leaves the place as it is. */
  readonly rewound?: readonly Change[];
  /** What these paths hold meanwhile, as byte strings; null is nothing. Absent are none. */
  readonly instead?: ReadonlyMap<string, Entry | null>;
  /** Paths where files lie meanwhile that no agent may see. */
  readonly heldOut?: readonly string[];
}

export interface Settlement {
  /**
   * Keeps the candidate; answers with the paths that changed since it was collected (there must be none). Throws a
   * RollbackError where git's data cannot be restored, and MainTreeChanged where a person changed the worktree of a
   * place of its own.
   */
  readonly merge: (candidate: Candidate) => Promise<readonly string[]>;
  /**
   * Restores T0 and proves it. Throws a RollbackError where it cannot. Answers with what could not be
   * saved first.
   */
  readonly discard: () => Promise<readonly string[]>;
  /**
   * Called before the runner writes these files of its own into the worktree and commits, so that `discard` and
   * `revertMerge` revert both.
   */
  readonly noteOwnFiles: (paths: readonly string[]) => Promise<void>;
  /** Rebuilds the store and the saved observation if they were removed. */
  readonly reopen: () => Promise<void>;
}

/** After a crash, in another process. */
export interface PlaceRecovery {
  /**
   * Loads the observation of an earlier process. Throws a RollbackError where it is lost. Files made
   * since in the spared folders survive a rollback.
   */
  readonly resume: (observationSha256: string, spared?: readonly string[]) => Promise<void>;
  /**
   * Reverts what a merge and the runner had already written into the repository, and answers with notes
   * about paths that somebody edited since. Null where nothing was judged yet. Where the work happens in the worktree
   * there is nothing to do: `discard` does it.
   */
  readonly revertMerge: (evidence: Evidence | null) => Promise<readonly string[]>;
  /** What a rollback to the observation of an earlier process would do that git does not confirm. */
  readonly review: (files: RollbackFiles) => Promise<readonly RollbackStep[]>;
}

interface TrialSteps extends Pick<ChangeView, "observe" | "bringBack"> {
  readonly runDirectory: string;
  /** The observation with these paths, as byte strings, as they were at T0. */
  readonly rewind: (observation: Observation, paths: readonly string[]) => Observation;
  /** Where observations are partial, so that one also knows these paths; absent where they are whole. */
  readonly learn?: (observation: Observation, paths: readonly string[]) => Promise<Observation>;
}

export function makeTrial({ runDirectory, observe, rewind, bringBack, learn }: TrialSteps): ChangeView["trial"] {
  return async ({ kept: known, rewound, instead, heldOut = [] }, act) => {
    const now = known ?? (await observe());
    const kept = instead === undefined || learn === undefined ? now : await learn(now, [...instead.keys()]);
    const old = rewound === undefined ? kept : rewind(kept, rewound.map(decodeChangePath));
    const tried = instead === undefined ? old : replaceEntries(old, instead);
    await noteTrial(runDirectory, heldOut);
    try {
      if (tried !== kept) await bringBack(tried);
      return await act(tried);
    } finally {
      await bringBack(kept);
      endTrial(runDirectory);
    }
  };
}
