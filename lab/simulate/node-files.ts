/** The module `node:fs` of a simulated process, as far as relais uses it. */
import { constants } from "node:fs";
import { SystemError } from "./file-error.ts";
import type { Files, PathLike } from "./files.ts";
import type { FileStats, Inode } from "./inode.ts";

type Encoding = BufferEncoding | "buffer";
type EncodingOption = Encoding | { readonly encoding?: Encoding | null; readonly flag?: string } | null | undefined;
type Data = string | Uint8Array;

interface StatOptions {
  readonly bigint?: boolean;
  readonly throwIfNoEntry?: boolean;
}

interface WriteOptions {
  readonly mode?: number;
  readonly flag?: string | number;
  readonly encoding?: BufferEncoding;
}

interface RemoveOptions {
  readonly recursive?: boolean;
  readonly force?: boolean;
}

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, COPYFILE_EXCL } = constants;
const FLAGS: Readonly<Record<string, number>> = {
  r: O_RDONLY,
  "r+": O_RDWR,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_TRUNC | O_EXCL,
  "w+": O_RDWR | O_CREAT | O_TRUNC,
  a: O_WRONLY | O_CREAT | O_APPEND,
  ax: O_WRONLY | O_CREAT | O_APPEND | O_EXCL,
  "a+": O_RDWR | O_CREAT | O_APPEND,
};

export function readFlags(flags: string | number | undefined, usual: string): number {
  if (typeof flags === "number") return flags;
  const found = FLAGS[flags ?? usual];
  if (found === undefined) throw new Error(`the flags ${String(flags)} are not simulated`);
  return found;
}

const pickEncoding = (option: EncodingOption): Encoding | null =>
  (typeof option === "string" ? option : option?.encoding) ?? null;

/** A name, which is bytes in latin1, in the asked encoding. */
function encodeName(name: string, option: EncodingOption): string | Buffer {
  const encoding = pickEncoding(option) ?? "utf8";
  const bytes = Buffer.from(name, "latin1");
  return encoding === "buffer" ? bytes : bytes.toString(encoding);
}

const toBytes = (data: Data, encoding: BufferEncoding = "utf8"): Uint8Array =>
  typeof data === "string" ? Buffer.from(data, encoding) : data;

const toMicroseconds = (time: number | string | Date): number =>
  Math.floor((time instanceof Date ? time.getTime() / 1000 : Number(time)) * 1_000_000);

class Entry {
  readonly name: string | Buffer;
  readonly parentPath: string;
  readonly #kind: Inode["kind"];

  constructor(name: string | Buffer, parentPath: string, kind: Inode["kind"]) {
    this.name = name;
    this.parentPath = parentPath;
    this.#kind = kind;
  }

  isFile(): boolean {
    return this.#kind === "file";
  }

  isDirectory(): boolean {
    return this.#kind === "folder";
  }

  isSymbolicLink(): boolean {
    return this.#kind === "link";
  }
}

/** `get` answers the files of the process that is running now. */
export class NodeFiles {
  readonly #get: () => Files;
  readonly #randomText: () => string;

  constructor(get: () => Files, randomText: () => string) {
    this.#get = get;
    this.#randomText = randomText;
  }

  openSync = (path: PathLike, flags?: string | number, mode = 0o666): number =>
    this.#get().openFile(path, readFlags(flags, "r"), mode);
  closeSync = (descriptor: number): void => this.#get().close(descriptor);
  fsyncSync = (descriptor: number): void => this.#get().sync(descriptor, "fsync");
  fdatasyncSync = (descriptor: number): void => this.#get().sync(descriptor, "fdatasync");
  fchmodSync = (descriptor: number, mode: number): void => this.#get().chmodOpen(descriptor, mode);
  ftruncateSync = (descriptor: number, size = 0): void => this.#get().truncate(descriptor, size);
  fstatSync = (descriptor: number, options?: StatOptions): FileStats =>
    this.#get().statOpen(descriptor, options?.bigint === true);
  lstatSync = (path: PathLike, options?: StatOptions) => this.#stat(path, options, false);
  statSync = (path: PathLike, options?: StatOptions) => this.#stat(path, options, true);
  accessSync = (path: PathLike, mode = 0): void => this.#get().access(path, mode);
  chmodSync = (path: PathLike, mode: number): void => this.#get().chmod(path, mode);
  lchownSync = (): void => {};
  unlinkSync = (path: PathLike): void => this.#get().unlink(path);
  rmdirSync = (path: PathLike): void => this.#get().removeFolder(path);
  renameSync = (from: PathLike, to: PathLike): void => this.#get().rename(from, to);
  linkSync = (from: PathLike, to: PathLike): void => this.#get().linkFile(from, to);
  symlinkSync = (target: Data, path: PathLike): void =>
    this.#get().makeLink(Buffer.from(toBytes(target)).toString("latin1"), path);
  readlinkSync = (path: PathLike, option?: EncodingOption) => encodeName(this.#get().readLink(path), option);
  realpathSync = Object.assign((path: PathLike): string => this.#realPath(path), {
    native: (path: PathLike): string => this.#realPath(path),
  });
  statfsSync = () => ({ bsize: 4096, blocks: 1e9, bfree: 1e8, bavail: 1e8, files: 1e8, ffree: 1e8, type: 0xef53 });

