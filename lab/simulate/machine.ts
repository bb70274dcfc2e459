/**
 * A simulated machine: one clock, one disk, a table of processes, and events that happen one after the other in an order
 * that only the seed decides.
 */
import { type Random, makeRandom } from "../../scripts/random.ts";
import { Disk } from "./disk.ts";
import { Killed, SystemError } from "./file-error.ts";
import { Files, type PathLike, type Refuse } from "./files.ts";
import { readProc } from "./proc-folder.ts";

export const UID = 1000;
const FIRST_PID = 100;
/** The clock begins here: 2026-01-01. */
const BEGINNING_US = 1_767_225_600_000_000;
const CALL_US_MAX = 60;
/** A process that was killed and still calls so often is in a loop. */
const CALLS_AFTER_DEATH_MAX = 10_000;

export type Signal = "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGHUP";

export interface ProcessExit {
  readonly status: number | null;
  readonly signal: Signal | null;
}

export interface Process {
  readonly pid: number;
  /** 1 once its parent is gone. */
  parent: number;
  readonly session: number;
  /** Hundredths of a second since the start of the machine. */
  readonly start: number;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Files;
  isOver: boolean;
  calls: number;
  /** It is killed at this call. */
  killAt: number;
  /** Stopped, as by SIGSTOP, until then. */
  frozenUntil: number;
  /** What a signal other than SIGKILL does; true where it was handled. */
  onSignal: ((signal: Signal) => boolean) | null;
  onExit: ((exit: ProcessExit) => void) | null;
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly process: Process | null;
  readonly run: () => void;
}

export interface NewProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly parent: Process | null;
  /** Whether it begins its own session. */
  readonly isDetached?: boolean;
}

export class Machine {
  readonly random: Random;
  readonly disk: Disk;
  readonly processes = new Map<number, Process>();
  nowUs = BEGINNING_US;
  boot: string;
  bootedUs = BEGINNING_US;
  calls = 0;
  /** In whose name the event of now happens. */
  current: Process | null = null;
  /** Tells each call, for a trace. */
  tell: ((line: string) => void) | null = null;
  /** Others act between two calls of a process. */
  meanwhile: ((process: Process) => void) | null = null;
  /** A bad disk. */
  refuse: ((process: Process, change: Parameters<Refuse>[0]) => ReturnType<Refuse>) | null = null;
  onDeath: ((process: Process) => void) | null = null;
  /** What was asked and is not simulated. relais may take it for a failure of the world and go on, the simulation may not. */
  #lack: Error | null = null;
  #events: Event[] = [];
  #order = 0;
  #nextPid = FIRST_PID;

  constructor(seed: number) {
    this.random = makeRandom(seed);
    this.boot = this.#nameBoot();
    this.disk = new Disk(() => this.nowUs);
  }

  #nameBoot(): string {
    return Buffer.from(this.randomBytes(16))
      .toString("hex")
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  randomBytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.random.below(256)));
  }

  lack(what: string): Error {
    this.#lack ??= new Error(`${what} is not simulated`);
    return this.#lack;
  }

  start({ argv, env, cwd, parent, isDetached = true }: NewProcess): Process {
    this.#nextPid += 1 + this.random.below(3);
    const pid = this.#nextPid;
    const process: Process = {
      pid,
      parent: parent?.pid ?? 1,
      session: isDetached || parent === null ? pid : parent.session,
      start: Math.floor((this.nowUs - this.bootedUs) / 10_000),
      argv,
      env,
      files: new Files({
        disk: this.disk,
        caller: { uid: UID, cwd },
        enter: (syscall, path) => this.#enter(process, syscall, path),
        refuse: (change) => this.refuse?.(process, change) ?? null,
        readProc: (path) => readProc(this, process, path),
      }),
      isOver: false,
      calls: 0,
      killAt: Number.POSITIVE_INFINITY,
      frozenUntil: 0,
      onSignal: null,
      onExit: null,
    };
    this.processes.set(pid, process);
    return process;
  }

  #enter(process: Process, syscall: string, path: PathLike | number): void {
    process.calls += 1;
    if (process.isOver) {
      if (process.calls > process.killAt + CALLS_AFTER_DEATH_MAX) throw new Error("a killed process does not end");
      throw new Killed(`${process.pid} was killed`);
    }
    this.calls += 1;
    this.nowUs += 1 + this.random.below(CALL_US_MAX);
    this.tell?.(`${process.pid} ${process.calls} ${syscall} ${String(path)}`);
    this.meanwhile?.(process);
    if (process.calls < process.killAt) return;
    this.tell?.(`${process.pid} is killed`);
    this.end(process, { status: null, signal: "SIGKILL" });
    throw new Killed(`${process.pid} was killed`);
  }

  end(process: Process, exit: ProcessExit): void {
    if (process.isOver) return;
    process.isOver = true;
    if (process.killAt > process.calls) process.killAt = process.calls;
    this.processes.delete(process.pid);
    for (const other of this.processes.values()) if (other.parent === process.pid) other.parent = 1;
    process.onExit?.(exit);
    this.onDeath?.(process);
  }

  /** As `process.kill`: a negative number is a session, 0 only looks. */
  signal(target: number, signal: Signal | 0): void {
    const found = [...this.processes.values()].filter(({ pid, session }) =>
      target < 0 ? session === -target : pid === target,
    );
    if (found.length === 0) throw new SystemError("ESRCH", "kill");
    if (signal === 0) return;
    for (const process of found) {
      this.tell?.(`${process.pid} gets ${signal}`);
      if (signal !== "SIGKILL" && process.onSignal?.(signal) === true) continue;
      this.end(process, { status: null, signal });
    }
  }

  /** Calls later, in the name of a process; never if that is over by then. Answers how to take it back. */
  after(us: number, process: Process | null, run: () => void): () => void {
    this.#order += 1;
    const event = { at: this.nowUs + Math.max(1, Math.floor(us)), order: this.#order, process, run };
    this.#push(event);
    return () => {
      const at = this.#events.indexOf(event);
      if (at !== -1) this.#events.splice(at, 1);
    };
  }

  /** Sorted, the last one first. */
  #push(event: Event): void {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#events[middle];
      if (other !== undefined && (other.at > event.at || (other.at === event.at && other.order > event.order)))
        low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
  }

  /** Lets the next event happen, with everything that follows from it at once; false where there is none. */
  async step(): Promise<boolean> {
    const event = this.#events.pop();
    if (event === undefined) return false;
    if (event.process?.isOver === true) return true;
    this.nowUs = Math.max(this.nowUs, event.at);
    if (event.process !== null && event.process.frozenUntil > this.nowUs) {
      this.#push({ ...event, at: event.process.frozenUntil });
      return true;
    }
    this.current = event.process;
    try {
      event.run();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#lack !== null) throw this.#lack;
    return true;
  }

  /** Everything stops, and the machine starts again. */
  cutPower(): void {
    this.tell?.("the power is cut");
    for (const process of this.processes.values()) {
      process.onExit = null;
      this.end(process, { status: null, signal: "SIGKILL" });
    }
    this.#events = [];
    this.disk.cutPower(this.random);
    this.nowUs += 1_000_000 * (1 + this.random.below(60));
    this.bootedUs = this.nowUs;
    this.boot = this.#nameBoot();
  }
}
