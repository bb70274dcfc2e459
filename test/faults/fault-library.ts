/** The library in front of the file system, compiled for this machine. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The numbers of the errors on Linux. */
export const ERRORS = { ENOSPC: 28, EIO: 5, EROFS: 30 } as const;

/** As the library numbers them. */
const MODES = { once: 1, full: 2, dead: 3, clock: 4 } as const;

export interface Fault {
  /** The number of the call, from 1; 0 lets all of them pass. */
  readonly at: number;
  readonly error: keyof typeof ERRORS;
  /** One call, every call from there on that needs space, every call from there on, or a step of the clock. */
  readonly mode: keyof typeof MODES;
  readonly shiftSeconds?: number;
}

export interface ArmedFault {
  readonly variables: Readonly<Record<string, string>>;
  /** The calls so far: its program, its name and its path below the folder. A failed one begins with `!`. */
  readonly calls: () => readonly string[];
}

const SOURCE = "test/faults/fault.c";
const BUILT = ".cache/faults/fault.so";

/** The compiled library, or why there is none. */
export function compileLibrary(): { readonly path: string } | { readonly missing: string } {
  if (process.platform !== "linux") return { missing: "the library is for Linux only" };
  const [source, built] = [resolve(SOURCE), resolve(BUILT)];
  if (existsSync(built) && statSync(built).mtimeMs > statSync(source).mtimeMs) return { path: built };
  mkdirSync(resolve(BUILT, ".."), { recursive: true });
  const fresh = `${built}.${process.pid}`;
  try {
    execFileSync("cc", ["-shared", "-fPIC", "-O1", "-o", fresh, source, "-ldl"], { stdio: "pipe" });
  } catch (error) {
    return { missing: `no C compiler: ${error instanceof Error ? error.message : String(error)}` };
  }
  renameSync(fresh, built);
  return { path: built };
}

/** Lets the fault happen below this folder to the program that gets the variables. */
export function armFault(library: string, folder: string, fault: Fault): ArmedFault {
  const [plan, log] = [join(folder, "fault.plan"), join(folder, "fault.log")];
  const numbers = [fault.at, ERRORS[fault.error], MODES[fault.mode], fault.shiftSeconds ?? 0, 0, 0];
  writeFileSync(plan, Buffer.from(Int32Array.from(numbers).buffer));
  writeFileSync(log, "");
  const variables = {
    LD_PRELOAD: library,
    RELAIS_FAULT_PLAN: plan,
    RELAIS_FAULT_LOG: log,
    RELAIS_FAULT_ROOT: folder,
  };
  return { variables, calls: () => readCalls(log) };
}

function readCalls(log: string): readonly string[] {
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
  const numbered = lines.map((line) => /^(\d+)(!?) (.*)$/.exec(line)).filter((match) => match !== null);
  return numbered
    .toSorted(([, one], [, other]) => Number(one) - Number(other))
    .map(([, , mark, call]) => `${mark ?? ""}${call ?? ""}`);
}
