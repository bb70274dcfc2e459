/** One wide world: its clock, its processes, its lock, and the steps at which something else happens. */
import { makeRandom, type Random } from "../../../scripts/random.ts";
import type { Lock } from "../../../src/records/lock.ts";
import { Violation } from "../violation.ts";
import type { Fault, WidePlan } from "./plan.ts";
import { JournalDisk } from "./journal-disk.ts";
import { RepositoryModel } from "./repository-model.ts";
import { StateFiles } from "./state-files.ts";
import { Watch } from "./watch.ts";

/** A relais, or a person's command. A dead one never gets an answer again. */
export class SimulatedProcess {
  readonly controller = new AbortController();
  isDead = false;
  /** How many events there were when a signal came; null before. */
  signalledAt: number | null = null;
  readonly death: Promise<"dead">;
  #die: (end: "dead") => void = () => {};

  readonly pid: number;

  constructor(pid: number) {
    this.pid = pid;
    this.death = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  kill(): void {
    this.isDead = true;
    this.#die("dead");
  }
}

export interface HeldLock {
  readonly process: SimulatedProcess;
  readonly lock: Lock;
}

const BEGIN_MS = Date.parse("2026-01-15T10:00:00.000Z");
const STEPS_MAX = 30_000;
const HOUR_MS = 3_600_000;
/** A year of virtual time is no wait that ends. */
const DAYS_MAX = 366;

export class World {
  readonly random: Random;
  readonly repository = new RepositoryModel();
  readonly files = new StateFiles();
  readonly journal: JournalDisk;
  readonly watch: Watch;
  readonly processes = new Map<string, SimulatedProcess>();
  /** Asked of the running series by a person. */
  pauseFor: number | null = null;
  held: HeldLock | null = null;
  nowMs = BEGIN_MS;
  steps = 0;
  draws = 0;
  names = 0;
  isFull = false;
  /** Faults happen; false while everything is brought to its end. */
  isRough = true;
  readonly #deadlines: { readonly at: number; readonly controller: AbortController }[] = [];
  readonly #faults: Fault[];
  /** What a person or a second relais does at a step; set by the driver. */
  meanwhile: (fault: Fault, by: SimulatedProcess) => Promise<void> = () => Promise.resolve();

  readonly plan: WidePlan;
  readonly trace: ((line: string) => void) | null;

  constructor(plan: WidePlan, trace: ((line: string) => void) | null) {
    this.plan = plan;
    this.trace = trace;
    this.random = makeRandom(plan.seed * 31 + 17);
    this.#faults = [...plan.faults];
    this.journal = new JournalDisk(this);
    this.watch = new Watch(this);
  }

  /** The first thing that must not be. A step of relais would take an exception for a failed measurement. */
  broken: Error | null = null;

  fail(message: string): Error {
    this.broken ??= new Violation(message);
    for (const process of this.processes.values()) process.kill();
    return this.broken;
  }

  tell(text: () => string): void {
    this.trace?.(`${String(this.steps).padStart(5)} ${new Date(this.nowMs).toISOString().slice(11, 19)} ${text()}`);
  }

  startProcess(): SimulatedProcess {
    const process = new SimulatedProcess(this.processes.size + 1);
    this.processes.set(String(process.pid), process);
    return process;
  }

  processOf(environment: Readonly<Record<string, string | undefined>>): SimulatedProcess {
    const found = this.processes.get(environment["PROCESS"] ?? "");
    if (found === undefined) throw new Error("a call of no process");
    return found;
  }

  /** Between two operations of a process. */
  async step(process: SimulatedProcess, name: string): Promise<void> {
    if (process.isDead) return new Promise(() => {});
    this.steps += 1;
    if (this.steps > STEPS_MAX) this.fail(`no end after ${STEPS_MAX} steps`);
    this.tell(() => `${process.pid}: ${name}`);
    await this.#befall(process);
    if (process.isDead) return new Promise(() => {});
    return undefined;
  }

  async #befall(process: SimulatedProcess): Promise<void> {
    while (this.isRough && (this.#faults[0]?.at ?? Number.POSITIVE_INFINITY) <= this.steps) {
      const fault = this.#faults.shift();
      if (fault === undefined || process.isDead) return;
      this.tell(() => `>>> ${fault.kind}`);
      await this.meanwhile(fault, process);
    }
  }

  /** Whether this choice is a bad one. */
  isBad(): boolean {
    this.draws += 1;
    return this.isRough && this.draws <= this.plan.wild && this.random.below(100) < this.plan.mischief;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return this.random.pick(list) ?? list[0];
  }

  makeName(): string {
    this.names += 1;
    return String(this.names).padStart(8, "0");
  }

  advance(ms: number): void {
    this.nowMs += Math.max(0, Math.round(ms));
    if (this.nowMs - BEGIN_MS > DAYS_MAX * 24 * HOUR_MS) throw this.fail("a wait without an end");
    for (const { at, controller } of this.#deadlines)
      if (at <= this.nowMs && !controller.signal.aborted) controller.abort("deadline");
  }

  /** A signal of the virtual clock. */
  signalAt(at: number): AbortSignal {
    const controller = new AbortController();
    if (at <= this.nowMs) controller.abort("deadline");
    else if (Number.isFinite(at)) {
      this.#deadlines.splice(0, Math.max(0, this.#deadlines.length - 8));
      this.#deadlines.push({ at, controller });
    }
    return controller.signal;
  }
}
