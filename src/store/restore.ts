/**
 * Restores entries by path list and content, never by asking git to reset anything.
 *
 * A file gets a new inode (temporary name, then rename), so that a link to the old one cannot reach it. Permissions
 * that a builder took away are lifted on the way and set at the end. What was restored is then on the disk: a power cut
 * brings back neither a reverted change nor an empty file.
 */
import { removeQuietly } from "../system/remove-quietly.ts";
import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { MeasurementError } from "../base/errors.ts";
import { type Entry, type Manifest, modifiedAtSeconds } from "../base/manifest.ts";
import { type ContentStore, locateLargeFile, readBlobs } from "./content-store.ts";
import { computeFileBlobId } from "./large-file.ts";
import { liftPermissionsAround } from "../system/lift-permissions.ts";
import { runOnPaths } from "../system/run-on-paths.ts";
import { readErrorCode } from "../system/read-files.ts";
import { joinBytes } from "../system/byte-path.ts";
import { readNames } from "../system/read-names.ts";
import { removeFile } from "../system/remove-own.ts";
import { removeTree } from "../system/remove-files.ts";
import { writeFully } from "../system/write-files.ts";
import { syncEntries, syncNow } from "../system/sync-file.ts";
import { findEntryAt } from "../system/walk.ts";

const CLONE = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;

interface RestoreStep {
  readonly path: string;
  readonly entry: Entry;
}

export interface RestoreRequest {
  /** As a byte string. */
  readonly folder: string;
  readonly store: ContentStore;
  readonly plan: {
    readonly remove: readonly RestoreStep[];
    readonly createFolders: readonly RestoreStep[];
    readonly write: readonly RestoreStep[];
    readonly settle: readonly RestoreStep[];
  };
  /** The entries that the plan replaces, as they were observed: a file that somebody saved since is not overwritten. */
  readonly seen?: Manifest;
  /** A power cut leaves each file as it was or as it is to be: where nobody performs the plan again, half a file would stay. */
  readonly isWhole?: true;
  /** In a place that is thrown away, or before the tick is settled: nothing waits for the disk. */
  readonly isPassing?: true;
}

/** With more files, to wait for each of them takes too long. */
const WHOLE_FILES_MAX = 1000;

/** Somebody saved a file in the moment in which it was to be restored. */
export class SavedMeanwhile extends MeasurementError {}

/** Performs a plan. After a crash it may be performed again: every step is safe to repeat. */
export async function restore({ folder, store, plan, seen, isWhole, isPassing }: RestoreRequest): Promise<void> {
  const lift = liftPermissionsAround(folder);
  for (const { path, entry } of plan.remove) lift(path, (absolute) => removeEntry(absolute, entry));
  for (const { path } of plan.createFolders) {
    lift(path, (absolute) => mkdirSync(absolute, { recursive: true, mode: 0o700 }));
  }
  for (const { path, entry } of plan.write) {
    if (entry.type === "symlink") lift(path, (absolute) => writeLink(absolute, entry.target ?? ""));
    if (entry.type === "fifo") lift(path, makeFifo);
  }
  const demandUnsaved = (path: string): void => {
    const was = seen?.get(path) ?? null;
    if (seen === undefined || (was !== null && was.type !== "file")) return;
    if (findEntryAt(folder, path)?.stamp !== was?.stamp) throw new SavedMeanwhile(path, "it was saved meanwhile");
  };
  const steps = plan.write.filter(({ entry }) => entry.type === "file");
  const isSynced = isWhole === true && steps.length <= WHOLE_FILES_MAX;
  await writeFiles({ store, steps, lift, demandUnsaved, isSynced });
  for (const { path, entry } of plan.settle) lift(path, (absolute) => settleEntry(absolute, entry));
  if (isPassing === true) return;
  const all = [...plan.write, ...plan.settle, ...plan.createFolders, ...plan.remove];
  syncEntries(
    folder,
    all.map(({ path }) => path),
  );
}

interface FileWriting {
  readonly store: ContentStore;
  readonly steps: readonly RestoreStep[];
  readonly lift: ReturnType<typeof liftPermissionsAround>;
  /** Asked last, so that little time is left for a save that nobody sees. */
  readonly demandUnsaved: (path: string) => void;
  /** Whether a file is on the disk before it gets its name. */
  readonly isSynced: boolean;
}

