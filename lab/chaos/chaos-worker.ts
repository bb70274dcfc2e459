/**
 * A small worker for the chaos run, beside the real one: it claims jobs and runs a shell script for each, as a process
 * group of its own. Arguments: the folder of the run, the worker's name, slots, and the lease in milliseconds.
 */
import { readFileSync } from "node:fs";
import { type Claim, type Engine, isPassing } from "../../src/queue/pure/engine.ts";
import type { JobResult } from "../../src/queue/pure/job.ts";
import { endGroup, runSession } from "./chaos-session.ts";
import { chaosPlaces } from "./chaos-places.ts";
import { openChaosEngine } from "./open-chaos-engine.ts";

const RETRY_MS = 100;

const [, , folder = "", name = "", slots = "1", leaseMs = "1000"] = process.argv;
const places = chaosPlaces(folder);
const stop = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => stop.abort());

/** The wall clock of the run, which jumps. */
function readClockMs(): number {
  try {
    return Date.now() + Number(readFileSync(places.clock, "utf8"));
  } catch {
    return Date.now();
  }
}

const engine = await retry(() => openChaosEngine(places, { folder: places.queue, readClockMs }));
await Promise.all(Array.from({ length: Number(slots) }, () => fillSlot(engine)));
await engine.close();

async function fillSlot({ claim }: Engine): Promise<void> {
  const worker = { id: name, host: "here", pid: process.pid };
  while (!stop.signal.aborted) {
    const claimed = await retry(() =>
      claim(worker, { labels: [], leaseMs: Number(leaseMs) }, { until: "signal", signal: stop.signal }),
    );
    if (claimed !== null) await runJob(claimed);
  }
}

async function runJob(claim: Claim): Promise<void> {
  for (const { process: leftover } of claim.leftovers) await endGroup(leftover);
  const ended = await runSession(claim, places, stop.signal);
  if (ended.kind === "done") {
    const { commit } = ended;
    await retry(() => claim.finish({ ...result(claim), branch: `relais/${claim.job}`, commit }));
  } else if (ended.kind === "failed") {
    const failed = {
      outcome: "failed",
      exit_status: ended.status,
      summary: `the session ended with ${ended.status}`,
    } as const;
    await retry(() => claim.finish({ ...result(claim), ...failed }));
  } else if (ended.kind === "cancelled") {
    await retry(() => claim.finish({ ...result(claim), outcome: "cancelled", summary: "cancelled" }));
  } else await retry(() => claim.release("the worker stops", null));
}

function result({ spent }: Claim): JobResult {
  return {
    outcome: "done",
    code: null,
    exit_status: 0,
    branch: null,
    commit: null,
    spent,
    summary: "the session ended well",
  };
}

/** A full disk is an error of one operation: it is tried again, until it works or the worker is fenced. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
