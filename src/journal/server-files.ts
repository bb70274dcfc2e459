/** The files and the process of a server of the queue. */
import { existsSync, readdirSync, readFileSync, statfsSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { readErrorCode } from "../system/error-code.ts";

export function hasServerFile(folder: string, name: string): boolean {
  return existsSync(join(folder, name));
}

export function readServerFile(folder: string, name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

/** The bytes that a folder of the server has and could have on its disk. */
export function countRoom(folder: string, name: string): number {
  const { bavail, bsize } = statfsSync(folder);
  if (!hasServerFile(folder, name)) return bavail * bsize;
  const files = readdirSync(join(folder, name), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  // A running server removes files meanwhile.
  const sizes = files.map((one) => statSync(join(one.parentPath, one.name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, bavail * bsize);
}

/** Lets the server that we started read its configuration again; it wrote its own number into the folder. */
export function reloadServer(folder: string): void {
  try {
    process.kill(Number(readServerFile(folder, "server.pid")), "SIGHUP");
  } catch (error) {
    if (!["ENOENT", "ESRCH"].includes(readErrorCode(error) ?? "")) throw error; // It ends, or begins just now.
  }
}

/** Calls after each change of a file in the folder, until the signal. */
export function watchServerFile(folder: string, name: string, { call, signal }: FileWatch): void {
  watch(folder, { signal }, (_, changed) => {
    if (changed === name) call();
  }).on("error", () => null);
}

interface FileWatch {
  readonly call: () => void;
  readonly signal: AbortSignal;
}
