/** The module `node:child_process` of a simulated process: its children are programs of the simulation. */
import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import { Killed, SystemError } from "./file-error.ts";
import type { Machine, Process, ProcessExit, Signal } from "./machine.ts";
import { NOTHING } from "./inode.ts";
import { NodeFiles } from "./node-files.ts";

/** What a program does: it yields how long it works in microseconds, and returns its status. */
export interface ProgramRun {
  readonly machine: Machine;
  readonly process: Process;
  readonly files: NodeFiles;
  readonly cwd: string;
  /** What has come since the last call; null once the input has ended. */
  readonly takeInput: () => Buffer | null;
  readonly out: (data: string | Buffer) => void;
  readonly err: (text: string) => void;
}

export type Program = (run: ProgramRun) => Generator<number, number>;

/** The program of a command line; null where there is none. */
export type FindProgram = (argv: readonly string[]) => Program | null;

interface SpawnOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdio?: readonly unknown[];
  readonly input?: Uint8Array;
}

const START_US = 2000;
const PIPE_US = 300;

class Child extends EventEmitter {
  pid: number | undefined = undefined;
  exitCode: number | null = null;
  signalCode: Signal | null = null;
  stdin: Writable | null = null;
  readonly stdout = new Readable({ read: () => {} });
  readonly stderr = new Readable({ read: () => {} });
  readonly kill: (signal?: Signal) => boolean;

  constructor(kill: (signal: Signal) => boolean) {
    super();
    this.kill = (signal = "SIGTERM") => kill(signal);
  }

  ref(): void {}

  unref(): void {}
}

export class NodeChildren {
  readonly #getMachine: () => Machine;
  readonly #get: () => Process;
  readonly #find: FindProgram;

  constructor(getMachine: () => Machine, get: () => Process, find: FindProgram) {
    this.#getMachine = getMachine;
    this.#get = get;
    this.#find = find;
  }

  get #machine(): Machine {
    return this.#getMachine();
  }

  spawn = (file: string, args: readonly string[], options: SpawnOptions = {}): Child => {
    const parent = this.#get();
    const child: Child = new Child((signal) => this.#kill(child, signal));
    const argv = [file, ...args];
    parent.files.stat("/", { follow: false, isBig: false }); // A call like others: the process may be killed here.
    const program = this.#find(argv);
    if (program === null) {
      const error = new SystemError("ENOENT", `spawn ${file}`, file);
      this.#machine.after(START_US, parent, () => void child.emit("error", error));
      return child;
    }
    const process = this.#begin(parent, argv, options);
    child.pid = process.pid;
    process.onExit = (exit) => this.#tellExit(child, parent, exit);
    const input = makeInput();
    const [stdin] = options.stdio ?? [];
    if (stdin === "pipe") child.stdin = input.writer;
    else input.writer.end(typeof stdin === "number" ? readOpen(parent, stdin) : Buffer.alloc(0));
    this.#run(process, { program, takeInput: input.take, child, cwd: options.cwd ?? "/" });
    return child;
  };

  #begin(parent: Process, argv: readonly string[], { cwd = "/", env = {} }: SpawnOptions): Process {
    const known = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    return this.#machine.start({ argv, env: Object.fromEntries(known), cwd, parent });
  }

  #kill({ pid }: Child, signal: Signal): boolean {
    try {
      this.#machine.signal(pid ?? 0, signal);
      return true;
    } catch {
      return false;
    }
  }

  #tellExit(child: Child, parent: Process, { status, signal }: ProcessExit): void {
    this.#machine.after(PIPE_US + this.#machine.random.below(2000), parent, () => {
      child.exitCode = status;
      child.signalCode = signal;
      child.emit("exit", status, signal);
      child.stdout.push(null);
      child.stderr.push(null);
      child.emit("close", status, signal);
    });
  }

  #run(
    process: Process,
    {
      program,
      takeInput,
      child,
      cwd,
    }: { program: Program; takeInput: ProgramRun["takeInput"]; child: Child; cwd: string },
  ): void {
    const machine = this.#machine;
    const files = new NodeFiles(
      () => process.files,
      () => machine.randomBytes(3).toString("hex"),
    );
    const send = (stream: Readable, data: string | Buffer): void => {
      machine.after(PIPE_US, this.#parentOf(process), () => void stream.push(Buffer.from(data)));
    };
    const out = (data: string | Buffer): void => send(child.stdout, data);
    const err = (text: string): void => send(child.stderr, text);
    play(machine, process, program({ machine, process, files, cwd, takeInput, out, err }));
  }

  #parentOf({ parent }: Process): Process | null {
    return this.#machine.processes.get(parent) ?? null;
  }

  /** Only what relais calls like this: a program of the system on a list of paths. */
  spawnSync = (file: string, args: readonly string[], options: SpawnOptions = {}) => {
    const process = this.#begin(this.#get(), [file, ...args], options);
    const files = new NodeFiles(
      () => process.files,
      () => "",
    );
    const paths = findRemoved([file, ...args], options.input);
    if (paths === null) throw this.#machine.lack(`${file} ${args.join(" ")}`);
    const failure = attempt(() => paths.forEach((path) => files.rmSync(path, { recursive: true, force: true })));
    const status = failure === null ? 0 : 1;
    this.#machine.end(process, { status, signal: null });
    return { status, signal: null, stdout: NOTHING, stderr: Buffer.from(failure?.message ?? ""), error: undefined };
  };
}

