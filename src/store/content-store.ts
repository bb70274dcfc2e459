/**
 * The content store: every byte that a rollback needs, in a private folder outside the repository.
 *
 * Small files become blobs of the private judge repository. A few are written here; many go through one `git
 * fast-import`, fed with what we read ourselves: names, attributes, filters and nested repositories play no part. Large
 * files are copied whole (a clone where the file system can), which makes packs and data files affordable. The id is
 * git's blob id in any case, and content is checked against it when it is read, so a store that lies is noticed.
 */
import type { Entry } from "../base/manifest.ts";
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { MeasurementError } from "../base/errors.ts";
import { computeBlobId } from "../system/hash-file.ts";
import { isFile } from "../system/read-files.ts";
import { openRedoLog, type RedoLog } from "../system/redo-log.ts";
import { runGit } from "../git/git.ts";
import { keepLarge, computeLargeId } from "./large-file.ts";
import { makeFolders } from "../system/folders.ts";
import { createPrivateRepository, isPrivateStill, writePrivateFiles } from "../git/private-repository.ts";
import { openObjectReader, writeObject } from "../git/object-files.ts";
import { removeStrays } from "./remove-strays.ts";
import { type FileToRead, readStable } from "../system/read-stable.ts";

/** From this size on a file is copied instead of being fed to git. */
export const LARGE_BYTES = 4 * 1024 * 1024;
/** More content at once goes into a pack. */
const OWN_FILES_MAX = 256;
const OWN_BYTES_MAX = 4 * 1024 * 1024;
const BATCH_BYTES = 32 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** What git stores is on the disk when git has ended. */
export const DURABLE_OBJECTS = ["-c", "core.fsync=committed,loose-object", "-c", "core.fsyncMethod=batch"];
const FAST_IMPORT = [...DURABLE_OBJECTS, "-c", "pack.compression=1", "fast-import", "--quiet", "--depth=0"];

/** Empty, but for a moment while lost content is fetched from another store. */
export const ALTERNATES = join("objects", "info", "alternates");

export interface ContentStore {
  readonly gitDir: string;
  readonly largeDir: string;
  readonly redo: RedoLog;
  /** Of the person, to find git. */
  readonly environment: Environment;
}

export function accessStore({ gitDir, environment }: Pick<ContentStore, "gitDir" | "environment">) {
  return { gitDir, cwd: gitDir, environment };
}

export interface FileToKeep extends FileToRead {
  /** The id of a stored content of the same size that was there before, or null. */
  readonly knownId?: string | null;
}

export interface KeepRequest {
  readonly files: readonly FileToKeep[];
  /**
   * Larger files are not kept, and their id stays null. They are read only where they may still have the known content.
   * Null keeps everything.
   */
  readonly sizeMax: number | null;
  /** Lift the permissions of files that refuse to be read, and report it. */
  readonly force: boolean;
}

/** What was learnt about one file: its id, and whether its permissions had to be lifted. */
export interface Kept {
  readonly id: string | null;
  readonly forced: boolean;
}

export function locateStore(stateDirectory: string): string {
  return join(stateDirectory, "judge.git");
}

export async function openContentStore(directory: string, environment: Environment): Promise<ContentStore> {
  const places = { gitDir: locateStore(directory), largeDir: join(directory, "large") };
  const store = { ...places, redo: openRedoLog(directory), environment };
  makeFolders(store.largeDir, 0o700);
  const isWhole = ["HEAD", "objects/info", "objects/pack", "refs"].every((name) =>
    existsSync(join(store.gitDir, name)),
  );
  if (!isWhole) await createStore(store.gitDir);
  // A killed process may have left an alternate behind, and borrowed content would not be kept.
  else if (!(await isPrivateStill(store.gitDir))) await writePrivateFiles(store.gitDir);
  return store;
}

async function createStore(gitDir: string): Promise<void> {
  await createPrivateRepository(gitDir);
  makeFolders(join(gitDir, "objects", "pack"), 0o700);
}

