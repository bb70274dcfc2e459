import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MeasurementError } from "../base/errors.ts";
import { isFolder } from "../system/read-files.ts";
import { removeDamaged, writeObject } from "../git/object-files.ts";

interface StoreFolders {
  readonly gitDir: string;
  readonly largeDir: string;
}

/**
 * Removes everything from a store that is neither a file nor a folder. We never make such an entry, and git, or a copy of
 * a large file, would wait for a pipe in the place of a file without end.
 */
export function removeStrays({ gitDir, largeDir }: StoreFolders): void {
  const folders = [gitDir, largeDir].filter(isFolder);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (!entry.isFile()) rmSync(path, { force: true });
    }
  }
}

/**
 * Looks where git would look for these objects, and refuses if somebody was there. What is damaged is removed: a content
 * that is missing is stored again by the next tick.
 */
export function refuseDamage(store: StoreFolders, ids: readonly string[]): void {
  const pack = join(store.gitDir, "objects", "pack");
  const packs = isFolder(pack) ? readdirSync(pack, { withFileTypes: true }) : [];
  const damaged = [...new Set(ids)].filter((id) => removeDamaged(store.gitDir, id));
  if (damaged.length === 0 && packs.every((entry) => entry.isFile())) return;
  removeStrays(store);
  throw new MeasurementError("content store", "something damaged stored contents");
}

/** Trees and commits of the private repository, written without git. */

type ObjectPlace = Parameters<typeof writeObject>[0];

export interface StoredFile {
  /** A byte string. */
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

interface Folder {
  readonly files: Map<string, StoredFile>;
  readonly folders: Map<string, Folder>;
}

/** Stores a tree with exactly these files, and answers with its id. */
export function storeTree(place: ObjectPlace, files: readonly StoredFile[]): string {
  const root = makeFolder();
  for (const file of files) {
    const parts = file.path.split("/");
    const name = parts.pop() ?? "";
    let folder = root;
    for (const part of parts) folder = enter(folder, part);
    folder.files.set(name, file);
  }
  return writeFolder(place, root);
}

function makeFolder(): Folder {
  return { files: new Map(), folders: new Map() };
}

function enter({ folders }: Folder, name: string): Folder {
  const folder = folders.get(name) ?? makeFolder();
  folders.set(name, folder);
  return folder;
}

function writeFolder(place: ObjectPlace, { files, folders }: Folder): string {
  const entries = [...files].map(([name, { mode, id }]) => ({ name, order: name, mode, id }));
  for (const [name, folder] of folders) {
    const id = writeFolder(place, folder);
    // Git sorts a folder as if its name ended with a slash.
    entries.push({ name, order: `${name}/`, mode: "40000", id });
  }
  const sorted = entries.toSorted((left, right) => (left.order < right.order ? -1 : 1));
  const parts = sorted.flatMap(({ name, mode, id }) => [
    Buffer.from(`${mode} ${name}\0`, "latin1"),
    Buffer.from(id, "hex"),
  ]);
  return writeObject(place, "tree", Buffer.concat(parts));
}

export interface CommitToWrite {
  readonly tree: string;
  readonly parent: string | null;
  readonly seconds: number;
  readonly message: string;
}

export function storeCommit(place: ObjectPlace, { tree, parent, seconds, message }: CommitToWrite): string {
  const who = `relais <relais@localhost> ${seconds} +0000`;
  const lines = [`tree ${tree}`, ...(parent === null ? [] : [`parent ${parent}`]), `author ${who}`, `committer ${who}`];
  return writeObject(place, "commit", Buffer.from(`${lines.join("\n")}\n\n${message}\n`));
}