  #realPath(path: PathLike): string {
    return Buffer.from(this.#get().realPath(path), "latin1").toString("utf8");
  }

  #stat(path: PathLike, options: StatOptions | undefined, follow: boolean): FileStats | undefined {
    const isBig = options?.bigint === true;
    const call = { syscall: follow ? "stat" : "lstat", path };
    if (options?.throwIfNoEntry !== false) {
      const stats = this.#get().stat(path, { follow, isBig });
      if (stats === null) throw new SystemError("ENOENT", call.syscall, String(path));
      return stats;
    }
    try {
      return this.#get().stat(path, { follow, isBig }) ?? undefined;
    } catch (error) {
      if (error instanceof SystemError && error.code === "ENOENT") return undefined;
      throw error;
    }
  }

  existsSync = (path: PathLike): boolean => {
    try {
      this.#get().access(path, 0);
      return true;
    } catch (error) {
      if (error instanceof SystemError) return false;
      throw error;
    }
  };

  readSync = (
    descriptor: number,
    buffer: Uint8Array,
    ...[first, length, position]: [
      (number | { offset?: number; length?: number; position?: number | null })?,
      number?,
      (number | bigint | null)?,
    ]
  ): number => {
    const named = typeof first === "object" ? first : { offset: first ?? 0, length, position };
    const offset = named.offset ?? 0;
    const end = offset + (named.length ?? buffer.length - offset);
    const at = named.position ?? null;
    if (end === offset) return 0; // Node asks nobody.
    return this.#get().read(
      descriptor,
      buffer.subarray(offset, end),
      at === null || Number(at) < 0 ? null : Number(at),
    );
  };

  writeSync = (
    descriptor: number,
    data: Data,
    ...[first, length, position]: [(number | null)?, (number | string)?, (number | null)?]
  ): number => {
    if (typeof data === "string") return this.#get().write(descriptor, Buffer.from(data), first ?? null);
    const offset = first ?? 0;
    const end = offset + Number(length ?? data.length - offset);
    return this.#get().write(descriptor, data.subarray(offset, end), position ?? null);
  };

  readFileSync = (path: PathLike | number, option?: EncodingOption): string | Buffer => {
    const encoding = pickEncoding(option);
    const descriptor = typeof path === "number" ? path : this.openSync(path, "r");
    try {
      const bytes = this.#get().readRest(descriptor);
      return encoding === null || encoding === "buffer" ? bytes : bytes.toString(encoding);
    } finally {
      if (typeof path !== "number") this.closeSync(descriptor);
    }
  };

  writeFileSync = (path: PathLike | number, data: Data, option?: WriteOptions | BufferEncoding): void => {
    const options = typeof option === "string" ? { encoding: option } : (option ?? {});
    const descriptor = typeof path === "number" ? path : this.openSync(path, options.flag ?? "w", options.mode);
    try {
      let rest = toBytes(data, options.encoding);
      while (rest.length > 0) rest = rest.subarray(this.#get().write(descriptor, rest, null));
    } finally {
      if (typeof path !== "number") this.closeSync(descriptor);
    }
  };

  appendFileSync = (path: PathLike | number, data: Data, option?: WriteOptions): void =>
    this.writeFileSync(path, data, { flag: "a", ...option });

  truncateSync = (path: PathLike, size = 0): void => {
    const descriptor = this.openSync(path, "r+");
    try {
      this.ftruncateSync(descriptor, size);
    } finally {
      this.closeSync(descriptor);
    }
  };

  utimesSync = (path: PathLike, atime: number | string | Date, mtime: number | string | Date): void =>
    this.#get().setTimes(path, { atime: toMicroseconds(atime), mtime: toMicroseconds(mtime), follow: true });
  lutimesSync = (path: PathLike, atime: number | string | Date, mtime: number | string | Date): void =>
    this.#get().setTimes(path, { atime: toMicroseconds(atime), mtime: toMicroseconds(mtime), follow: false });

  mkdirSync = (path: PathLike, option?: number | { mode?: number; recursive?: boolean }): string | undefined => {
    const { mode = 0o777, recursive = false } = typeof option === "number" ? { mode: option } : (option ?? {});
    if (!recursive) {
      this.#get().makeFolder(path, mode);
      return undefined;
    }
    return this.#makeFolders(String(path), mode);
  };

  #makeFolders(path: string, mode: number, isInner = false): string | undefined {
    try {
      this.#get().makeFolder(path, mode);
      return path;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (error.code === "EEXIST") {
        if (this.statSync(path, { throwIfNoEntry: isInner })?.isDirectory() === true) return undefined;
        throw new SystemError(isInner ? "ENOTDIR" : "EEXIST", "mkdir", path);
      }
      if (error.code !== "ENOENT") throw error;
      const above = path.replace(/\/+[^/]*\/*$/, "");
      if (above === "" || above === path) throw error;
      const first = this.#makeFolders(above, mode, true);
      this.#get().makeFolder(path, mode);
      return first ?? path;
    }
  }

  mkdtempSync = (prefix: string): string => {
    const path = `${prefix}${this.#randomText()}`;
    this.#get().makeFolder(path, 0o700);
    return path;
  };

  readdirSync = (path: PathLike, option?: EncodingOption & { withFileTypes?: boolean; recursive?: boolean }) => {
    const { withFileTypes = false, recursive = false } = typeof option === "object" ? (option ?? {}) : {};
    if (recursive) throw new Error("a recursive list is not simulated");
    return this.#get()
      .list(path)
      .map(([name, { kind }]) =>
        withFileTypes ? new Entry(encodeName(name, option), String(path), kind) : encodeName(name, option),
      );
  };

  opendirSync = (path: PathLike, option?: EncodingOption) => {
    const entries = this.#get().list(path);
    let at = 0;
    const readSync = (): Entry | null => {
      const [name, inode] = entries[at] ?? [];
      at += 1;
      if (name === undefined || inode === undefined) return null;
      return new Entry(encodeName(name, option), String(path), inode.kind);
    };
    return { readSync, closeSync: (): void => {} };
  };

  copyFileSync = (from: PathLike, to: PathLike, mode = 0): void => {
    const { mode: bits } = this.statSync(from) ?? {};
    const source = this.openSync(from, "r");
    try {
      const flags = O_WRONLY | O_CREAT | ((mode & COPYFILE_EXCL) === 0 ? O_TRUNC : O_EXCL);
      const target = this.openSync(to, flags, Number(bits ?? 0o644) & 0o777);
      try {
        const bytes = this.readFileSync(source);
        this.writeFileSync(target, typeof bytes === "string" ? Buffer.from(bytes) : bytes);
      } catch (error) {
        if (error instanceof SystemError) this.unlinkSync(to); // A half copy is removed.
        throw error;
      } finally {
        this.closeSync(target);
      }
    } finally {
      this.closeSync(source);
    }
  };

  rmSync = (path: PathLike, options?: RemoveOptions): void => {
    const { recursive = false, force = false } = options ?? {};
    try {
      const stats = this.lstatSync(path);
      if (stats?.isDirectory() !== true) this.unlinkSync(path);
      else if (recursive) this.#removeFolder(path);
      else
        throw Object.assign(new Error(`Path is a directory: rm returned EISDIR ${String(path)}`), {
          code: "ERR_FS_EISDIR",
        });
    } catch (error) {
      if (!force || !(error instanceof SystemError) || error.code !== "ENOENT") throw error;
    }
  };

  #removeFolder(path: PathLike): void {
    const base = path instanceof Uint8Array ? Buffer.concat([path, Buffer.from("/")]) : Buffer.from(`${String(path)}/`);
    for (const [name, { kind }] of this.#get().list(path)) {
      const inner = Buffer.concat([base, Buffer.from(name, "latin1")]);
      if (kind === "folder") this.#removeFolder(inner);
      else this.unlinkSync(inner);
    }
    this.rmdirSync(path);
  }
}
