/**
 * Objects of a repository, written and read without git.
 *
 * A process for each observation would cost more than everything else in a small tick. The files are git's own: loose
 * objects and packs. What is in a form that is not known here is left to git.
 */
import { createHash, hash } from "node:crypto";
import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { readNow } from "../system/read-files.ts";
import { type RedoLog, UNSAFE } from "../system/redo-log.ts";
import {
  BEGINNING_BYTES,
  boundPacked,
  chooseExpected,
  type ExpectedObject,
  inflate,
  inflateBeginning,
  type ObjectType,
  openPacks,
  type StoredObject,
} from "./pack-files.ts";
import { readHeadFiles } from "./head-files.ts";
import type { Repository } from "./repository-layout.ts";

interface ObjectPlace {
  readonly gitDir: string;
  readonly redo: Pick<RedoLog, "write">;
}

/** For little content a small window compresses as well, and most of the time goes into making a large one. */
const LITTLE_BYTES = 4096;
const LITTLE = { level: 1, chunkSize: LITTLE_BYTES, windowBits: 12, memLevel: 4 };
const USUAL = { level: 1 };

/** Stores an object and answers with its id. It is safe after the next sync of the redo log. */
export function writeObject({ gitDir, redo }: ObjectPlace, type: ObjectType, content: Buffer): string {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = hash("sha1", whole);
  const path = locateObject(gitDir, id);
  if (isWritten(path)) return id;
  redo.write(path, deflateSync(whole, whole.length <= LITTLE_BYTES ? LITTLE : USUAL), 0o400);
  // Only what the log has is safe after its next sync.
  if (redo !== UNSAFE) noteWritten(path);
  return id;
}

const WRITTEN_MAX = 10_000;
/** Objects that this process wrote, with their stamps: the same content is met again and again in a loop. */
const written = new Map<string, string>();

/** Whether this process wrote the file, and nobody touched it since. */
function isWritten(path: string): boolean {
  const stamp = written.get(path);
  return stamp !== undefined && stamp === readStamp(path);
}

function noteWritten(path: string): void {
  const stamp = readStamp(path);
  if (written.size >= WRITTEN_MAX) written.clear();
  if (stamp !== null) written.set(path, stamp);
}

function readStamp(path: string): string | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino}:${stats.size}:${stats.ctimeNs}`;
}

function locateObject(gitDir: string, id: string): string {
  return join(gitDir, "objects", id.slice(0, 2), id.slice(2));
}

type LooseOrPacked = "loose first" | "packed first";

/** Objects of a repository, each checked against its id; null where it is not found in a known form, or is damaged. */
export function openObjectReader(gitDir: string, order: LooseOrPacked = "loose first") {
  const packs = openPacks(join(gitDir, "objects", "pack"));
  const inOrder = <T>(loose: () => T | null, packed: () => T | null): T | null =>
    order === "loose first" ? (loose() ?? packed()) : (packed() ?? loose());
  const find = (id: string, expected: ExpectedObject): StoredObject | null =>
    inOrder(
      () => requireId(readLoose(gitDir, id, expected), id),
      () => requireId(packs.read(id, expected), id),
    );
  return {
    find,
    read: (id: string, expected: ExpectedObject): Buffer | null => find(id, expected)?.content ?? null,
    /** The size of an object that was not read; null where only git can tell. */
    measure: (id: string): number | null =>
      inOrder(
        () => measureLoose(gitDir, id),
        () => packs.measure(id),
      ),
    /** Whether there is such an object; one in a pack is not read. */
    has: (id: string): boolean => isLooseWhole(gitDir, id) || packs.has(id),
    close: packs.close,
  };
}

function requireId(object: StoredObject | null, id: string): StoredObject | null {
  return object !== null && computeObjectId(object.type, object.content) === id ? object : null;
}

export type ObjectReader = ReturnType<typeof openObjectReader>;

const LOOSE_BYTES_MAX = 64 * 1024 * 1024;

function isLooseWhole(gitDir: string, id: string): boolean {
  const whole = readOrdinary(locateObject(gitDir, id), LOOSE_BYTES_MAX);
  return whole !== null && hash("sha1", whole) === id;
}

/** Removes a loose object that is not what its name says, and answers whether there was one: git would use it. */
export function removeDamaged(gitDir: string, id: string): boolean {
  const path = locateObject(gitDir, id);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || isLooseWhole(gitDir, id)) return false;
  if (stats.isFile()) {
    chmodSync(path, 0o400); // One that may not be read is not damaged.
    if (isLooseWhole(gitDir, id)) return false;
  }
  rmSync(path, { recursive: true, force: true });
  return true;
}

const COMMIT_BYTES_MAX = 64 * 1024;

/** The text of a commit of a usual size; null also where only git can tell. */
export function readPlainCommit(reader: ObjectReader, id: string): Buffer | null {
  return reader.read(id, { type: "commit", size: null, sizeMax: COMMIT_BYTES_MAX });
}

/** Whether a commit is there and undamaged; false also where only git can tell. */
export function isPlainCommit(gitDir: string, id: string): boolean {
  const reader = openObjectReader(gitDir);
  try {
    return readPlainCommit(reader, id) !== null;
  } finally {
    reader.close();
  }
}

export function computeObjectId(type: ObjectType, content: Buffer): string {
  return createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest("hex");
}

const HEADER = /^(?<type>blob|tree|commit) (?<length>\d{1,15})\0/;

function readLoose(gitDir: string, id: string, expected: ExpectedObject): StoredObject | null {
  const whole = readOrdinary(locateObject(gitDir, id), HEADER_BYTES_MAX + expected.sizeMax);
  const header = HEADER.exec(whole?.toString("latin1", 0, HEADER_BYTES_MAX) ?? "");
  const type = header?.groups?.["type"];
  if (whole === null || header === null || !isObjectType(type)) return null;
  const content = whole.subarray(header[0].length);
  const isWhole = content.length === Number(header.groups?.["length"]);
  return isWhole ? chooseExpected({ type, content }, expected) : null;
}

function measureLoose(gitDir: string, id: string): number | null {
  const beginning = readBeginning(locateObject(gitDir, id));
  const length = HEADER.exec(beginning?.toString("latin1") ?? "")?.groups?.["length"];
  return length === undefined ? null : Number(length);
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readBeginning(path: string): Buffer | null {
  let file: number | null = null;
  try {
    file = openSync(path, READ);
    if (!fstatSync(file).isFile()) return null;
    const bytes = Buffer.alloc(BEGINNING_BYTES);
    return inflateBeginning(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)));
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

function isObjectType(word: string | undefined): word is ObjectType {
  return word === "blob" || word === "tree" || word === "commit";
}

/** The type and the size. */
const HEADER_BYTES_MAX = 32;

/** Git is asked about an entry in the place of the file, and says what is wrong. */
function readOrdinary(path: string, size: number): Buffer | null {
  try {
    const bytes = readNow(path, { bytesMax: boundPacked(size) });
    return bytes === null ? null : inflate(bytes, size);
  } catch {
    return null;
  }
}

/**
 * The commit of HEAD, found by reading files alone: a branch is a file or a line of `packed-refs`, and a commit is a
 * loose object or whole in a pack. Null for everything else and everything odd: then git must be asked.
 */
export function findPlainHead(repository: Repository, headText: string): string | null {
  try {
    const head = readHeadFiles(repository);
    const id = head?.text === headText ? head.commit : null;
    return id !== null && isPlainCommit(repository.commonDir, id) ? id : null;
  } catch {
    return null;
  }
}