/** One answer for each file, in the same order. */
export async function keepFiles(store: ContentStore, request: KeepRequest): Promise<readonly Kept[]> {
  const kept: Kept[] = [];
  const small: number[] = [];
  for (const [index, file] of request.files.entries()) {
    if (file.entry.size >= LARGE_BYTES) kept[index] = keepOneLarge(store, request, file);
    else {
      const [same] = identifyFiles([file], request.force);
      if (same === undefined || same.id === null || same.id !== file.knownId) small.push(index);
      else kept[index] = same;
    }
  }
  const bytes = small.reduce((sum, index) => sum + (request.files[index]?.entry.size ?? 0), 0);
  const work = { request, small, kept };
  if (small.length > OWN_FILES_MAX || bytes > OWN_BYTES_MAX) await importBlobs(store, work);
  else writeBlobs(store, work);
  return kept;
}

type NamedEntry = readonly [path: string, entry: Entry | null];

/** The entries below a folder with the ids of their contents, which are kept. */
export async function keepEntries(
  store: ContentStore,
  folder: string,
  entries: readonly NamedEntry[],
): Promise<ReadonlyMap<string, Entry | null>> {
  const files = entries.flatMap(([path, entry]) =>
    entry?.type === "file" ? [{ folder, path, entry, knownId: null }] : [],
  );
  const kept = await keepFiles(store, { files, sizeMax: null, force: false });
  const known = files.map(({ path, entry }, at): NamedEntry => [path, { ...entry, id: kept[at]?.id ?? null }]);
  return new Map([...entries, ...known]);
}

function writeBlobs(store: ContentStore, { request, small, kept }: BlobImport): void {
  for (const index of small) {
    const file = request.files[index];
    if (file === undefined) continue;
    const { content, forced } = readStable(file, request.force);
    kept[index] = { id: writeObject(store, "blob", content), forced };
  }
}

/**
 * Finds out which files still have their known content. Nothing is stored, so it works on a full disk. A file without a
 * known content is not read, and its id stays null.
 */
export function identifyFiles(files: readonly FileToKeep[], force: boolean): readonly Kept[] {
  return files.map((file) => {
    if (file.knownId === null || file.knownId === undefined) return { id: null, forced: false };
    if (file.entry.size >= LARGE_BYTES) return computeLargeId(file, force);
    const { content, forced } = readStable(file, force);
    return { id: computeBlobId(content), forced };
  });
}

function keepOneLarge(store: ContentStore, { sizeMax, force }: KeepRequest, file: FileToKeep): Kept {
  const learnt = isInStore(store, file.knownId) ? computeLargeId(file, force) : { id: null, forced: false };
  if (learnt.id !== null && learnt.id === file.knownId) return learnt;
  if (sizeMax !== null && file.entry.size > sizeMax) return { ...learnt, id: null };
  const { id, forced } = keepLarge(store.largeDir, file, force);
  return { id, forced: forced || learnt.forced };
}

function isInStore(store: ContentStore, id: string | null | undefined): boolean {
  return typeof id === "string" && locateLargeFile(store, id) !== null;
}

interface BlobImport {
  readonly request: KeepRequest;
  readonly small: readonly number[];
  readonly kept: Kept[];
}

async function importBlobs(store: ContentStore, work: BlobImport): Promise<void> {
  const marks = join(store.gitDir, "import-marks");
  rmSync(marks, { force: true });
  await runGit({
    ...accessStore(store),
    args: [...FAST_IMPORT, `--export-marks=${marks}`],
    input: streamBlobs(work),
  });
  const stored = new Map<string, string>();
  for (const line of readFileSync(marks, "latin1").split("\n")) stored.set(line.slice(0, -41), line.slice(-40));
  for (const index of work.small) {
    if (stored.get(`:${index + 1}`) !== work.kept[index]?.id) {
      throw new MeasurementError("content store", "git stored other content than was read");
    }
  }
  rmSync(marks);
}

