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

/** Most callers ask for two or three of its members, so that they are computed when they are asked for. */
export class FileStats {
  readonly #kind: InodeKind;
  readonly #isBig: boolean;
  readonly #numbers: readonly [ino: number, mode: number, links: number, uid: number, size: number];
  readonly #times: readonly [atime: number, mtime: number, ctime: number, birth: number];

  constructor({ kind, ino, mode, links, uid, size, atime, mtime, ctime, birth }: Inode, isBig: boolean) {
    this.#kind = kind;
    this.#isBig = isBig;
    this.#numbers = [ino, mode | TYPE_BITS[kind], links, uid, kind === "folder" ? 4096 : size];
    this.#times = [atime, mtime, ctime, birth];
  }

  #number(value: number): number | bigint {
    return this.#isBig ? BigInt(value) : value;
  }

  #ms(us: number): number | bigint {
    return this.#isBig ? BigInt(Math.floor(us / 1000)) : us / 1000;
  }

  #ns(us: number): bigint | undefined {
    return this.#isBig ? BigInt(us) * NS_PER_US : undefined;
  }

  get dev(): number | bigint {
    return this.#number(1);
  }

  get ino(): number | bigint {
    return this.#number(this.#numbers[0]);
  }

  get mode(): number | bigint {
    return this.#number(this.#numbers[1]);
  }

  get nlink(): number | bigint {
    return this.#number(this.#numbers[2]);
  }

  get uid(): number | bigint {
    return this.#number(this.#numbers[3]);
  }

  get gid(): number | bigint {
    return this.#number(this.#numbers[3]);
  }

  get rdev(): number | bigint {
    return this.#number(0);
  }

  get size(): number | bigint {
    return this.#number(this.#numbers[4]);
  }

  get blksize(): number | bigint {
    return this.#number(4096);
  }

  get blocks(): number | bigint {
    return this.#number(Math.ceil(this.#numbers[4] / BLOCK));
  }

  get atimeMs(): number | bigint {
    return this.#ms(this.#times[0]);
  }

  get mtimeMs(): number | bigint {
    return this.#ms(this.#times[1]);
  }

  get ctimeMs(): number | bigint {
    return this.#ms(this.#times[2]);
  }

  get birthtimeMs(): number | bigint {
    return this.#ms(this.#times[3]);
  }

  get atimeNs(): bigint | undefined {
    return this.#ns(this.#times[0]);
  }

  get mtimeNs(): bigint | undefined {
    return this.#ns(this.#times[1]);
  }

  get ctimeNs(): bigint | undefined {
    return this.#ns(this.#times[2]);
  }

  get birthtimeNs(): bigint | undefined {
    return this.#ns(this.#times[3]);
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
