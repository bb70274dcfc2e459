/**
 * The objects of an ordinary commit, written without git: content that git would store as it is, the folders on the way
 * to it, and the commit. Whatever is unusual is left to git.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { describeError } from "../../contract/values/describe-error.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { isExecutable, readRecorded, type RecordedEntry } from "../content/recorded-entry.ts";
import { computeBlobId } from "../files/blob-id.ts";
import { joinBytes, toBytePath } from "../files/byte-path.ts";
import { removeQuietly } from "../files/remove-quietly.ts";
import { writeFully } from "../files/write-now.ts";
import type { FilterSettings } from "../git/filter-settings.ts";
import type { GitSide } from "../git/git-difference.ts";
import { openObjectReader, readPlainCommit, writeObject } from "../git/object-files.ts";
import type { Repository } from "../git/repository-layout.ts";
import { isUnusualName } from "../git/unusual-name.ts";
import { readClockMs } from "../machine/clock.ts";
import { type CommitIdentity, isPlainIdentity } from "./commit-identity.ts";
import { isStoredAsIs } from "./stored-as-is.ts";
import { editTree, type StagedTree } from "./tree-edit.ts";

export interface PlainChange {
  readonly repository: Repository;
  readonly settings: FilterSettings;
  readonly base: string;
  /** Null removes the path. */
  readonly entries: readonly RecordedEntry[];
  /** Changed attribute files as they were before; null where there was none. */
  readonly attributesBefore: ReadonlyMap<string, Buffer | null>;
}

export interface PlainCommit {
  readonly repository: Repository;
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
  readonly identity: CommitIdentity;
}

const FILES_MAX = 1000;
const BYTES_MAX = 16 * 1024 * 1024;
/** Git reads submodules from it, and looks at its content. */
const MODULES = /(?:^|\/)\.gitmodules(?:[ .~/]|$)/i;

/** Stores the tree; null where git must do it, and then nothing was written. */
export function stagePlainTree(change: PlainChange): StagedTree | null {
  const { repository, settings, base, entries, attributesBefore } = change;
  if (base.length !== 40 || attributesBefore.size > 0 || !isPlainChange(entries)) return null;
  const root = toBytePath(repository.root);
  const present = entries.filter(({ side }) => side !== null);
  const contents = new Map(present.map((entry) => [entry.path, readRecorded(root, entry)]));
  if (!isStoredAsIs({ repository, settings, contents })) return null;
  const edited = editBase(repository, base, new Map(entries.map((entry) => [entry.path, makeSide(entry, contents)])));
  // Git takes attributes that are missing in the worktree from the base.
  if (edited?.attributes.every((path) => isFileAt(root, path)) !== true) return null;
  const { tree, differences, folders } = edited;
  for (const [path, content] of contents) if (differences.has(path)) storeObject(repository, "blob", content);
  for (const folder of folders) storeObject(repository, "tree", folder);
  return { tree, differences };
}

function isFileAt(root: string, path: string): boolean {
  return lstatSync(joinBytes(root, path), { throwIfNoEntry: false })?.isFile() === true;
}

function isPlainChange(entries: readonly RecordedEntry[]): boolean {
  const bytes = entries.reduce((sum, { side }) => sum + (side?.size ?? 0), 0);
  return entries.length <= FILES_MAX && bytes <= BYTES_MAX && entries.every(({ path }) => isPlainPath(path));
}

function isPlainPath(path: string): boolean {
  return !isUnusualName(path) && !MODULES.test(path);
}

function makeSide({ path, side }: RecordedEntry, contents: ReadonlyMap<string, Buffer>): GitSide | null {
  const content = contents.get(path);
  if (side === null || content === undefined) return null;
  const mode = side.type === "symlink" ? "120000" : isExecutable(side) ? "100755" : "100644";
  return { mode, id: computeBlobId(content) };
}

function editBase({ commonDir }: Repository, base: string, edits: ReadonlyMap<string, GitSide | null>) {
  const reader = openObjectReader(commonDir);
  try {
    const commit = readPlainCommit(reader, base)?.toString("latin1", 0, TREE_LINE_BYTES) ?? "";
    const tree = /^tree (?<id>[0-9a-f]{40})\n$/.exec(commit)?.groups?.["id"];
    return tree === undefined ? null : editTree(reader, tree, edits);
  } finally {
    reader.close();
  }
}

const TREE_LINE_BYTES = "tree \n".length + 40;

/** Null where git must write it. */
export function writePlainCommit({ repository, tree, parent, message, identity }: PlainCommit): string | null {
  // Git runs without the variable, and would note the offset of the system's own time zone.
  if (repository.environment["TZ"] !== undefined) return null;
  if (tree.length !== 40 || message.includes("\0") || !isPlainIdentity(identity)) return null;
  const moment = readClockMs();
  const who = `${identity.name} <${identity.email}> ${Math.floor(moment / 1000)} ${renderOffset(new Date(moment))}`;
  const lines = [`tree ${tree}`, `parent ${parent}`, `author ${who}`, `committer ${who}`, "", message];
  return storeObject(repository, "commit", Buffer.from(lines.join("\n")));
}

function renderOffset(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${String(100 * hour + minute).padStart(4, "0")}`;
}

/** A loose object as git makes one: on the disk before it has its name, with the permissions that the umask leaves. */
function storeObject({ commonDir }: Repository, type: "blob" | "tree" | "commit", content: Buffer): string {
  return writeObject({ gitDir: commonDir, redo: { write: writeSynced } }, type, content);
}

function writeSynced(path: string, data: string | Buffer): void {
  const folder = dirname(path);
  const temporary = join(folder, `tmp_obj_${randomBytes(6).toString("hex")}`);
  try {
    mkdirSync(folder, { recursive: true });
    fillSynced(openSync(temporary, "wx", 0o444), Buffer.from(data));
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw new MeasurementError(path, describeError(error));
  }
}

function fillSynced(descriptor: number, data: Buffer): void {
  try {
    writeFully(descriptor, data);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
