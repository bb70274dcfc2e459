/** The calls of the simulated system for files, by one process. */
import { constants } from "node:fs";
import type { Disk } from "./disk.ts";
import { type Code, SystemError } from "./file-error.ts";
import { FileStats, type Inode } from "./inode.ts";
import { type Call, type Caller, demand, fail, find, findExisting, namePath, type Place, readPath } from "./paths.ts";

export type PathLike = Call["path"];

export interface OpenFile {
  readonly inode: Inode;
  readonly flags: number;
  position: number;
}

/** What happens before each call: the clock goes on, others act, the process may be killed. */
export type Enter = (syscall: string, path: PathLike | number) => void;

/** What a bad disk answers to a call that would change something; null where it does what it is told. */
export type Refuse = (change: {
  readonly syscall: string;
  readonly needsSpace: boolean;
  readonly path: string;
}) => Code | null;

export interface FilesOptions {
  readonly disk: Disk;
  readonly caller: Caller;
  readonly enter: Enter;
  readonly refuse: Refuse;
  /** The folder `/proc`, as the process sees it; null for what is not there. */
  readonly readProc: (path: string) => Inode | null;
}

const { O_ACCMODE, O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_NOFOLLOW, O_DIRECTORY } = {
  O_ACCMODE: 3,
  ...constants,
};
const STICKY_MODE = 0o7777;
const FIRST_DESCRIPTOR = 10;

export class Files {
  readonly disk: Disk;
  readonly caller: Caller;
  readonly #enter: Enter;
  readonly #refuse: Refuse;
  readonly #readProc: FilesOptions["readProc"];
  readonly open = new Map<number, OpenFile>();
  umask = 0o022;
  #next = FIRST_DESCRIPTOR;

  constructor({ disk, caller, enter, refuse, readProc }: FilesOptions) {
    this.disk = disk;
    this.caller = caller;
    this.#enter = enter;
    this.#refuse = refuse;
    this.#readProc = readProc;
  }

