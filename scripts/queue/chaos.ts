import type { Engine, JobView } from "../../src/contract/queue/engine.ts";
import type { ChaosPlaces } from "./chaos-places.ts";
import type { ChaosWorker } from "./chaos-workers.ts";
import type { Random } from "./random.ts";
import type { SmallDisk } from "./small-disk.ts";

export interface ChaosWish {
  readonly kills: number;
  readonly seed: number;
  readonly onProgress: (text: string) => void;
}

export interface ChaosFound {
  readonly seconds: number;
  readonly jobs: number;
  readonly attempts: number;
  readonly killedAlone: number;
  readonly killedWithSessions: number;
  readonly stopped: number;
  /** Null where no small disk could be mounted. */
  readonly fullDisks: number | null;
  readonly clockJumps: number;
  readonly cancelled: number;
  readonly lost: readonly string[];
  readonly overlaps: readonly string[];
  readonly duplicates: readonly string[];
  readonly leftBehind: readonly string[];
  /** What workers said on standard error. */
  readonly errors: string;
}

/** Everything about one run. */
export interface Chaos {
  readonly wish: ChaosWish;
  readonly places: ChaosPlaces;
  readonly random: Random;
  readonly engine: Engine;
  readonly disk: SmallDisk | null;
  readonly marker: string;
  readonly workers: ChaosWorker[];
  readonly counts: { alone: number; all: number; stops: number; disks: number; jumps: number };
  readonly submitted: string[];
  readonly cancels: Set<string>;
  /** Jobs after another one: they end with it when that is cancelled. */
  readonly dependents: Set<string>;
  /** The newest view of each job: the queue forgets old ones. */
  readonly views: Map<string, JobView>;
  readonly pending: Promise<unknown>[];
  started: number;
  errors: string;
}
