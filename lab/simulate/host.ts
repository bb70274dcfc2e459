/** Everything of Node that reaches the world, for one loaded relais: simulated in the name of the process that runs in it. */
import { constants as fileConstants } from "node:fs";
import * as crypto from "node:crypto";
import * as os from "node:os";
import * as zlib from "node:zlib";
import { NodeChildren, type FindProgram } from "./children.ts";
import { Killed, SystemError } from "./file-error.ts";
import { type Machine, type Process, type Signal, UID } from "./machine.ts";
import { NodeFiles } from "./node-files.ts";
import { storeOnly } from "./store-only.ts";
import { loadProgram, type Globals, type LoadedProgram, type QueueParts, type Terminal } from "./program.ts";
import { simulateHandles } from "./file-promises.ts";
import { Scope } from "./scopes.ts";
import { makeTimers } from "./timers.ts";

export interface HostOptions {
  readonly find: FindProgram;
  /** More modules that are simulated. */
  readonly modules?: Readonly<Record<string, object>>;
}

export interface Running {
  readonly process: Process;
  readonly controller: AbortController;
  out: string;
  err: string;
  /** Its exit status; null while it runs, and for ever if it was killed. */
  status: number | null;
  /** What no command may end with. */
  failure: unknown;
}

const ASYNC_US_MAX = 400;
export const NODE = "/usr/bin/node";

const doNothing = (): void => {};

export class Host {
  #machine: Machine;
  #running: Process | null = null;
  readonly #program: LoadedProgram;
  readonly #find: FindProgram;
  readonly #scopes: Scope<unknown>[] = [];

  constructor(machine: Machine, file: string, { find, modules = {} }: HostOptions) {
    this.#machine = machine;
    this.#find = find;
    this.#program = loadProgram(file, this.#makeGlobals(), { ...this.#makeModules(), ...modules });
  }

  /** For another world. */
  moveTo(machine: Machine): void {
    this.#machine = machine;
    this.#running = null;
  }

  get isFree(): boolean {
    return this.#running === null || this.#running.isOver;
  }

  start(args: readonly string[], { cwd, env }: Pick<Terminal, "cwd" | "env">): Running {
    const machine = this.#machine;
    const process = machine.start({ argv: [NODE, "relais", ...args], env, cwd, parent: null });
    this.#running = process;
    this.#program.forget();
    for (const scope of this.#scopes) scope.forget();
    const controller = new AbortController();
    const running: Running = { process, controller, out: "", err: "", status: null, failure: null };
    process.onSignal = (signal) => {
      machine.after(1, process, () => controller.abort(signal));
      return true;
    };
    const terminal = {
      cwd,
      env,
      out: (text: string | Uint8Array) =>
        void (running.out += typeof text === "string" ? text : Buffer.from(text).toString()),
      err: (text: string) => void (running.err += text),
      isTerminal: false,
      relais: [NODE, "/usr/lib/relais.cjs"] as const,
      signal: controller.signal,
    };
    machine.after(machine.random.below(5000), process, () => {
      void this.#program.main(args, terminal).then(
        (status) => {
          if (process.isOver) return;
          running.status = status;
          machine.end(process, { status, signal: null });
        },
        (error: unknown) => {
          if (process.isOver || error instanceof Killed) return;
          running.failure = error;
          machine.end(process, { status: 1, signal: null });
        },
      );
    });
    return running;
  }

  /** The queue of this relais, for several processes at once: each event says whose it is. */
  get queue(): QueueParts {
    return this.#program.queue;
  }

  #get(): Process {
    if (this.#running === null && this.#machine.current !== null) return this.#machine.current;
    if (this.#running === null) throw new Error("nothing runs in this relais");
    return this.#running;
  }

  #call(us: number, run: () => void): () => void {
    return this.#machine.after(us, this.#get(), run);
  }

  readonly #timers = makeTimers((us, run) => this.#call(us, run));

