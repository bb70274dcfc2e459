/** Processes that race for one lock. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.ts";

interface Ended {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

export const RELEASED: Ended = { status: 0, signal: null, stderr: "" };
export const KILLED: Ended = { status: null, signal: "SIGKILL", stderr: "" };

export async function endOf(child: ChildProcess): Promise<Ended> {
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await once(child, "close");
  return { status: child.exitCode, signal: child.signalCode, stderr };
}

interface Race {
  readonly folder: string;
  readonly path: string;
  /** Of each process: whether it releases the lock or dies with it. */
  readonly fates: readonly string[];
}

/** Each process takes the lock four times and counts up in the file `counter`. */
export async function race({ folder, path, fates }: Race): Promise<readonly Ended[]> {
  const program = await bundle("lock-contender.ts", folder);
  writeFileSync(join(folder, "counter"), "0");
  const args = [program, path, join(folder, "counter"), "4"];
  return Promise.all(fates.map((fate) => endOf(spawn(process.execPath, [...args, fate]))));
}