  #find(syscall: string, path: PathLike, follow: boolean): Place {
    this.#enter(syscall, path);
    if (typeof path === "string" && path.startsWith("/proc")) {
      const inode = this.#readProc(path);
      return { folder: this.disk.root, name: "proc", inode };
    }
    return find(this.disk, this.caller, { syscall, path, follow });
  }

  #findExisting(syscall: string, path: PathLike, follow: boolean): Inode {
    const { inode } = this.#find(syscall, path, follow);
    if (inode === null) throw fail("ENOENT", { syscall, path });
    return inode;
  }

  #demandWritable(place: Place, call: Call): void {
    demand(place.folder, this.caller, { what: "write", call });
  }

  /** Before each change, after everything that a sound disk would refuse. */
  #demandSound(syscall: string, needsSpace: boolean, path: PathLike | number): void {
    const code = this.#refuse({ syscall, needsSpace, path: typeof path === "number" ? "" : String(path) });
    if (code === null) return;
    throw typeof path === "number" ? new SystemError(code, syscall) : new SystemError(code, syscall, String(path));
  }

  openFile(path: PathLike, flags: number, mode: number): number {
    const call = { syscall: "open", path };
    const isNew = (flags & O_CREAT) !== 0;
    const place = this.#find(
      "open",
      path,
      (flags & O_NOFOLLOW) === 0 && (flags & (O_CREAT | O_EXCL)) !== (O_CREAT | O_EXCL),
    );
    const inode = place.inode ?? (isNew ? this.#create(place, call, mode) : null);
    if (inode === null) throw fail("ENOENT", call);
    if (place.inode !== null) this.#demandOpen(inode, call, flags);
    if (place.inode !== null && (flags & O_ACCMODE) !== O_RDONLY) this.#demandSound("open", true, path);
    this.#next += 1;
    this.open.set(this.#next, { inode, flags, position: 0 });
    if ((flags & O_TRUNC) !== 0 && inode.size > 0) this.disk.truncate(inode, 0);
    return this.#next;
  }

  #create(place: Place, call: Call, mode: number): Inode {
    if (readPath(call.path, this.caller.cwd).endsWith("/")) throw fail("EISDIR", call);
    this.#demandWritable(place, call);
    if (this.disk.free <= 0) throw fail("ENOSPC", call);
    this.#demandSound("open", true, call.path);
    const inode = this.disk.make("file", { mode: mode & ~this.umask & STICKY_MODE, uid: this.caller.uid });
    this.disk.link(place.folder, place.name, inode);
    return inode;
  }

  #demandOpen(inode: Inode, call: Call, flags: number): void {
    const isExclusive = (flags & O_CREAT) !== 0 && (flags & O_EXCL) !== 0;
    if (isExclusive) throw fail("EEXIST", call);
    if (inode.kind === "link") throw fail("ELOOP", call);
    const access = flags & O_ACCMODE;
    if (inode.kind === "folder" && (access !== O_RDONLY || (flags & O_CREAT) !== 0)) throw fail("EISDIR", call);
    if (inode.kind !== "folder" && (flags & O_DIRECTORY) !== 0) throw fail("ENOTDIR", call);
    if (access !== O_WRONLY) demand(inode, this.caller, { what: "read", call });
    if (access !== O_RDONLY) demand(inode, this.caller, { what: "write", call });
  }

  close(descriptor: number): void {
    this.#get("close", descriptor);
    this.open.delete(descriptor);
  }

  #get(syscall: string, descriptor: number): OpenFile {
    this.#enter(syscall, descriptor);
    const file = this.open.get(descriptor);
    if (file === undefined) throw new SystemError("EBADF", syscall);
    return file;
  }

  read(descriptor: number, into: Uint8Array, position: number | null): number {
    const file = this.#get("read", descriptor);
    if (file.inode.kind === "folder") throw new SystemError("EISDIR", "read");
    if ((file.flags & O_ACCMODE) === O_WRONLY) throw new SystemError("EBADF", "read");
    const from = position ?? file.position;
    const part = file.inode.data.subarray(from, Math.max(from, Math.min(file.inode.size, from + into.length)));
    into.set(part);
    if (position === null) file.position += part.length;
    return part.length;
  }

  /** The rest of the file. */
  readRest(descriptor: number): Buffer {
    const file = this.#get("read", descriptor);
    if (file.inode.kind === "folder") throw new SystemError("EISDIR", "read");
    const { data, size } = file.inode;
    const rest = Buffer.from(data.subarray(Math.min(file.position, size), size));
    file.position += rest.length;
    return rest;
  }

  write(descriptor: number, bytes: Uint8Array, position: number | null): number {
    const file = this.#get("write", descriptor);
    if ((file.flags & O_ACCMODE) === O_RDONLY) throw new SystemError("EBADF", "write");
    const { inode } = file;
    const at = (file.flags & O_APPEND) !== 0 ? inode.size : (position ?? file.position);
    const grows = Math.max(0, at + bytes.length - inode.size);
    const fits = Math.min(bytes.length, Math.max(0, bytes.length - grows + this.disk.free));
    if (fits === 0 && bytes.length > 0) throw new SystemError("ENOSPC", "write");
    const code = this.#refuse({ syscall: "write", needsSpace: true, path: "" });
    // A disk that gets full takes a part.
    if (code === "ENOSPC") this.disk.write(inode, at, bytes.subarray(0, fits >> 1));
    if (code !== null) throw new SystemError(code, "write");
    this.disk.free -= Math.min(grows, this.disk.free);
    this.disk.write(inode, at, bytes.subarray(0, fits));
    if (position === null) file.position = at + fits;
    return fits;
  }

  sync(descriptor: number, syscall: string): void {
    const { inode } = this.#get(syscall, descriptor);
    this.#demandSound(syscall, false, descriptor);
    this.disk.sync(inode);
  }

  truncate(descriptor: number, size: number): void {
    const file = this.#get("ftruncate", descriptor);
    if ((file.flags & O_ACCMODE) === O_RDONLY) throw new SystemError("EINVAL", "ftruncate");
    this.#demandSound("ftruncate", true, descriptor);
    this.disk.truncate(file.inode, size);
  }

  statOpen(descriptor: number, isBig: boolean): FileStats {
    return new FileStats(this.#get("fstat", descriptor).inode, isBig);
  }

  chmodOpen(descriptor: number, mode: number): void {
    const { inode } = this.#get("fchmod", descriptor);
    this.#demandSound("fchmod", false, descriptor);
    this.disk.change(inode, { mode: mode & STICKY_MODE });
  }

  stat(path: PathLike, { follow, isBig }: { follow: boolean; isBig: boolean }): FileStats | null {
    const syscall = follow ? "stat" : "lstat";
    const { inode } = this.#find(syscall, path, follow);
    return inode === null ? null : new FileStats(inode, isBig);
  }

  access(path: PathLike, mode: number): void {
    const inode = this.#findExisting("access", path, true);
    const call = { syscall: "access", path };
    if ((mode & constants.R_OK) !== 0) demand(inode, this.caller, { what: "read", call });
    if ((mode & constants.W_OK) !== 0) demand(inode, this.caller, { what: "write", call });
    const mayStart = this.caller.uid !== 0 || inode.kind === "folder" || (inode.mode & 0o111) !== 0;
    if ((mode & constants.X_OK) === 0) return;
    if (!mayStart) throw fail("EACCES", call);
    demand(inode, this.caller, { what: "enter", call });
  }

  chmod(path: PathLike, mode: number): void {
    const inode = this.#findExisting("chmod", path, true);
    if (this.caller.uid !== 0 && inode.uid !== this.caller.uid) throw fail("EPERM", { syscall: "chmod", path });
    this.#demandSound("chmod", false, path);
    this.disk.change(inode, { mode: mode & STICKY_MODE });
  }

  setTimes(path: PathLike, times: { atime: number; mtime: number; follow: boolean }): void {
    const syscall = times.follow ? "utime" : "lutime";
    const { atime, mtime } = times;
    const inode = this.#findExisting(syscall, path, times.follow);
    this.#demandSound(syscall, false, path);
    this.disk.change(inode, { atime, mtime });
  }

  makeFolder(path: PathLike, mode: number): void {
    const call = { syscall: "mkdir", path };
    const place = this.#find("mkdir", withoutSlash(path), false);
    if (place.inode !== null) throw fail("EEXIST", call);
    this.#demandWritable(place, call);
    if (this.disk.free <= 0) throw fail("ENOSPC", call);
    this.#demandSound("mkdir", true, path);
    this.disk.link(
      place.folder,
      place.name,
      this.disk.make("folder", { mode: mode & ~this.umask, uid: this.caller.uid }),
    );
    place.folder.links += 1;
  }

  list(path: PathLike): readonly (readonly [name: string, inode: Inode])[] {
    const call = { syscall: "scandir", path };
    const inode = this.#findExisting("scandir", path, true);
    if (inode.kind !== "folder") throw fail("ENOTDIR", call);
    demand(inode, this.caller, { what: "read", call });
    return [...inode.entries].toSorted(([one], [other]) => (one < other ? -1 : 1));
  }

  readLink(path: PathLike): string {
    const inode = this.#findExisting("readlink", path, false);
    if (inode.kind !== "link") throw fail("EINVAL", { syscall: "readlink", path });
    return inode.target;
  }

  makeLink(target: string, path: PathLike): void {
    const call = { syscall: "symlink", path };
    const place = this.#find("symlink", path, false);
    if (place.inode !== null) throw fail("EEXIST", call);
    this.#demandWritable(place, call);
    this.#demandSound("symlink", true, path);
    const link = this.disk.make("link", { mode: 0o777, uid: this.caller.uid, target });
    this.disk.link(place.folder, place.name, link);
  }

  /** A second name. */
  linkFile(from: PathLike, to: PathLike): void {
    const call = { syscall: "link", path: from };
    const inode = findExisting(this.disk, this.caller, { ...call, follow: false });
    const place = this.#find("link", to, false);
    if (place.inode !== null) throw fail("EEXIST", call);
    if (inode.kind === "folder") throw fail("EPERM", call);
    this.#demandWritable(place, call);
    this.#demandSound("link", true, to);
    this.disk.link(place.folder, place.name, inode);
    inode.links += 1;
    this.disk.note([place.folder], () => void (inode.links -= 1));
  }

  unlink(path: PathLike): void {
    const call = { syscall: "unlink", path };
    const place = this.#find("unlink", path, false);
    if (place.inode === null) throw fail("ENOENT", call);
    this.#demandWritable(place, call);
    if (place.inode.kind === "folder") throw fail("EISDIR", call);
    this.#demandSound("unlink", false, path);
    this.disk.unlink(place.folder, place.name);
  }

  removeFolder(path: PathLike): void {
    const call = { syscall: "rmdir", path };
    const place = this.#find("rmdir", withoutSlash(path), false);
    if (place.inode === null) throw fail("ENOENT", call);
    if (place.inode.kind !== "folder") throw fail("ENOTDIR", call);
    if (place.inode.entries.size > 0) throw fail("ENOTEMPTY", call);
    this.#demandWritable(place, call);
    this.#demandSound("rmdir", false, path);
    this.disk.unlink(place.folder, place.name);
    place.folder.links -= 1;
  }

  rename(from: PathLike, to: PathLike): void {
    const call = { syscall: "rename", path: from };
    const source = this.#find("rename", withoutSlash(from), false);
    const target = find(this.disk, this.caller, { ...call, path: withoutSlash(to), follow: false });
    if (source.inode === null) throw fail("ENOENT", call);
    this.#demandWritable(source, call);
    this.#demandWritable(target, call);
    if (source.inode === target.inode) return;
    this.#demandReplaceable(source.inode, target, call);
    this.#demandSound("rename", false, to);
    this.disk.rename(source, target, source.inode);
  }

  #demandReplaceable(source: Inode, { folder, inode }: Place, call: Call): void {
    for (let above: Inode | null = folder; source.kind === "folder" && above !== null; above = above.parent) {
      if (above === source) throw fail("EINVAL", call);
      if (above === this.disk.root) break;
    }
    if (inode === null) return;
    if (source.kind === "folder" && inode.kind !== "folder") throw fail("ENOTDIR", call);
    if (source.kind !== "folder" && inode.kind === "folder") throw fail("EISDIR", call);
    if (inode.entries.size > 0) throw fail("ENOTEMPTY", call);
  }

  realPath(path: PathLike): string {
    const { folder, name, inode } = this.#find("realpath", path, true);
    if (inode === null) throw fail("ENOENT", { syscall: "realpath", path });
    return inode.kind === "folder" ? namePath(this.disk, inode, "") : namePath(this.disk, folder, name);
  }
}

function withoutSlash(path: PathLike): PathLike {
  return typeof path === "string" && path.length > 1 ? path.replace(/\/+$/, "") : path;
}
