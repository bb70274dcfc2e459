/** Finds entries of a simulated disk by their paths. */
import type { Disk } from "./disk.ts";
import { type Code, SystemError } from "./file-error.ts";
import type { Inode } from "./inode.ts";

export interface Caller {
  readonly uid: number;
  readonly cwd: string;
}

export interface Place {
  readonly folder: Inode;
  /** Empty for the root. */
  readonly name: string;
  readonly inode: Inode | null;
}

/** How a call is named in its error. */
export interface Call {
  readonly syscall: string;
  readonly path: string | Uint8Array | URL;
}

const LINKS_MAX = 40;
const READ = 0o4;
const WRITE = 0o2;
const ENTER = 0o1;
const ASCII = /^[^\u0080-\u{10FFFF}]*$/u;

/** As bytes in latin1, and absolute. */
export function readPath(path: Call["path"], cwd: string): string {
  const text = typeof path === "string" ? path : path instanceof URL ? path.pathname : toLatin1(path);
  const bytes = typeof path === "string" && !ASCII.test(text) ? Buffer.from(text).toString("latin1") : text;
  return bytes.startsWith("/") ? bytes : `${cwd}/${bytes}`;
}

function toLatin1(path: Uint8Array): string {
  return Buffer.from(path.buffer, path.byteOffset, path.length).toString("latin1");
}

export function fail(code: Code, { syscall, path }: Call): SystemError {
  return new SystemError(code, syscall, String(path));
}

function may(inode: Inode, caller: Caller, what: number): boolean {
  if (caller.uid === 0) return true;
  const shift = inode.uid === caller.uid ? 6 : 0;
  return ((inode.mode >> shift) & what) === what;
}

export function demand(inode: Inode, caller: Caller, { what, call }: { what: "read" | "write" | "enter"; call: Call }) {
  const bits = { read: READ, write: WRITE, enter: ENTER }[what];
  if (!may(inode, caller, bits)) throw fail("EACCES", call);
}

/** The entry of a path; `inode` is null where only the last name is missing. */
export function find(disk: Disk, caller: Caller, call: Call & { readonly follow: boolean }): Place {
  return walk({ disk, caller, call, links: 0 }, readPath(call.path, caller.cwd), call.follow);
}

interface Search {
  readonly disk: Disk;
  readonly caller: Caller;
  readonly call: Call;
  links: number;
}

/** Most paths are asked for again and again. */
const splitPaths = new Map<string, readonly string[]>();
const SPLIT_MAX = 20_000;

function splitPath(path: string): readonly string[] {
  const known = splitPaths.get(path);
  if (known !== undefined) return known;
  if (splitPaths.size > SPLIT_MAX) splitPaths.clear();
  const names = path.split("/");
  splitPaths.set(path, names);
  return names;
}

function walk(search: Search, path: string, follow: boolean): Place {
  const { disk, caller, call } = search;
  const names = splitPath(path);
  const last = names.length - 1;
  let folder = disk.root;
  let own = "";
  let inode: Inode | null = folder;
  for (let at = 0; at <= last; at += 1) {
    const name = names[at] ?? "";
    if (name === "" || name === ".") continue;
    if (inode === null) throw fail("ENOENT", call);
    if (inode.kind !== "folder") throw fail("ENOTDIR", call);
    if (!may(inode, caller, ENTER)) throw fail("EACCES", call);
    if (name === "..") {
      folder = inode.parent ?? disk.root;
      own = "";
      inode = folder;
      continue;
    }
    folder = inode;
    own = name;
    inode = folder.entries.get(name) ?? null;
    if (inode === null || inode.kind !== "link" || (at === last && !follow)) continue;
    const rest = names.slice(at + 1);
    return walkLink(search, { target: inode.target, rest, path: names.slice(0, at).join("/") }, follow);
  }
  // A slash at the end asks for a folder.
  if (inode !== null && inode.kind !== "folder" && path.endsWith("/")) throw fail("ENOTDIR", call);
  return { folder, name: own, inode };
}

function walkLink(
  search: Search,
  { target, rest, path }: { target: string; rest: readonly string[]; path: string },
  follow: boolean,
): Place {
  search.links += 1;
  if (search.links > LINKS_MAX) throw fail("ELOOP", search.call);
  const base = target.startsWith("/") ? target : `${path}/${target}`;
  return walk(search, [base, ...rest].join("/"), follow);
}

export function findExisting(disk: Disk, caller: Caller, call: Call & { readonly follow: boolean }): Inode {
  const { inode } = find(disk, caller, call);
  if (inode === null) throw fail("ENOENT", call);
  return inode;
}

/** The absolute path of a folder, and of an entry in it. */
export function namePath(disk: Disk, folder: Inode, name: string): string {
  const names = name === "" ? [] : [name];
  for (let at = folder; at !== disk.root && at.parent !== null; at = at.parent) {
    const own = at;
    const [found = ""] = [...(own.parent?.entries ?? [])].find(([, inode]) => inode === own) ?? [];
    names.unshift(found);
  }
  return `/${names.join("/")}`;
}
