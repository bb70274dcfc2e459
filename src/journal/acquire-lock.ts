/**
 * The lock on a repository: one holder at a time, and a dead holder never blocks the next.
 *
 * Taking it. The content is written to a private file first and then linked to the lock's name. `link` fails when the
 * name exists, so there is one winner, and the winner's file is complete from the first moment it can be seen.
 *
 * Taking it over from a dead holder. Removing a stale file is the dangerous step: between reading it and removing it,
 * somebody else may have removed it and taken the lock, and we would remove theirs. So a stale file may be removed only
 * by the holder of its guard, a file named for the hash of that exact content. Guards are numbered. One is created,
 * exclusively, only after every guard before it was found to belong to a process that is gone, and none is removed
 * while the stale content is still in place; gone processes do not come back, so there is never more than one living
 * guard holder for one stale content. The guard holder reads the lock again and removes it only if it still holds the
 * stale content. Nobody else can change it in between: the dead owner cannot, creating fails while the name exists, and
 * every other remover waits for the guard. The same content can never appear again, because the process it names is
 * dead; a latecomer who gets the guard after all is done reads something else and removes nothing. Hence two processes
 * never both hold the lock.
 *
 * What cannot be understood is never removed: a damaged file, a link, a holder on another machine. Only a lock that is
 * empty, and older than the last start of this machine, counts as one whose content a power cut took back.
 */
import { createHash, randomBytes } from "node:crypto";
import { linkSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { uptime } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { Lock } from "../records/lock.ts";
import { MeasurementError } from "../base/errors.ts";
import { parseWith } from "../base/schema-error.ts";
import { writeNew } from "../system/atomic-file.ts";
import { removeQuietly } from "../system/remove-quietly.ts";
import { readBounded } from "../system/bounded-file.ts";
import { readErrorCode } from "../system/read-files.ts";
import { readClockMs } from "../system/clock.ts";
import { readOwnIdentity, describeHolder } from "../process/process-identity.ts";

const LOCK_BYTES_MAX = 16 * 1024;
/** Together about two seconds of patience with another process that is just taking over a stale lock. */
const ATTEMPTS_MAX = 100;
const ATTEMPT_PAUSE_MS = 20;
/** A file that cannot be parsed may be one that is just being written, where the file system has no links. */
const CORRUPT_SIGHTINGS_MAX = 10;

/** What the holder learns later: the tick at work, and the end of the journal before it. */
export type LockNote = Required<Pick<Lock, "run_id" | "journal">>;

export type LockResult =
  | {
      readonly kind: "held";
      /** Only the holder may. */
      readonly note: (note: LockNote) => Promise<void>;
      readonly release: () => Promise<void>;
    }
  | { readonly kind: "busy"; readonly holder: Lock }
  | { readonly kind: "corrupt"; readonly path: string; readonly reason: string };

type LockRefusal = Exclude<LockResult, { kind: "held" }>;

export type LockReading =
  | { readonly kind: "free" }
  /** The holder is null where a power cut took the content back. */
  | { readonly kind: "stale"; readonly content: Buffer; readonly holder: Lock | null }
  | LockRefusal;

/** Takes the lock if nobody holds it. If a living process does, nothing is written. */
export async function acquireLock(
  path: string,
  runId: string /** As an ISO timestamp. */,
  now: () => string,
): Promise<LockResult> {
  const lock = await makeOwnLock(runId, now());
  const content = renderLock(lock);
  let last: LockRefusal | null = null;
  let corruptSightings = 0;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const sighting = await inspectLock(path);
    if (sighting.kind === "busy") return sighting;
    if (sighting.kind === "free" && (await createExclusive(path, content))) return hold(path, lock);
    if (sighting.kind === "corrupt") {
      corruptSightings += 1;
      if (corruptSightings > CORRUPT_SIGHTINGS_MAX) return sighting;
    }
    if (sighting.kind === "stale") {
      const obstacle = await removeStale(path, { stale: sighting.content, content });
      if (obstacle === null) continue;
      last = obstacle;
    }
    await delay(ATTEMPT_PAUSE_MS);
  }
  if (last === null) throw new MeasurementError("the lock", `the holder of ${path} kept changing`);
  return last;
}

async function hold(path: string, lock: Lock): Promise<LockResult> {
  removeLeftovers(path);
  let content = renderLock(lock);
  return {
    kind: "held",
    note: async (note) => {
      // Nobody takes a living holder's lock, so there is nothing to compare it with first.
      content = renderLock({ ...lock, ...note });
      const temporary = nameTemporary(path);
      await writeNew(temporary, content, 0o644);
      renameSync(temporary, path);
    },
    release: async () => void (await removeIfUnchanged(path, content)),
  };
}