async function writeFiles({ store, steps, lift, demandUnsaved, isSynced }: FileWriting): Promise<void> {
  const put = (path: string, write: (temporary: Buffer) => void): void => {
    const fill = (temporary: Buffer): void => {
      write(temporary);
      if (isSynced) syncNow(temporary);
    };
    lift(path, (absolute) => replaceFile(absolute, fill, () => demandUnsaved(path)));
  };
  const byId = new Map<string, RestoreStep[]>();
  const small = new Map<string, number>();
  for (const step of steps) {
    const id = step.entry.id;
    if (id === null) throw new MeasurementError(step.path, "its content was never stored");
    const large = locateLargeFile(store, id);
    if (large === null) {
      const same = byId.get(id);
      if (same === undefined) byId.set(id, [step]);
      else same.push(step);
      small.set(id, step.entry.size);
    } else if (computeFileBlobId(large, step.entry.size) === id) {
      put(step.path, (temporary) => copyFileSync(large, temporary, CLONE));
    } else {
      throw new MeasurementError("content store", `${id} is damaged`);
    }
  }
  for await (const [id, content] of readBlobs(
    store,
    [...small].map(([key, size]) => ({ id: key, size })),
  )) {
    for (const { path } of byId.get(id) ?? []) put(path, (temporary) => writeNew(temporary, content));
  }
}

/** Whether it is the temporary file of a process that was killed while it restored another one. */
export function isHalfRestored(name: string): boolean {
  return /^\.relais-[0-9a-f]{16}$/.test(name);
}

/** Beside a path: a crash may leave the file that was to be renamed. */
export function removeHalfRestored(root: string, path: string): void {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  for (const name of readNames(joinBytes(root, folder)) ?? [])
    if (isHalfRestored(name)) removeFile(joinBytes(root, folder === "" ? name : `${folder}/${name}`));
}

function replaceFile(absolute: Buffer, write: (temporary: Buffer) => void, check = (): void => {}): void {
  const slash = absolute.lastIndexOf("/");
  const name = Buffer.from(`.relais-${randomBytes(8).toString("hex")}`);
  const temporary = Buffer.concat([absolute.subarray(0, slash + 1), name]);
  try {
    write(temporary);
    check();
    renameSync(temporary, absolute);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

function writeNew(temporary: Buffer, content: Buffer): void {
  const descriptor = openSync(temporary, "wx", 0o600);
  try {
    writeFully(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
}

function writeLink(absolute: Buffer, target: string): void {
  replaceFile(absolute, (temporary) => symlinkSync(Buffer.from(target, "latin1"), temporary));
}

function makeFifo(absolute: Buffer): void {
  // Asked here, because only a refusal of our own makes the folder be opened.
  accessSync(absolute.subarray(0, absolute.lastIndexOf("/")), constants.W_OK | constants.X_OK);
  const refusal = runOnPaths(["mkfifo", "--"], [absolute]);
  if (refusal !== null) throw new MeasurementError(absolute.toString("utf8"), refusal);
}

/** Gives an entry its owner, mode and modification time. Ownership is set as far as we may. */
function settleEntry(absolute: Buffer, entry: Entry): void {
  settleOwner(absolute, entry);
  if (entry.type !== "symlink") chmodSync(absolute, entry.mode);
  // As text, because Node takes a negative number for a mistake and sets the present time.
  const seconds = String(modifiedAtSeconds(entry));
  lutimesSync(absolute, seconds, seconds);
}

/** Somebody else than root may give a file to another of their own groups. A refusal shows in the comparison. */
function settleOwner(absolute: Buffer, entry: Entry): void {
  const [uid = 0, gid = 0] = entry.owner.split(":").map(Number);
  const now = lstatSync(absolute);
  if (now.uid === uid && now.gid === gid) return;
  if (process.getuid?.() === 0) return lchownSync(absolute, uid, gid);
  try {
    lchownSync(absolute, -1, gid);
  } catch (error) {
    if (readErrorCode(error) !== "EPERM") throw error;
  }
}

function removeEntry(absolute: Buffer, entry: Entry): void {
  try {
    // What could not be listed is removed with its folder.
    if (entry.type === "directory" && entry.forced) removeTree(absolute);
    else if (entry.type === "directory") rmdirSync(absolute);
    else unlinkSync(absolute);
  } catch (error) {
    if (readErrorCode(error) !== "ENOENT") throw error;
  }
}
