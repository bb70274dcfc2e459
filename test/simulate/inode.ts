/** What a simulated disk holds. Names are bytes, written as latin1 text. */
export type InodeKind = "file" | "folder" | "link";

export interface SafeContent {
  readonly data: Buffer;
  readonly size: number;
}

export interface Inode {
  readonly ino: number;
  readonly kind: InodeKind;
  mode: number;
  uid: number;
  links: number;
  /** Of a file: longer than `size`, so that it can grow. */
  data: Buffer;
  size: number;
  /** What a power cut cannot take; null where nothing was synced. */
  safe: SafeContent | null;
  /** Of a folder. */
  readonly entries: Map<string, Inode>;
  parent: Inode | null;
  /** Of a link. */
  readonly target: string;
  /** In microseconds. */
  atime: number;
  mtime: number;
  ctime: number;
  birth: number;
}

export interface NewInode {
  readonly kind: InodeKind;
  readonly mode: number;
  readonly uid: number;
  readonly now: number;
  readonly target?: string;
}

export const NOTHING = Buffer.alloc(0);

export function makeInode(ino: number, { kind, mode, uid, now, target = "" }: NewInode): Inode {
  return {
    ino,
    kind,
    mode,
    uid,
    links: kind === "folder" ? 2 : 1,
    data: NOTHING,
    size: kind === "link" ? target.length : 0,
    safe: null,
    entries: new Map(),
    parent: null,
    target,
    atime: now,
    mtime: now,
    ctime: now,
    birth: now,
  };
}

const TYPE_BITS = { file: 0o100_000, folder: 0o040_000, link: 0o120_000 } as const;
const BLOCK = 512;
const NS_PER_US = 1000n;

export class FileStats {
  readonly #kind: InodeKind;
  readonly dev;
  readonly ino;
  readonly mode;
  readonly nlink;
  readonly uid;
  readonly gid;
  readonly rdev;
  readonly size;
  readonly blksize;
  readonly blocks;
  readonly atimeMs;
  readonly mtimeMs;
  readonly ctimeMs;
  readonly birthtimeMs;
  readonly atimeNs?: bigint;
  readonly mtimeNs?: bigint;
  readonly ctimeNs?: bigint;
  readonly birthtimeNs?: bigint;

  constructor(inode: Inode, isBig: boolean) {
    const number = (value: number): number | bigint => (isBig ? BigInt(value) : value);
    const ms = (us: number): number | bigint => (isBig ? BigInt(Math.floor(us / 1000)) : us / 1000);
    this.#kind = inode.kind;
    this.dev = number(1);
    this.ino = number(inode.ino);
    this.mode = number(inode.mode | TYPE_BITS[inode.kind]);
    this.nlink = number(inode.links);
    this.uid = number(inode.uid);
    this.gid = number(inode.uid);
    this.rdev = number(0);
    this.size = number(inode.kind === "folder" ? 4096 : inode.size);
    this.blksize = number(4096);
    this.blocks = number(Math.ceil(inode.size / BLOCK));
    this.atimeMs = ms(inode.atime);
    this.mtimeMs = ms(inode.mtime);
    this.ctimeMs = ms(inode.ctime);
    this.birthtimeMs = ms(inode.birth);
    if (!isBig) return;
    this.atimeNs = BigInt(inode.atime) * NS_PER_US;
    this.mtimeNs = BigInt(inode.mtime) * NS_PER_US;
    this.ctimeNs = BigInt(inode.ctime) * NS_PER_US;
    this.birthtimeNs = BigInt(inode.birth) * NS_PER_US;
  }

  get atime(): Date {
    return new Date(Number(this.atimeMs));
  }

  get mtime(): Date {
    return new Date(Number(this.mtimeMs));
  }

  get ctime(): Date {
    return new Date(Number(this.ctimeMs));
  }

  get birthtime(): Date {
    return new Date(Number(this.birthtimeMs));
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

  isFIFO(): boolean {
    return false;
  }

  isSocket(): boolean {
    return false;
  }

  isBlockDevice(): boolean {
    return false;
  }

  isCharacterDevice(): boolean {
    return false;
  }
}
