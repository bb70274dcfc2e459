/** Git's objects in the simulated files. */
import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { storeOnly } from "../store-only.ts";
import type { NodeFiles } from "../node-files.ts";

export type ObjectType = "blob" | "tree" | "commit";

export interface GitObject {
  readonly type: string;
  readonly content: Buffer;
}

export interface TreeEntry {
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}

/** Where objects may lie; the first one is written to. */
export interface ObjectStores {
  readonly files: NodeFiles;
  readonly folders: readonly string[];
  /** Whether a new object is on the disk at once, as git has it unless it is told otherwise. */
  readonly isSynced?: boolean;
}

export function hashObject(type: ObjectType, content: Buffer): { readonly id: string; readonly whole: Buffer } {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  return { id: createHash("sha1").update(whole).digest("hex"), whole };
}

/** Null where there is none, or a damaged one. */
export function readObject({ files, folders }: ObjectStores, id: string): GitObject | null {
  for (const folder of folders) {
    const path = `${folder}/${id.slice(0, 2)}/${id.slice(2)}`;
    if (!files.existsSync(path)) continue;
    const whole = inflateOrNull(files.readFileSync(path));
    if (whole === null || createHash("sha1").update(whole).digest("hex") !== id) return null;
    const end = whole.indexOf(0);
    const [type = ""] = whole.toString("latin1", 0, end).split(" ");
    return { type, content: whole.subarray(end + 1) };
  }
  return null;
}

function inflateOrNull(data: string | Buffer): Buffer | null {
  try {
    return inflateSync(Buffer.from(data));
  } catch {
    return null;
  }
}

export function writeObject(
  { files, folders: [folder = ""], isSynced = false }: ObjectStores,
  type: ObjectType,
  content: Buffer,
): string {
  const { id, whole } = hashObject(type, content);
  const path = `${folder}/${id.slice(0, 2)}/${id.slice(2)}`;
  if (files.existsSync(path)) return id;
  files.mkdirSync(`${folder}/${id.slice(0, 2)}`, { recursive: true });
  // Whole before it has its name; a git that is killed leaves the other one behind.
  const temporary = findFree(files, `${folder}/${id.slice(0, 2)}/tmp_obj_`);
  files.writeFileSync(temporary, storeOnly(whole), { mode: 0o444 });
  if (isSynced) syncPath(files, temporary);
  files.renameSync(temporary, path);
  return id;
}

function findFree(files: NodeFiles, beginning: string): string {
  let number = 0;
  while (files.existsSync(`${beginning}${number}`)) number += 1;
  return `${beginning}${number}`;
}

export function syncPath(files: NodeFiles, path: string): void {
  const descriptor = files.openSync(path, "r");
  files.fsyncSync(descriptor);
  files.closeSync(descriptor);
}

export function parseTree(content: Buffer): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    entries.push({
      mode: content.toString("latin1", at, space).padStart(6, "0"),
      name: content.toString("latin1", space + 1, end),
      id: content.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}

export interface TreeFile {
  readonly mode: string;
  readonly id: string;
}

/** Every file of a tree by its path; throws a text where an object is missing. */
export function listTree(stores: ObjectStores, id: string, prefix = ""): ReadonlyMap<string, TreeFile> {
  const object = readObject(stores, id);
  if (object?.type !== "tree") throw new GitFailure(`fatal: unable to read tree ${id}`);
  const found = new Map<string, TreeFile>();
  for (const { mode, name, id: inner } of parseTree(object.content)) {
    const path = `${prefix}${name}`;
    if (mode !== "040000") found.set(path, { mode, id: inner });
    else for (const [below, file] of listTree(stores, inner, `${path}/`)) found.set(below, file);
  }
  return found;
}

export class GitFailure extends Error {}

/** The tree of a commit, or the tree itself. */
export function findTree(stores: ObjectStores, id: string): string {
  const object = readObject(stores, id);
  if (object?.type === "tree") return id;
  const tree = /^tree ([0-9a-f]{40})$/m.exec(object?.content.toString("latin1") ?? "")?.[1];
  if (object?.type !== "commit" || tree === undefined) throw new GitFailure(`fatal: bad object ${id}`);
  return tree;
}

const sortName = ({ name, mode }: { name: string; mode: string }): string => (mode === "40000" ? `${name}/` : name);

/** Writes the trees of these files, and answers the id of the outermost one. */
export function writeTrees(stores: ObjectStores, files: ReadonlyMap<string, TreeFile>): string {
  const names = new Map<string, TreeFile | Map<string, TreeFile>>();
  for (const [path, file] of files) {
    const slash = path.indexOf("/");
    if (slash === -1) {
      names.set(path, file);
      continue;
    }
    const folder = path.slice(0, slash);
    const known = names.get(folder);
    const inner = known instanceof Map ? known : new Map<string, TreeFile>();
    inner.set(path.slice(slash + 1), file);
    names.set(folder, inner);
  }
  const entries = [...names].map(([name, entry]) =>
    entry instanceof Map ? { name, mode: "40000", id: writeTrees(stores, entry) } : { name, ...entry },
  );
  const sorted = entries.toSorted((one, other) => (sortName(one) < sortName(other) ? -1 : 1));
  const parts = sorted.map(({ name, mode, id }) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(id, "hex")]),
  );
  return writeObject(stores, "tree", Buffer.concat(parts));
}
