/** Tries schedules of a queue, one seed after the other, and tells the schedule that breaks a promise. */
import { join } from "node:path";
import { JetStreamApiError } from "@nats-io/jetstream";
import { Host } from "../host.ts";
import { look, readBytes } from "../invariants.ts";
import { Violation } from "../violation.ts";
import { Machine, type Process } from "../machine.ts";
import { buildProgram } from "../program.ts";
import { makeSystem } from "../repository.ts";
import { checkPromises, checkRecords, pickRecords } from "./check-records.ts";
import { NatsServer } from "./nats-server.ts";
import { FOLDER, type QueueWorld, startActor, submitter, worker } from "./queue-world.ts";

export interface QueueSearch {
  readonly schedules: number;
  readonly steps: number;
  readonly seconds: number;
  readonly failure: QueueFailure | null;
}

export interface QueueFailure {
  readonly seed: number;
  readonly message: string;
  readonly schedule: readonly string[];
}

const STEPS_MAX = 60_000;
const STEPS_FAULTY = 1500;
const WORKERS = 3;
const TOLD = 200;

export const tellSchedule = ({ schedule }: QueueFailure): string => schedule.slice(-TOLD).join("\n");

/** With no seconds: this seed alone. */
export async function searchQueue({
  seed,
  seconds,
}: {
  readonly seed: number;
  readonly seconds: number;
}): Promise<QueueSearch> {
  const program = join(".cache", "simulate", "relais.cjs");
  await buildProgram(program);
  Error.stackTraceLimit = 0;
  const stage = new QueueStage(program);
  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 1000;
  const sum = { schedules: 0, steps: 0 };
  for (let at = seed; sum.schedules === 0 || passed() < seconds; at += 1) {
    const { steps, violation } = await stage.run(at, null);
    sum.schedules += 1;
    sum.steps += steps;
    if (violation === null) continue;
    const schedule: string[] = [];
    await stage.run(at, (line) => void schedule.push(line));
    return { ...sum, seconds: passed(), failure: { seed: at, message: violation.message, schedule } };
  }
  return { ...sum, seconds: passed(), failure: null };
}

export class QueueStage {
  readonly #host: Host;
  #server: NatsServer;

  constructor(program: string) {
    const machine = new Machine(0);
    this.#server = new NatsServer(machine);
    this.#host = new Host(machine, program, {
      find: () => null,
      modules: {
        "@nats-io/jetstream": {
          DeliverPolicy: { All: "all" },
          JetStreamApiError,
          jetstream: () => this.#server.jetstream(),
          jetstreamManager: () => this.#server.manager(),
        },
      },
    });
  }

  async run(seed: number, tell: ((line: string) => void) | null) {
    const machine = new Machine(seed);
    machine.tell = tell;
    this.#host.moveTo(machine);
    this.#server = new NatsServer(machine);
    const files = makeSystem(machine);
    files.mkdirSync(FOLDER, { mode: 0o700 });
    machine.disk.settle();
    const kind = machine.random.below(2) === 0 ? "files" : "nats";
    const world: QueueWorld = {
      machine,
      host: this.#host,
      kind,
      server: this.#server,
      specs: new Map(),
      promised: [],
      refused: [],
    };
    const counted = { steps: 0 };
    try {
      await letHappen(world, counted);
      return { ...counted, violation: null };
    } catch (error) {
      return { ...counted, violation: error instanceof Error ? error : new Error(String(error)) };
    }
  }
}

async function letHappen(world: QueueWorld, counted: { steps: number }): Promise<void> {
  const { machine, server } = world;
  server.lossOneIn = machine.random.below(2) === 0 ? 0 : 8 + machine.random.below(30);
  const jobs = startActor(world, "submitter", submitter(world, 4));
  const workers = Array.from({ length: WORKERS }, (_, index) =>
    startActor(world, `worker-${index}`, worker(world, "signal")),
  );
  const takeBack = harm(world, workers);
  await letStep(world, counted, (at) => jobs.isOver && (at > STEPS_FAULTY || workers.every((one) => one.isOver)));
  // Now nothing goes wrong any more: a last worker must bring every job to its end.
  for (const process of workers) machine.end(process, { status: null, signal: "SIGKILL" });
  takeBack.forEach((stop) => stop());
  machine.disk.free = Number.POSITIVE_INFINITY;
  server.lossOneIn = 0;
  server.cut.clear();
  const last = startActor(world, "last", worker(world, "drain"));
  await letStep(world, counted, () => last.isOver);
  const fold = checkNow(world);
  const open = [...fold.keys.keys()].filter((job) => !fold.ended.has(job));
  if (open.length > 0) throw new Violation(`lost: ${open.join(", ")} never came to an end`);
}

async function letStep(world: QueueWorld, counted: { steps: number }, isOver: (at: number) => boolean): Promise<void> {
  for (let at = 0; !isOver(at); at += 1) {
    if (!(await world.machine.step()) || at > STEPS_MAX) throw new Violation("the queue waits for nothing");
    counted.steps += 1;
  }
  checkNow(world);
}

/** Kills, stops, cuts off and fills at some calls, and at some times. Answers how to take back what has not happened yet. */
function harm({ machine, server }: QueueWorld, workers: readonly Process[]): readonly (() => void)[] {
  const { random } = machine;
  const stops = workers.map((process) => {
    if (random.below(3) === 0) process.killAt = 20 + random.below(400);
    return machine.after(random.below(10_000_000), null, () => {
      machine.tell?.(`${process.pid} stops for a while`);
      if (random.below(2) === 0) process.frozenUntil = machine.nowUs + random.below(20_000_000);
      else server.cut.set(process, machine.nowUs + random.below(20_000_000));
    });
  });
  const fill = machine.after(random.below(10_000_000), null, () => {
    if (random.below(3) === 0) machine.disk.free = random.below(400);
  });
  const clear = machine.after(20_000_000, null, () => void (machine.disk.free = Number.POSITIVE_INFINITY));
  return [...stops, fill, clear];
}

function checkNow({ kind, machine, server, promised, refused }: QueueWorld) {
  const inFile = (): readonly string[] =>
    readBytes(look(machine.disk, `${FOLDER}/log-1`))
      .toString("utf8")
      .split("\u001E")
      .filter((text) => text.endsWith("\n"));
  const records = pickRecords(kind === "files" ? inFile() : server.texts);
  checkPromises(records, promised, refused);
  return checkRecords(records);
}
