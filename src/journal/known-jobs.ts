import { rmSync, statSync, existsSync, readdirSync, readFileSync, statfsSync, watch } from "node:fs";
import { join } from "node:path";
import { KnownJob } from "../queue/pure/job.ts";
import { listNames } from "../system/list-folders.ts";
import { readPrivate, writePrivate } from "../system/private-document.ts";
import { hash } from "node:crypto";
import { readErrorCode } from "../system/read-files.ts";
import { UserSettings } from "../queue/pure/user-settings.ts";
import { QueueError } from "../queue/pure/engine.ts";
import type { Environment } from "../base/environment.ts";
import { locateUserSettings } from "../system/user-folder.ts";

/** What this machine knows of the jobs of a shared queue: one private file each. */

/** More than a queue lists; the oldest go. */
const KNOWN_MAX = 2000;

export async function writeKnownJob(folder: string, known: KnownJob): Promise<void> {
  await writePrivate(join(folder, `${known.job}.json`), known);
  const files = listFiles(folder);
  if (files.length <= KNOWN_MAX) return;
  const aged = files.map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  const old = aged.toSorted((one, other) => one.at - other.at).slice(0, files.length - KNOWN_MAX);
  for (const { file } of old) rmSync(file, { force: true });
}

/** A file that cannot be read is left out. */
export async function readKnownJobs(folder: string): Promise<readonly KnownJob[]> {
  const found: KnownJob[] = [];
  for (const file of listFiles(folder)) {
    const read = await readPrivate(file, KnownJob);
    if (read.kind === "read") found.push(read.value);
  }
  return found;
}

function listFiles(folder: string): readonly string[] {
  return listNames(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name));
}

const DIGITS = 16;

/** A short name for the name of a repository, in names on a server. */
export function makeToken(name: string): string {
  return hash("sha256", name).slice(0, DIGITS);
}

/** The files and the process of a server of the queue. */

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
export function watchServerFile(folder: string, name: string, call: () => void, signal: AbortSignal): void {
  watch(folder, { signal }, (_, changed) => {
    if (changed === name) call();
  }).on("error", () => null);
}

/** Null without a file. Throws a `QueueError` where it cannot be used. */
export async function findUserSettings(environment: Environment): Promise<UserSettings | null> {
  const read = await readPrivate(locateUserSettings(environment), UserSettings);
  if (read.kind === "unusable") throw new QueueError("refused", read.reason);
  return read.kind === "missing" ? null : read.value;
}
