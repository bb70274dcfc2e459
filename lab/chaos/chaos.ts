import type { Engine, JobView } from "../../src/queue/pure/engine.ts";
import type { JobSpec } from "../../src/queue/pure/job.ts";
import type { NatsServer } from "../../test/fleet/nats-server.ts";
import type { ChaosPlaces } from "./chaos-places.ts";
import type { ChaosWorker } from "./chaos-workers.ts";
import type { Random } from "../../scripts/random.ts";
import type { SmallDisk } from "./small-disk.ts";

export interface ChaosWish {
  readonly kills: number;
  readonly seed: number;
  /** With `relais worker`, and whole ticks as jobs. */
  readonly isReal: boolean;
  /** On a server that is killed, too, instead of a folder. */
  readonly isFleet: boolean;
  readonly onProgress: (text: string) => void;
}

/** The workers of a run and their jobs. */
export interface ChaosCrew {
  readonly queue: string;
  readonly workers: number;
  /** Jobs that wait or run at any time. */
  readonly backlog: number;
  /** Between two strikes, at most. */
  readonly pauseMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How a worker is started. */
  readonly command: (name: string) => readonly string[];
  readonly describeJob: (random: Random) => Partial<JobSpec>;
  /** Branches that were made twice, or that are not the recorded ones. */
  readonly findDuplicates: (views: readonly JobView[], engine: Engine) => Promise<readonly string[]>;
  readonly leaseMs: number;
  /** Whether its clock can jump. */
  readonly isSmall: boolean;
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
  /** Null where the run has no server. */
  readonly serverKills: number | null;
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
  readonly crew: ChaosCrew;
  readonly random: Random;
  readonly engine: Engine;
  readonly disk: SmallDisk | null;
  readonly server: NatsServer | null;
  readonly marker: string;
  readonly workers: ChaosWorker[];
  readonly counts: { alone: number; all: number; stops: number; disks: number; jumps: number; servers: number };
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