async function makeOwnLock(runId: string, startedAt: string): Promise<Lock> {
  const { pid, processStart, bootId, host, pidNamespace } = await readOwnIdentity();
  return v.parse(Lock, {
    run_id: runId,
    pid,
    process_start: processStart,
    started_at: startedAt,
    boot_id: bootId,
    host,
    pid_namespace: pidNamespace,
  });
}

function renderLock(lock: Lock): Buffer {
  return Buffer.from(`${JSON.stringify(lock, null, 2)}\n`);
}

/** Only reads; nothing is taken and nothing is removed. */
export async function inspectLock(path: string): Promise<LockReading> {
  const read = await readBounded(path, LOCK_BYTES_MAX);
  if (read.kind === "missing") return { kind: "free" };
  if (read.kind === "refused") return { kind: "corrupt", path, reason: read.reason };
  const holder = parseLock(read.data);
  if (holder === null && isLostContent(path)) return { kind: "stale", content: read.data, holder };
  if (holder === null) return { kind: "corrupt", path, reason: "it does not hold a lock's JSON" };
  const state = await describeHolder(holder);
  return state === "gone" ? { kind: "stale", content: read.data, holder } : { kind: "busy", holder };
}

/** A lock is not synced. If the power is cut, a part of it may be lost; no process that wrote it can be alive then. */
function isLostContent(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Math.max(stats.mtimeMs, stats.ctimeMs) < readClockMs() - uptime() * 1000;
}

function parseLock(data: Buffer): Lock | null {
  try {
    const parsed = parseWith(Lock, JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data)));
    return parsed.kind === "valid" ? parsed.value : null;
  } catch {
    return null; // Not JSON, or not even text.
  }
}

/** Removes a stale lock under its guard. Null when it is gone; otherwise the reason why not. */
async function removeStale(
  path: string,
  { stale, content }: { readonly stale: Buffer; readonly content: Buffer },
): Promise<LockRefusal | null> {
  const mark = createHash("sha256").update(stale).digest("hex").slice(0, 32);
  let number = 0;
  for (let step = 0; step < ATTEMPTS_MAX; step += 1) {
    const guard = `${path}.reclaim-${mark}-${number}`;
    const sighting = await inspectLock(guard);
    if (sighting.kind === "busy" || sighting.kind === "corrupt") return sighting;
    if (sighting.kind === "stale") number += 1;
    else if (await createExclusive(guard, content)) {
      const refusal = await removeIfUnchanged(path, stale);
      if (refusal !== null) return { kind: "corrupt", path, reason: refusal };
      removeBeside(path, (rest) => rest.startsWith(`.reclaim-${mark}-`));
      return null;
    }
  }
  return { kind: "corrupt", path, reason: `it has more than ${number} abandoned guards beside it` };
}

function nameTemporary(path: string): string {
  return `${path}.${randomBytes(12).toString("hex")}.tmp`;
}

/** Creates a complete file under a name that must be free; false when it is taken. */
async function createExclusive(path: string, content: Buffer): Promise<boolean> {
  const temporary = nameTemporary(path);
  await writeNew(temporary, content, 0o644);
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    const code = readErrorCode(error) ?? "";
    // ENOENT: the new holder of the lock has removed our temporary file.
    if (code === "EEXIST" || code === "ENOENT") return false;
    if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(code)) return createUnlinked(path, content);
    throw error;
  } finally {
    removeQuietly(temporary);
  }
}

/** For file systems without hard links: still exclusive, but others may for a moment see it empty. */
async function createUnlinked(path: string, content: Buffer): Promise<boolean> {
  try {
    await writeNew(path, content, 0o644);
    return true;
  } catch (error) {
    if (readErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Null once the path no longer holds that content; otherwise why that is not known. */
async function removeIfUnchanged(path: string, content: Buffer): Promise<string | null> {
  const read = await readBounded(path, LOCK_BYTES_MAX);
  if (read.kind === "refused") return read.reason;
  if (read.kind === "read" && read.data.equals(content)) rmSync(path, { force: true });
  return null;
}

/**
 * Removes the rest of killed processes beside the lock. The holder may remove all of it: guards of earlier contents
 * mean nothing any more, its own content can have none while it lives, and a contender without its temporary file
 * retries.
 */
function removeLeftovers(path: string): void {
  removeBeside(path, (rest) => rest.startsWith(".reclaim-") || /^\.[0-9a-f]{24}\.tmp$/.test(rest));
}

/** Removes the files of the same folder whose names are the lock's own and a rest that is wanted away. */
function removeBeside(path: string, isUnwanted: (rest: string) => boolean): void {
  const [folder, name] = [dirname(path), basename(path)];
  for (const other of readdirSync(folder))
    if (other.startsWith(name) && isUnwanted(other.slice(name.length))) removeQuietly(join(folder, other));
}
