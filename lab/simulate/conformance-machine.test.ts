/** The simulated table of processes, signals and clock behave as the real ones. */
import { AsyncLocalStorage } from "node:async_hooks";
import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../test/support/runs.ts";
import { scratchFolder } from "../../test/support/scratch-repository.ts";
import { NodeChildren } from "./children.ts";
import { Machine, type Process } from "./machine.ts";
import { NodeFiles } from "./node-files.ts";
import { makeSystem } from "./repository.ts";
import { Scope } from "./scopes.ts";
import { makeTimers } from "./timers.ts";

const ARGV = ["/bin/sleep", "60"];
const ENV = { MARK: "x=y", EMPTY: "" };

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly command: string;
  readonly environment: string;
}

/** By the same files of /proc. */
function look(pid: number, read: (path: string) => string): Seen {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    pid: Number(stat.split(" ")[0]),
    parent: Number(fields[1]),
    session: Number(fields[3]),
    command: read(`/proc/${pid}/cmdline`),
    environment: read(`/proc/${pid}/environ`),
  };
}

const relate = (one: Seen, above: { readonly pid: number; readonly session: number }) => ({
  isChild: one.parent === above.pid,
  isLeader: one.session === one.pid,
  isOfParent: one.session === above.session,
  command: one.command,
  environment: one.environment,
});

const codeOf = (act: () => void): string => {
  try {
    act();
    return "done";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
};

function startSimulated(machine: Machine, isDetached: boolean): { parent: Process; child: Process } {
  const parent = machine.start({ argv: ["parent"], env: {}, cwd: "/", parent: null });
  return { parent, child: machine.start({ argv: ARGV, env: ENV, cwd: "/", parent, isDetached }) };
}

test.skipIf(process.platform !== "linux").each([true, false])(
  "a child in a session of its own (%s) is described alike, and gone alike",
  async (detached) => {
    const real = spawn(ARGV[0] ?? "", ARGV.slice(1), { env: ENV, detached, stdio: "ignore" });
    const gone = new Promise<NodeJS.Signals | null>((resolve) => void real.on("exit", (_, signal) => resolve(signal)));
    const pid = real.pid ?? 0;
    const own = look(process.pid, (path) => fs.readFileSync(path, "latin1"));
    const seen = look(pid, (path) => fs.readFileSync(path, "latin1"));

    const machine = new Machine(1);
    makeSystem(machine);
    const { parent, child } = startSimulated(machine, detached);
    const files = new NodeFiles(
      () => parent.files,
      () => "",
    );
    const read = (path: string): string => String(files.readFileSync(path, "latin1"));
    const simulated = look(child.pid, read);

    expect(relate(simulated, parent)).toEqual(relate(seen, own));

    expect(codeOf(() => machine.signal(child.pid, 0))).toBe(codeOf(() => process.kill(pid, 0)));
    let signal: string | null = null;
    child.onExit = (exit) => void (signal = exit.signal);
    process.kill(detached ? -pid : pid, "SIGTERM");
    machine.signal(detached ? -child.pid : child.pid, "SIGTERM");
    expect(signal).toBe(await gone);
    expect(codeOf(() => machine.signal(child.pid, 0))).toBe(codeOf(() => process.kill(pid, 0)));
    expect(codeOf(() => read(`/proc/${child.pid}/stat`))).toBe(codeOf(() => fs.readFileSync(`/proc/${pid}/stat`)));
  },
);

interface Clock<Timer> {
  readonly set: (call: () => void, ms: number) => Timer;
  readonly clear: (timer: Timer) => void;
  readonly pass: () => Promise<void>;
}

/** Sets timers in one go, cancels some, and answers with the order in which they go off. */
async function tryTimers<Timer>(
  timers: readonly { readonly ms: number; readonly isCancelled: boolean }[],
  clock: Clock<Timer>,
): Promise<readonly number[]> {
  const order: number[] = [];
  const set = timers.map(({ ms, isCancelled }, index) => ({
    isCancelled,
    timer: clock.set(() => void order.push(index), ms),
  }));
  for (const { isCancelled, timer } of set) if (isCancelled) clock.clear(timer);
  await clock.pass();
  return order;
}

test("timers go off in the same order", async () => {
  const timer = fc.record({ ms: fc.constantFrom(0, 1, 6, 12, 18), isCancelled: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(timer, { maxLength: 12 }), async (timers) => {
      const real = await tryTimers(timers, {
        set: (call, ms) => setTimeout(call, ms),
        clear: (one) => clearTimeout(one),
        pass: () => new Promise((resolve) => void setTimeout(resolve, 19)),
      });
      const machine = new Machine(1);
      const owner = machine.start({ argv: ["owner"], env: {}, cwd: "/", parent: null });
      const clock = makeTimers((us, run) => machine.after(us, owner, run));
      const simulated = await tryTimers(timers, {
        ...clock,
        pass: async () => {
          while (await machine.step());
        },
      });
      expect(simulated).toEqual(real);
    }),
    runs(200, 15),
  );
});

type FileModule = Pick<typeof fs, "mkdirSync" | "writeFileSync" | "readdirSync">;
type Start = (file: string, args: readonly string[], options: { readonly input?: Buffer }) => { status: number | null };

/** Removes some of these, each in both ways, and answers with what is left. */
function removeSome(root: string, files: Pick<NodeFiles, keyof FileModule> | FileModule, start: Start): unknown {
  for (const name of ["a", "b", "c", "\u00E9"]) {
    files.mkdirSync(`${root}/${name}`);
    files.writeFileSync(`${root}/${name}/file`, "x");
  }
  const direct = start("rm", ["-rf", "--", `${root}/a`, `${root}/\u00E9`, `${root}/none`], {});
  const through = start("xargs", ["-0", "--", "rm", "-rf", "--"], { input: Buffer.from(`${root}/b\0`) });
  return [direct.status, through.status, files.readdirSync(root)];
}

test("folders are removed alike, as arguments and through xargs", () => {
  const root = join(fs.realpathSync(scratchFolder()), "root");
  fs.mkdirSync(root);
  const real = removeSome(root, fs, (file, args, options) => spawnSync(file, args, options));
  const machine = new Machine(1);
  const files = makeSystem(machine);
  files.mkdirSync("/tmp/root");
  const caller = machine.start({ argv: ["caller"], env: {}, cwd: "/", parent: null });
  const children = new NodeChildren(
    () => machine,
    () => caller,
    () => null,
  );
  const simulated = removeSome("/tmp/root", files, (file, args, options) => children.spawnSync(file, args, options));
  expect(simulated).toEqual(real);
  expect([...machine.processes.values()].map(({ argv }) => argv[0])).toEqual(["setup", "caller"]);
});

/** What work in a scope, below it and after it sees. */
async function lookAround(scope: Pick<AsyncLocalStorage<string>, "run" | "getStore">): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const note = async (): Promise<void> => {
    await Promise.resolve();
    seen.push(scope.getStore());
  };
  await note();
  await scope.run("outer", async () => {
    await note();
    await scope.run("inner", note);
    await note();
    await scope.run("broken", () => Promise.reject(new Error("broken"))).catch(note);
  });
  await note();
  return seen;
}

test("scopes that lie in each other end alike", async () => {
  expect(await lookAround(new Scope())).toEqual(await lookAround(new AsyncLocalStorage()));
});
