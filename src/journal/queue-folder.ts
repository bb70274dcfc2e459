/**
 * The folder of a queue.
 *
 *     log-3             the log since the third snapshot
 *     snapshot-3        the queue when this log began, or later: nobody needs older files
 *     beats/<worker>    when a worker was last seen
 *     jobs/<job>/       its specification; one folder for each attempt, with lines and attachments
 */
import { createHash } from "node:crypto";
import { closeSync, constants, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { QueueError } from "../queue/pure/engine.ts";
import { describeError } from "../base/errors.ts";
import { readErrorCode, readNow } from "../system/read-files.ts";
import { makeFolders } from "../system/folders.ts";
import { syncNow } from "../system/sync-file.ts";
import { writeNow } from "../system/write-files.ts";

const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;

const SNAPSHOT_BYTES_MAX = 512 * 1024 * 1024;

export const logPath = (folder: string, generation: number): string => join(folder, `log-${generation}`);
const snapshotPath = (folder: string, generation: number): string => join(folder, `snapshot-${generation}`);

/** Makes the folder, for its owner only. */
export function makeQueueFolder(folder: string): void {
  try {
    makeFolders(folder, 0o700);
    for (const name of ["beats", "jobs"]) makeFolders(join(folder, name), 0o700);
  } catch (error) {
    throw new QueueError("unwritable", `cannot make the queue ${folder}: ${describeError(error)}`);
  }
}

export interface QueueFiles {
  /** Generations, the newest first. */
  readonly snapshots: readonly number[];
  readonly logs: readonly number[];
}

export function listQueueFiles(folder: string): QueueFiles {
  const names = listNames(folder);
  const numbers = (pattern: RegExp): readonly number[] =>
    names
      .flatMap((name) => pattern.exec(name)?.groups?.["number"] ?? [])
      .map(Number)
      .toSorted((one, other) => other - one);
  return { snapshots: numbers(/^snapshot-(?<number>\d{1,9})$/), logs: numbers(/^log-(?<number>\d{1,9})$/) };
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return [];
    throw new QueueError("unwritable", `cannot read the queue ${folder}: ${describeError(error)}`);
  }
}

/** The log file is there before the snapshot that names it, so a missing one was removed. */
export function writeSnapshot(folder: string, generation: number, body: string): void {
  const path = logPath(folder, generation);
  closeSync(openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600));
  writeNow(snapshotPath(folder, generation), `${hashText(body)}\n${body}`, 0o600);
  syncNow(folder);
  removeOlder(folder, generation - 1);
}

/** Null where it is missing, or not as it was written. */
export function readSnapshot(folder: string, generation: number): string | null {
  const text = readNow(snapshotPath(folder, generation), { bytesMax: SNAPSHOT_BYTES_MAX })?.toString("utf8") ?? "";
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  return end !== -1 && text.slice(0, end) === hashText(body) ? body : null;
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** One generation before the newest one stays, in case that the newest snapshot gets damaged. */
function removeOlder(folder: string, oldest: number): void {
  const { snapshots, logs } = listQueueFiles(folder);
  for (const number of snapshots) if (number < oldest) rmSync(snapshotPath(folder, number), { force: true });
  for (const number of logs) if (number < oldest) rmSync(logPath(folder, number), { force: true });
}
