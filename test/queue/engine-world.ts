/** What every case of the suite needs: an empty queue, engines on it, and workers in processes of their own. */
import type { Claim, ClaimWait, Engine } from "../../src/queue/pure/engine.ts";
import type { JobId, JobSpec, JobTerms } from "../../src/queue/pure/job.ts";
import type { Child, ChildStarter } from "./children.ts";
import { jobSpec, jobTerms } from "./jobs.ts";
import type { OpenEngine } from "./open-engine.ts";

export const LEASE_MS = 60_000;

export interface EngineWorld {
  readonly place: string;
  readonly engine: Engine;
  /** Milliseconds that the wall clock of this process is ahead. */
  readonly clock: { aheadMs: number };
  readonly submit: (spec?: Partial<JobSpec>, terms?: Partial<JobTerms>, id?: JobId) => Promise<JobId>;
  readonly claim: (want?: ClaimWish) => Promise<Claim | null>;
  /** The same, where there must be a job. */
  readonly claimOne: (want?: ClaimWish) => Promise<Claim>;
  readonly startWorker: (name: string) => Child;
  /** Opens the same queue as another process would. */
  readonly again: () => Promise<Engine>;
}

interface ClaimWish {
  readonly labels?: readonly string[];
  readonly until?: ClaimWait["until"];
  readonly signal?: AbortSignal;
  readonly worker?: string;
}

export async function openWorld(open: OpenEngine, place: string, children: ChildStarter): Promise<EngineWorld> {
  const clock = { aheadMs: 0 };
  const engine = await open(place, { readClockMs: () => Date.now() + clock.aheadMs });
  const claim = ({
    labels = [],
    until = "once",
    signal = new AbortController().signal,
    worker = "test",
  }: ClaimWish = {}) =>
    engine.claim({ id: worker, host: "here", pid: process.pid }, { labels, leaseMs: LEASE_MS }, { until, signal });
  return {
    place,
    engine,
    clock,
    submit: (spec, terms, id) => engine.submit(jobSpec(spec), jobTerms(terms), id),
    claim,
    claimOne: async (wish) => {
      const claimed = await claim(wish);
      if (claimed === null) throw new Error("nothing could be claimed");
      return claimed;
    },
    startWorker: (name) => children.start(place, name),
    again: () => open(place),
  };
}

/** Asks again until the answer is right; a test's own limit ends it. */
export async function waitUntil<T>(read: () => Promise<T> | T, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