/** The paths of `rm -rf`, as arguments or through `xargs`; null for every other command line. */
function findRemoved(argv: readonly string[], input: Uint8Array = new Uint8Array()): readonly Buffer[] | null {
  if (argv.join(" ") === "xargs -0 -- rm -rf --")
    return Buffer.from(input)
      .toString("latin1")
      .split("\0")
      .filter((path) => path !== "")
      .map((path) => Buffer.from(path, "latin1"));
  return argv.slice(0, 3).join(" ") === "rm -rf --" ? argv.slice(3).map((path) => Buffer.from(path)) : null;
}

/** What the system refused; null where it refused nothing. */
function attempt(work: () => void): SystemError | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof SystemError) return error;
    throw error;
  }
}

function makeInput(): { readonly writer: Writable; readonly take: ProgramRun["takeInput"] } {
  let parts: Buffer[] = [];
  let isOver = false;
  const writer = new Writable({
    write: (part: Buffer, _encoding, done) => {
      parts.push(part);
      done();
    },
    final: (done) => {
      isOver = true;
      done();
    },
  });
  const take = (): Buffer | null => {
    if (parts.length === 0) return isOver ? null : Buffer.alloc(0);
    const whole = Buffer.concat(parts);
    parts = [];
    return whole;
  };
  return { writer, take };
}

const POLL_US = 200;

/** Waits for the end of the input. */
export function* readInput(take: ProgramRun["takeInput"]): Generator<number, Buffer> {
  const parts: Buffer[] = [];
  for (let part = take(); part !== null; part = take()) {
    parts.push(part);
    yield POLL_US;
  }
  return Buffer.concat(parts);
}

function readOpen(parent: Process, descriptor: number): Buffer {
  const { inode } = parent.files.open.get(descriptor) ?? {};
  return inode === undefined ? Buffer.alloc(0) : Buffer.from(inode.data.subarray(0, inode.size));
}

/** Lets a program work, until it ends or is killed. */
export function play(machine: Machine, process: Process, steps: Generator<number, number>): void {
  const step = (): void => {
    try {
      const { done, value } = steps.next();
      if (done === true) machine.end(process, { status: value, signal: null });
      else machine.after(value, process, step);
    } catch (error) {
      if (error instanceof Killed) return;
      if (!(error instanceof SystemError)) throw error;
      machine.end(process, { status: 1, signal: null });
    }
  };
  machine.after(START_US + machine.random.below(3000), process, step);
}
