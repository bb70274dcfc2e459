/** Every state of the disk between two calls of a program: test/crash/record.c keeps a copy of each. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Site } from "./site.ts";

const SOURCE = "test/crash/record.c";
const BUILT = ".cache/crash/record";

/** What is on the disk right after a call. */
export interface DiskState {
  readonly name: string;
  /** The call that led to it; only half of its data is there where it is torn. */
  readonly call: string;
  readonly isTorn: boolean;
  /** A copy of the box. */
  readonly folder: string;
}

export type Recorder = { readonly path: string } | { readonly missing: string };

/** The compiled recorder, or why there is none. */
export function compileRecorder(): Recorder {
  if (process.platform !== "linux" || process.arch !== "x64") return { missing: "the recorder is for Linux on x86-64" };
  const [source, built] = [resolve(SOURCE), resolve(BUILT)];
  if (existsSync(built) && statSync(built).mtimeMs > statSync(source).mtimeMs) return { path: built };
  mkdirSync(resolve(BUILT, ".."), { recursive: true });
  const fresh = `${built}.${process.pid}`;
  try {
    execFileSync("cc", ["-O1", "-o", fresh, source], { stdio: "pipe" });
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
  renameSync(fresh, built);
  return { path: built };
}

interface Recording {
  readonly recorder: string;
  readonly site: Site;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Gets the copies. */
  readonly folder: string;
  /** Copies only after each call whose number is a multiple of this. */
  readonly every?: number | undefined;
}

/** Runs the program to its end. Throws where it fails, because the states would be those of something else. */
export async function recordStates(recording: Recording, isGood: (said: string) => boolean): Promise<DiskState[]> {
  const { said, status } = await follow(recording, `every=${recording.every ?? 1}`);
  if (!isGood(said)) throw new Error(`it ended with ${String(status)}: ${said}`);
  return readStates(recording);
}

function readStates({ folder, site }: Recording): DiskState[] {
  const lines = readFileSync(join(folder, "calls"), "utf8").split("\n").slice(0, -1);
  return lines.map((line) => {
    const [name = "", ...words] = line.split(" ");
    const call = words.join(" ").replaceAll(site.box, "");
    return { name, call, isTorn: name.endsWith(".torn"), folder: join(folder, name) };
  });
}

/**
 * Runs the program and kills it with SIGKILL right after the call of this number; what it had started goes on. Answers with that
 * call, null where the program ended before.
 */
export async function killAfter(recording: Recording, number: number): Promise<string | null> {
  mkdirSync(recording.folder, { recursive: true });
  await follow(recording, `kill=${number}`);
  const state = readStates(recording)[number - 1];
  rmSync(recording.folder, { recursive: true });
  return state?.call ?? null;
}

/** Where it is killed, waits only for the death of the program: its children may live until a recovery ends them. */
async function follow({ recorder, site, argv, folder }: Recording, wish: string) {
  const child = spawn(recorder, [site.box, folder, wish, "--", ...argv], {
    cwd: site.root,
    env: site.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const killed = new Promise<void>((done) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on("line", (line) => (line === "killed" ? done() : void lines.push(line)));
  });
  await Promise.race([killed, once(child, "close")]);
  return { said: lines.join("\n"), status: child.exitCode };
}
