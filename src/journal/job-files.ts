/** The files of one job: its specification, and for each attempt its lines and attachments. */
import { createHash } from "node:crypto";
import { constants, lstatSync, readdirSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { QueueError } from "../queue/pure/engine.ts";
import { describeError } from "../base/errors.ts";
import { nameTemporary, writeAtomic } from "../system/atomic-file.ts";
import { makeFolders } from "../system/folders.ts";
import { readNow } from "../system/read-files.ts";
import { syncNow } from "../system/sync-file.ts";

const { O_WRONLY, O_RDONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const SPEC_BYTES_MAX = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

export interface StorePlace {
  /** The folder of the queue. */
  readonly folder: string;
  /** The name of the job's own folder, which no other job ever has. */
  readonly store: string;
}

export interface AttemptPlace extends StorePlace {
  readonly attempt: number;
}

const jobFolder = ({ folder, store }: StorePlace): string => join(folder, "jobs", store);
const attemptFolder = (place: AttemptPlace): string => join(jobFolder(place), String(place.attempt));

/** Answers its hash. */
export async function writeSpec(place: StorePlace, text: string): Promise<string> {
  const sha256 = createHash("sha256").update(text).digest("hex");
  await asWritable(place.folder, async () => {
    makeFolders(jobFolder(place), 0o700);
    await writeAtomic(specPath(place), text, { mode: 0o600 });
    syncNow(join(place.folder, "jobs"));
  });
  return sha256;
}

export function readSpec(place: StorePlace, sha256: string): string {
  const data = readNow(specPath(place), { bytesMax: SPEC_BYTES_MAX });
  if (data !== null && createHash("sha256").update(data).digest("hex") === sha256) return data.toString("utf8");
  throw new QueueError("damaged", `${specPath(place)} is missing or altered: restore it, or cancel the job`);
}

function specPath(place: StorePlace): string {
  return join(jobFolder(place), "spec.json");
}

export interface StoredBytes {
  readonly sha256: string;
  readonly bytes: number;
}

/** Stores an attachment under its name and hash, whole and on the disk. */
export async function storeAttachment(
  place: AttemptPlace,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<StoredBytes> {
  return asWritable(place.folder, async () => {
    const folder = attemptFolder(place);
    makeFolders(folder, 0o700);
    const temporary = nameTemporary(join(folder, name));
    try {
      const stored = await writeStream(temporary, content);
      await rename(temporary, attachmentPath(place, name, stored));
      syncNow(folder);
      return stored;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  });
}

async function writeStream(path: string, content: AsyncIterable<Uint8Array>): Promise<StoredBytes> {
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    const digest = createHash("sha256");
    let bytes = 0;
    for await (const part of content) {
      digest.update(part);
      bytes += part.length;
      await file.writeFile(part);
    }
    await file.sync();
    return { sha256: digest.digest("hex"), bytes };
  } finally {
    await file.close();
  }
}

/** Throws at the end where it is not what was stored. */
export async function* readStored(
  place: AttemptPlace,
  name: string,
  stored: StoredBytes,
): AsyncGenerator<Uint8Array, void> {
  const path = attachmentPath(place, name, stored);
  const digest = createHash("sha256");
  for await (const part of readRange(path, { from: 0, until: stored.bytes })) {
    digest.update(part);
    yield part;
  }
  if (digest.digest("hex") !== stored.sha256) throw new QueueError("damaged", `${path} was altered`);
}

function attachmentPath(place: AttemptPlace, name: string, { sha256 }: StoredBytes): string {
  return join(attemptFolder(place), `${name}-${sha256.slice(0, 16)}`);
}

export interface ByteRange {
  readonly from: number;
  readonly until: number;
}

async function* readRange(path: string, { from, until }: ByteRange): AsyncGenerator<Uint8Array, void> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW).catch((error: unknown) => {
    throw new QueueError("damaged", `cannot read ${path}: ${describeError(error)}`);
  });
  try {
    for (let at = from; at < until;) {
      const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, until - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw new QueueError("damaged", `${path} was cut`);
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** The folders of jobs that were made before a moment. */
export function listStores(folder: string, beforeMs: number): readonly string[] {
  const names = readdirSync(join(folder, "jobs"));
  const madeAt = (name: string): number =>
    lstatSync(join(folder, "jobs", name), { throwIfNoEntry: false })?.mtimeMs ?? beforeMs;
  return names.filter((name) => madeAt(name) < beforeMs);
}

/** Removes everything of jobs that are forgotten. */
export async function removeJobFiles(folder: string, stores: readonly string[]): Promise<void> {
  for (const store of stores) await rm(jobFolder({ folder, store }), { recursive: true, force: true });
}

async function asWritable<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof QueueError || !(error instanceof Error && "code" in error)) throw error;
    throw new QueueError("unwritable", `cannot write the queue ${folder}: ${describeError(error)}`);
  }
}

const linesPath = (place: AttemptPlace): string => join(attemptFolder(place), "lines");
const indexPath = (place: AttemptPlace): string => join(attemptFolder(place), "lines.index");

/** Writes lines at an offset; what was there belongs to nobody, because no record counts it. */
export async function writeLines(place: AttemptPlace, at: number, data: Buffer): Promise<void> {
  await asWritable(place.folder, async () => {
    makeFolders(attemptFolder(place), 0o700);
    const file = await open(linesPath(place), O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      for (let done = 0; done < data.length;)
        done += (await file.write(data, done, data.length - done, at + done)).bytesWritten;
      await file.datasync();
    } finally {
      await file.close();
    }
  });
}

/** One batch of lines: the record that counts it, and where it ends. */
export interface LinesBatch {
  readonly seq: number;
  readonly end: number;
}

/** Notes a batch for readers. A missing last note is no loss: the record has it, too. */
export async function noteBatch(place: AttemptPlace, { seq, end }: LinesBatch): Promise<void> {
  const file = await open(indexPath(place), O_WRONLY | O_CREAT | constants.O_APPEND | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(`\n${seq} ${end} .\n`);
  } finally {
    await file.close();
  }
}

export function readBatches(place: AttemptPlace): readonly LinesBatch[] {
  const text = readNow(indexPath(place), { bytesMax: SPEC_BYTES_MAX })?.toString("latin1") ?? "";
  return [...text.matchAll(/^(?<seq>\d+) (?<end>\d+) \.$/gm)].map(({ groups }) => ({
    seq: Number(groups?.["seq"]),
    end: Number(groups?.["end"]),
  }));
}

export async function readLines(place: AttemptPlace, range: ByteRange): Promise<readonly string[]> {
  const parts: Uint8Array[] = [];
  for await (const part of readRange(linesPath(place), range)) parts.push(part);
  return Buffer.concat(parts).toString("utf8").split("\n").slice(0, -1);
}
