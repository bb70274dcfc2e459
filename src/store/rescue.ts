import { appendFileSync, chmodSync, constants, copyFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Entry } from "../base/manifest.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import { readClockMs } from "../system/clock.ts";
import { makeFolders } from "../system/folders.ts";
import { syncEntries, syncNow } from "../system/sync-file.ts";
import type { KeptWork } from "../records/kept-work.ts";
import { type BoundedRead, readBounded } from "../system/bounded-file.ts";
import type { RedoLog } from "../system/redo-log.ts";
import type { Rescued } from "../records/decisions.ts";
import { listFolders } from "../system/list-folders.ts";

const MIB = 1024 * 1024;
/** Files that a build makes are larger than what a person or an agent writes, and nobody looks for them in a salvage. */
const COMMIT_LIMITS = { fileBytes: 64 * MIB, totalBytes: 256 * MIB };
/** A larger file is not copied. */
export const RESCUED_BYTES_MAX = 16 * MIB;
const FILE_LIMITS = { fileBytes: RESCUED_BYTES_MAX, totalBytes: 64 * MIB };
const FILES_MAX = 20_000;
const REFS_LOG = "refs.log";
const OBJECT = /^objects\/(?<name>[0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]+\.(?:pack|idx))$/;

/** Copies what would be lost. A link or anything else that is no regular file of git is left where it is. */
export function rescueCommits /** The git directory, as a byte string. */(
  folder: string,
  stateDirectory: string /** Entries as they are now that are to be removed or written over. */,
  steps: readonly { readonly path: string; readonly entry: Entry }[],
): void {
  const target = join(stateDirectory, "rescued");
  const takeBytes = openBudget(COMMIT_LIMITS);
  const kept: string[] = [];
  for (const { path, entry } of steps.filter((step) => step.entry.type === "file")) {
    const name = OBJECT.exec(path)?.groups?.["name"];
    if (name !== undefined && takeBytes(entry.size)) {
      keepObject(joinBytes(folder, path), join(target, "objects", name));
      kept.push(`objects/${name}`);
    }
    if (/^(HEAD|refs\/|logs\/refs\/stash$)/.test(path) && entry.size <= MIB) {
      noteRef(target, { folder, path });
      kept.push(REFS_LOG);
    }
  }
  syncCopies(target, kept, 1);
}

/** From a folder of copied files to the state directory. */
const FILES_LEVELS = 3;

/** On the disk before the rollback takes the original away, with so many folders above, which may all be new. */
function syncCopies(target: string, paths: readonly string[], levels: number): void {
  if (paths.length === 0) return;
  const folders = paths.flatMap((path) => path.split("/").map((_, at, parts) => parts.slice(0, at).join("/")));
  syncEntries(toBytePath(target), [...paths, ...folders]);
  let above = target;
  for (let level = 0; level < levels; level += 1) {
    above = dirname(above);
    syncNow(above);
  }
}

function keepObject(source: Buffer, target: string): void {
  if (existsSync(target)) return;
  makeFolders(dirname(target), 0o700);
  copyFileSync(source, target, constants.COPYFILE_FICLONE);
}

function noteRef(target: string, { folder, path }: { readonly folder: string; readonly path: string }): void {
  const text = readFileSync(joinBytes(folder, path), "latin1").trim();
  makeFolders(target, 0o700);
  const moment = new Date(readClockMs()).toISOString();
  appendFileSync(join(target, REFS_LOG), `${moment} ${path} ${JSON.stringify(text)}\n`, { mode: 0o600 });
}

/** Copies files that are about to be reverted; answers with how many were copied. */
export function rescueFiles(
  folder: string /** Where the copies go, under the same names; readable by their owner alone. */,
  target: string /** Below the folder, as byte strings. */,
  files: readonly { readonly path: string; readonly size: number }[],
): number {
  const takeBytes = openBudget(FILE_LIMITS);
  const chosen = files.filter(({ size }) => takeBytes(size)).slice(0, FILES_MAX);
  for (const { path } of chosen) {
    const copy = joinBytes(toBytePath(target), path);
    makeFolders(Buffer.from(dirname(copy.toString("latin1")), "latin1"), 0o700);
    copyFileSync(joinBytes(toBytePath(folder), path), copy, constants.COPYFILE_FICLONE);
    chmodSync(copy, 0o600);
  }
  syncCopies(
    target,
    chosen.map(({ path }) => path),
    FILES_LEVELS,
  );
  return chosen.length;
}

