/** Workers and submitters of a queue on a simulated machine, with the real engines: on files, and on a simulated server. */
import type { Claim, Engine } from "../../../src/queue/pure/engine.ts";
import type { JobStore } from "../../../src/queue/engine-ports.ts";
import { jobSpec, jobTerms, NOTHING } from "../../../test/queue/jobs.ts";
import type { Host } from "../host.ts";
import { Killed, SystemError } from "../file-error.ts";
import type { Machine, Process } from "../machine.ts";
import type { NatsServer } from "./nats-server.ts";
import { NAMES } from "./schedules/schedule-values.ts";

export type EngineKind = "files" | "nats";

/** What the queue has promised, in the order of the answers. */
export interface Promised {
  readonly kind: "submitted" | "claimed" | "started" | "spent" | "finished";
  readonly job: string;
  readonly token: number | null;
}

export interface QueueWorld {
  readonly machine: Machine;
  readonly host: Host;
  readonly kind: EngineKind;
  readonly server: NatsServer;
  /** Specifications of the shared engine. */
  readonly specs: Map<string, string>;
  readonly promised: Promised[];
  readonly refused: Promised[];
}

const doNothing = (): void => {};

export const FOLDER = "/home/me/queue";
const LEASE_MS = 6000;
const SESSION_MS_MAX = 4000;
const LOG_BYTES_MAX = 64 * 1024 * 1024;

const SPEC = jobSpec({ files: {} });
const TERMS = jobTerms({ attempts_max: 20 });

/** Each process has its own wall clock. */
async function openQueue(world: QueueWorld, skewMs: number): Promise<Engine> {
  const { machine, host, kind } = world;
  const { queue } = host;
  const clocks = {
    readClockMs: () => Math.floor(machine.nowUs / 1000) + skewMs,
    readSteadyMs: () => Math.floor((machine.nowUs - machine.bootedUs) / 1000),
    findDue: () => null,
  };
  const identity = await queue.readOwnIdentity();
  if (kind === "files") {
    const parts = queue.joinParts({ ...clocks, folder: FOLDER, logBytesMax: LOG_BYTES_MAX }, identity);
    return queue.openEngine({ ...parts, facts: { name: "files", shared: false, durable: "fsync" } });
  }
  return openShared(world, clocks, { ...identity, host: `machine-${identity.pid}` });
}

type Clocks = { readonly readClockMs: () => number; readonly readSteadyMs: () => number; readonly findDue: () => null };

async function openShared(
  { machine, host, server, specs }: QueueWorld,
  clocks: Clocks,
  identity: Awaited<ReturnType<Host["queue"]["readOwnIdentity"]>>,
): Promise<Engine> {
  const { queue } = host;
  const process = machine.current;
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of listeners) listener();
  };
  const changes = queue.openChanges(listeners, () => {
    let stop = doNothing;
    const look = (): void => {
      stop = machine.after(250_000, process, () => {
        look();
        wake();
      });
    };
    look();
    return () => stop();
  });
  const now = (): string => new Date(clocks.readClockMs()).toISOString();
  // The real types have hundreds of members that nobody asks for.
  const link = { connection: Object({ getServer: () => "simulated" }), names: NAMES, timeoutMs: 5000 };
  const log = await queue.openNatsLog({ ...link, now, onRecords: wake, cut: null });
  const beats = await queue.openNatsBeats({ ...link, rows: Object(server.rows), readSteadyMs: clocks.readSteadyMs });
  const facts = { name: "nats", shared: true, durable: "deferred" } as const;
  return queue.openEngine({ ...clocks, now, identity, log, beats, changes, store: makeStore(specs), facts });
}

const unused = (): never => {
  throw new Error("not simulated");
};

function makeStore(specs: Map<string, string>): JobStore {
  return {
    writeSpec: async (store, text) => {
      specs.set(store, text);
      return "0".repeat(64);
    },
    readSpec: async (store) => specs.get(store) ?? "",
    remove: async () => {},
    sweep: async () => {},
    openLines: () => async () => "recorded",
    follow: unused,
    attach: unused,
    readAttachment: unused,
  };
}

const wait = (machine: Machine, process: Process, ms: number): Promise<void> =>
  new Promise((resolve) => void machine.after(ms * 1000 + 1, process, resolve));

/** Runs as one process, which may fail and come again. */
export function startActor(
  world: QueueWorld,
  name: string,
  act: (engine: Engine, process: Process) => Promise<void>,
): Process {
  const { machine } = world;
  const process = machine.start({ argv: [name], env: {}, cwd: "/", parent: null });
  const skewMs = machine.random.below(120_000) - 60_000;
  const run = async (): Promise<void> => {
    try {
      await act(await openQueue(world, skewMs), process);
      machine.end(process, { status: 0, signal: null });
    } catch (error) {
      if (error instanceof Killed || process.isOver) return;
      // A full disk, or a server that does not answer: the command fails and says so.
      const isOfQueue = error instanceof SystemError || (error instanceof Error && error.name === "QueueError");
      if (!isOfQueue) throw error;
      machine.tell?.(`${process.pid} ${error.message}`);
      machine.end(process, { status: 1, signal: null });
    }
  };
  machine.after(
    machine.random.below(20_000),
    process,
    () => void run().catch((error: unknown) => world.promised.push(fault(error))),
  );
  return process;
}

/** Kept with the promises, so that the check at the end reports it. */
const fault = (error: unknown): Promised => ({ kind: "submitted", job: `failure: ${String(error)}`, token: null });

export function submitter(world: QueueWorld, count: number) {
  return async (engine: Engine, process: Process): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      const key = `repository#${world.machine.random.below(2)}`;
      const job = await engine.submit({ ...SPEC, key }, TERMS, `job-${process.pid}-${at}`);
      world.promised.push({ kind: "submitted", job, token: null });
      await wait(world.machine, process, world.machine.random.below(500));
    }
    await engine.close();
  };
}

export function worker(world: QueueWorld, until: "signal" | "drain") {
  return async (engine: Engine, process: Process): Promise<void> => {
    const { signal } = new AbortController();
    for (;;) {
      const claim = await engine.claim(
        { id: `worker-${process.pid}`, host: "h", pid: process.pid },
        { labels: [], leaseMs: LEASE_MS },
        { signal, until },
      );
      if (claim === null) break;
      world.promised.push({ kind: "claimed", job: claim.job, token: Number(claim.token) });
      await workOn(world, claim, process);
    }
    await engine.close();
  };
}

async function workOn(world: QueueWorld, claim: Claim, process: Process): Promise<void> {
  const { machine } = world;
  const token = Number(claim.token);
  const note = (kind: Promised["kind"], answer: "recorded" | "fenced"): boolean => {
    (answer === "recorded" ? world.promised : world.refused).push({ kind, job: claim.job, token });
    return answer === "recorded";
  };
  if (!note("started", await claim.started({ pid: process.pid, birth: "1", boot: machine.boot }))) return;
  await wait(machine, process, machine.random.below(SESSION_MS_MAX));
  if (machine.random.below(4) === 0) return claim.release("later", null);
  if (!note("spent", await claim.spend({ ...NOTHING, ticks: 1 }))) return;
  await wait(machine, process, machine.random.below(SESSION_MS_MAX));
  const result = {
    outcome: "done",
    code: null,
    exit_status: 0,
    branch: null,
    commit: null,
    spent: NOTHING,
    summary: "done",
  } as const;
  note("finished", await claim.finish(result));
}