export function storeBlobs(store: ContentStore, contents: readonly Buffer[]): void {
  for (const content of contents) writeObject(store, "blob", content);
}

/** The input of fast-import: one blob per file, gathered into chunks so that few writes are needed. */
async function* streamBlobs({ request, small, kept }: BlobImport): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for (const index of small) {
    const file = request.files[index];
    if (file === undefined) continue;
    const { content, forced } = readStable(file, request.force);
    kept[index] = { id: computeBlobId(content), forced };
    const header = Buffer.from(`blob\nmark :${index + 1}\ndata ${content.length}\n`);
    chunks.push(header, content, Buffer.from("\n"));
    bytes += content.length + header.length + 1;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}

export interface Wanted {
  readonly id: string;
  readonly size: number;
}

/** Null when the id is that of a blob. */
export function locateLargeFile(store: ContentStore, id: string): string | null {
  const path = join(store.largeDir, id);
  return isFile(path) ? path : null;
}

/** Copies a large file of one store to another, under the same id. */
export function copyLargeFile(from: ContentStore, to: ContentStore, id: string): void {
  const path = locateLargeFile(from, id);
  if (path === null) throw new MeasurementError("content store", `${id} is missing`);
  copyFileSync(path, join(to.largeDir, id));
}

/** The content of small files, in batches that bound memory. Every byte is checked against its id. */
export async function* readBlobs(
  store: ContentStore,
  wanted: readonly Wanted[],
): AsyncGenerator<readonly [string, Buffer]> {
  const reader = openObjectReader(store.gitDir);
  const others: Wanted[] = [];
  try {
    for (const want of wanted) {
      const content = reader.read(want.id, { type: "blob", size: want.size, sizeMax: want.size });
      if (content === null) others.push(want);
      else yield [want.id, content];
    }
  } finally {
    reader.close();
  }
  if (others.length > 0) removeStrays(store);
  for (const batch of splitBatches(others)) yield* readByGit(store, batch);
}

async function* readByGit(store: ContentStore, batch: readonly Wanted[]): AsyncGenerator<readonly [string, Buffer]> {
  const { stdout } = await runGit({
    ...accessStore(store),
    args: ["cat-file", "--batch"],
    input: Buffer.from(batch.map(({ id }) => `${id}\n`).join("")),
    outputBytesMax: 2 * BATCH_BYTES + 128 * batch.length,
  });
  let offset = 0;
  for (const { id, size } of batch) {
    const header = `${id} blob ${size}\n`;
    const content = stdout.subarray(offset + header.length, offset + header.length + size);
    if (stdout.toString("latin1", offset, offset + header.length) !== header || computeBlobId(content) !== id) {
      throw new MeasurementError("content store", `${id} is missing or damaged`);
    }
    offset += header.length + size + 1;
    yield [id, content];
  }
}

/** Whole contents by id, small and large ones, for files that are known to fit into memory. */
export async function readContents(
  store: ContentStore,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  const small: Wanted[] = [];
  for (const want of wanted) {
    const large = locateLargeFile(store, want.id);
    if (large === null) small.push(want);
    else contents.set(want.id, checkContent(readFileSync(large), want.id));
  }
  for await (const [id, content] of readBlobs(store, small)) contents.set(id, content);
  return contents;
}

function checkContent(content: Buffer, id: string): Buffer {
  if (computeBlobId(content) !== id) throw new MeasurementError("content store", `${id} is damaged`);
  return content;
}

function splitBatches(wanted: readonly Wanted[]): readonly (readonly Wanted[])[] {
  const groups: Wanted[][] = [];
  let bytes = 0;
  for (const want of wanted) {
    if (groups.length === 0 || bytes + want.size > BATCH_BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(want);
    bytes += want.size;
  }
  return groups;
}