/** Says for one file after the other whether there is room for it, and takes the room. */
function openBudget({ fileBytes, totalBytes }: typeof COMMIT_LIMITS): (size: number) => boolean {
  let left = totalBytes;
  return (size) => {
    if (size > fileBytes || size > left) return false;
    left -= size;
    return true;
  };
}

const META_BYTES_MAX = 32 * 1024 * 1024;
/** For showing; a longer patch is used from its file. */
const SHOWN_PATCH_BYTES_MAX = 16 * 1024 * 1024;

export function locateKeptFolder(stateDirectory: string, kind: KeptWork["kind"], runId: string): string {
  return join(stateDirectory, kind, runId);
}

/** Writes the documents of kept work; only the last one, meta.json, makes the work count as kept. */
export function writeKept(redo: RedoLog, folder: string, meta: string, patch: Buffer | null): void {
  if (patch !== null) redo.write(namePatchPath(folder), patch);
  redo.write(nameMetaPath(folder), meta);
}

/** The raw text of meta.json; the caller validates it. */
export async function readKeptMeta(folder: string): Promise<BoundedRead> {
  return readBounded(nameMetaPath(folder), META_BYTES_MAX);
}

export async function readKeptPatch(folder: string): Promise<BoundedRead> {
  return readBounded(namePatchPath(folder), SHOWN_PATCH_BYTES_MAX);
}

/** Describes kept work. */
export function nameMetaPath(folder: string): string {
  return join(folder, "meta.json");
}

/** The patch of kept work, for people who use it with other tools. */
export function namePatchPath(folder: string): string {
  return join(folder, "changes.patch");
}

/** Copies the patch of kept work into a report; there may be none. */
export async function copyKeptPatch(redo: RedoLog, folder: string, target: string): Promise<void> {
  const read = await readKeptPatch(folder);
  if (read.kind === "read") redo.write(target, read.data);
}

/** What rollbacks kept of git's own data, and of ignored files after a crash. */

const LOG_BYTES_MAX = 64 * 1024 * 1024;
const LINE = /^(?<at>\S+) (?<ref>.+?) (?<text>".*")$/;
const ID = "[0-9a-f]{40}(?:[0-9a-f]{24})?";

export async function findRescued(stateDirectory: string): Promise<Rescued> {
  const folder = join(stateDirectory, "rescued");
  const read = await readBounded(join(folder, "refs.log"), LOG_BYTES_MAX);
  const lines = read.kind === "read" ? read.data.toString("utf8").split("\n") : [];
  const commits = new Map<string, Rescued["commits"][number]>();
  for (const commit of lines.toReversed().flatMap(readCommits)) {
    const name = `${commit.ref} ${commit.id}`;
    if (!commits.has(name)) commits.set(name, commit);
  }
  const files = join(folder, "files");
  const names = await listFolders(files);
  return {
    objects: join(folder, "objects"),
    commits: [...commits.values()],
    folders: names.toReversed().map((name) => join(files, name)),
  };
}

/** One line of the list: a ref holds an id, and the log of the stash one for each stash. */
function readCommits(line: string): readonly Rescued["commits"][number][] {
  const { at, ref, text } = LINE.exec(line)?.groups ?? {};
  if (at === undefined || ref === undefined || text === undefined) return [];
  const content = unquote(text);
  const only = new RegExp(`^${ID}$`).exec(content)?.[0];
  const logged = [...content.matchAll(new RegExp(`^${ID} (?<id>${ID}) `, "gm"))];
  const ids = only === undefined ? logged.map(({ groups }) => groups?.["id"] ?? "").toReversed() : [only];
  return ids.map((id) => ({ at, ref: ref.replace(/^logs\//, ""), id }));
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return ""; // A line that was cut short.
  }
}