  #makeGlobals(): Globals {
    const readMs = (): number => Math.floor(this.#machine.nowUs / 1000);
    class SimulatedDate extends Date {
      constructor(...args: [] | [number | string | Date]) {
        super(args[0] ?? readMs());
      }

      static override now(): number {
        return readMs();
      }
    }
    return {
      process: this.#makeProcess(),
      setTimeout: this.#timers.set,
      setInterval: this.#timers.repeat,
      setImmediate: this.#timers.setImmediate,
      clearTimeout: this.#timers.clear,
      clearInterval: this.#timers.clear,
      clearImmediate: this.#timers.clear,
      Date: SimulatedDate,
      performance: { now: () => (this.#machine.nowUs - this.#machine.bootedUs) / 1000, timeOrigin: 0 },
      AbortSignal: Object.assign(class extends AbortSignal {}, {
        any: (signals: AbortSignal[]) => AbortSignal.any(signals),
        abort: (reason: unknown) => AbortSignal.abort(reason),
        timeout: (ms: number) => {
          const controller = new AbortController();
          this.#timers.set(() => controller.abort(new Error("timeout")), ms);
          return controller.signal;
        },
      }),
    };
  }

  #makeProcess(): object {
    const get = (): Process => this.#get();
    const uptimeUs = (): number => this.#machine.nowUs - this.#machine.bootedUs;
    return {
      get pid() {
        return get().pid;
      },
      get ppid() {
        return get().parent;
      },
      platform: "linux",
      arch: "x64",
      version: process.version,
      versions: process.versions,
      execPath: NODE,
      env: {},
      stdin: { isTTY: false },
      stdout: { isTTY: false },
      stderr: { isTTY: false },
      getuid: () => UID,
      geteuid: () => UID,
      getgid: () => UID,
      getegid: () => UID,
      getgroups: () => [UID],
      umask: () => get().files.umask,
      cpuUsage: () => ({ user: 0, system: 0 }),
      memoryUsage: () => ({ rss: 0, heapUsed: 0 }),
      hrtime: { bigint: () => BigInt(uptimeUs()) * 1000n },
      uptime: () => uptimeUs() / 1_000_000,
      nextTick: process.nextTick.bind(process),
      emitWarning: doNothing,
      on: doNothing,
      once: doNothing,
      off: doNothing,
      removeListener: doNothing,
      removeAllListeners: doNothing,
      kill: (pid: number, signal: Signal | 0 = "SIGTERM") => {
        get().files.stat("/", { follow: false, isBig: false });
        this.#machine.signal(pid, signal);
        return true;
      },
      getBuiltinModule: (id: string) => this.#modules[id] ?? process.getBuiltinModule(id),
    };
  }

  #modules: Readonly<Record<string, object>> = {};

  #makeModules(): Readonly<Record<string, object>> {
    const files = new NodeFiles(
      () => this.#get().files,
      () => this.#machine.randomBytes(3).toString("hex"),
    );
    /** A thread of Node does it: later, and others are faster at times. */
    const later = <T>(work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        this.#call(1 + this.#machine.random.below(ASYNC_US_MAX), () => {
          try {
            resolve(work());
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      });
    const callBack = (work: (descriptor: number) => void) => (descriptor: number, done: (error: unknown) => void) =>
      void later(() => work(descriptor)).then(
        () => done(null),
        (error: unknown) => done(error),
      );
    const promises = simulateHandles(files, later);
    const fs = this.#named("node:fs", {
      ...Object.fromEntries(Object.entries(files)),
      constants: fileConstants,
      fsync: callBack(files.fsyncSync),
      fdatasync: callBack(files.fdatasyncSync),
      watch: () => {
        throw new SystemError("ENOSPC", "watch");
      },
      promises,
    });
    const children = new NodeChildren(
      () => this.#machine,
      () => this.#get(),
      this.#find,
    );
    const sleep = (ms: number | undefined, value: unknown, options?: { signal?: AbortSignal }) =>
      new Promise((resolve, reject) => {
        const { signal } = options ?? {};
        const stop = (): void =>
          reject(Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" }));
        if (signal?.aborted === true) return stop();
        const timer = this.#timers.set(() => {
          signal?.removeEventListener("abort", onAbort);
          resolve(value);
        }, ms);
        const onAbort = (): void => {
          timer.stop();
          stop();
        };
        return signal?.addEventListener("abort", onAbort, { once: true });
      });
    const scopes = this.#scopes;
    class OwnScope<T> extends Scope<T> {
      constructor() {
        super();
        scopes.push(this);
      }
    }
    this.#modules = {
      "node:async_hooks": { AsyncLocalStorage: OwnScope },
      "node:fs": fs,
      "node:fs/promises": this.#named("node:fs/promises", promises),
      "node:child_process": this.#named("node:child_process", Object.fromEntries(Object.entries(children))),
      "node:timers/promises": {
        setTimeout: sleep,
        setImmediate: (value: unknown) => sleep(0, value),
      },
      "node:zlib": { ...zlib, deflateSync: storeOnly },
      "node:crypto": {
        ...crypto,
        randomBytes: (length: number) => this.#machine.randomBytes(length),
        randomInt: (low: number, high?: number) =>
          high === undefined ? this.#machine.random.below(low) : low + this.#machine.random.below(high - low),
      },
      "node:os": {
        ...os,
        hostname: () => "simulated",
        uptime: () => (this.#machine.nowUs - this.#machine.bootedUs) / 1_000_000,
        userInfo: () => ({ uid: UID, gid: UID, username: "me", homedir: "/home/me", shell: "/bin/sh" }),
      },
    };
    return this.#modules;
  }

  /** Names what is called and not simulated. */
  #named(module: string, members: object): object {
    return new Proxy(members, {
      get: (target, name) => {
        if (Reflect.has(target, name) || typeof name === "symbol" || name === "default" || name === "__esModule")
          return Reflect.get(target, name);
        return () => {
          throw this.#machine.lack(`${module} ${name}`);
        };
      },
    });
  }
}
