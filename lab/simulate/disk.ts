/**
 * A disk in memory, with what a power cut takes.
 *
 * Bytes of a file are safe once the file was synced. Names, modes and times are a journal in the order in which they
 * were changed, as on ext4 and XFS: a power cut takes back its end, never more than what was not synced. To sync a folder keeps
 * everything up to the last change in it; to sync a file keeps its bytes and not its name.
 */
import type { Random } from "../../scripts/random.ts";
import { type Inode, makeInode, NOTHING } from "./inode.ts";

interface PendingChange {
  readonly of: readonly Inode[];
  readonly undo: () => void;
}

/** So many changes are on the disk without anybody asking for it. */
const PENDING_MAX = 3000;
/** Times of a file are as coarse as on Linux. */
export const TIME_GRAIN_US = 4000;

export class Disk {
  readonly root: Inode;
  /** Syncs are answered, and nothing is kept. */
  isLying = false;
  /** How many more bytes fit; Infinity while the disk is not full. */
  free = Number.POSITIVE_INFINITY;
  readonly #clock: () => number;
  #inodes = 1;
  #pending: PendingChange[] = [];
  readonly #dirty = new Set<Inode>();

  constructor(clock: () => number) {
    this.#clock = clock;
    this.root = this.make("folder", { mode: 0o755, uid: 0 });
    this.root.parent = this.root;
  }

  stamp(): number {
    const now = this.#clock();
    return now - (now % TIME_GRAIN_US);
  }

  make(kind: Inode["kind"], owner: { readonly mode: number; readonly uid: number; readonly target?: string }): Inode {
    this.#inodes += 1;
    return makeInode(this.#inodes, { ...owner, kind, now: this.stamp() });
  }

  note(of: readonly Inode[], undo: () => void): void {
    this.#pending.push({ of, undo });
    if (this.#pending.length > 2 * PENDING_MAX) this.#pending = this.#pending.slice(PENDING_MAX);
  }

  /** Puts an entry into a folder, in place of the one of that name. */
  link(folder: Inode, name: string, inode: Inode): void {
    const before = folder.entries.get(name);
    const parent = inode.parent;
    folder.entries.set(name, inode);
    if (inode.kind === "folder") inode.parent = folder;
    this.#touchFolder(folder);
    this.note([folder], () => {
      if (before === undefined) folder.entries.delete(name);
      else folder.entries.set(name, before);
      inode.parent = parent;
    });
  }

  unlink(folder: Inode, name: string): void {
    const before = folder.entries.get(name);
    if (before === undefined) return;
    folder.entries.delete(name);
    before.links -= 1;
    before.ctime = this.stamp();
    this.#touchFolder(folder);
    this.note([folder], () => {
      before.links += 1;
      folder.entries.set(name, before);
    });
  }

  /** One step: nobody ever sees both names or none, not even after a power cut. */
  rename(from: { folder: Inode; name: string }, to: { folder: Inode; name: string }, inode: Inode): void {
    const replaced = to.folder.entries.get(to.name);
    from.folder.entries.delete(from.name);
    to.folder.entries.set(to.name, inode);
    const { parent } = inode;
    if (inode.kind === "folder") inode.parent = to.folder;
    if (replaced !== undefined) replaced.links -= 1;
    inode.ctime = this.stamp();
    this.#touchFolder(from.folder);
    this.#touchFolder(to.folder);
    this.note([from.folder, to.folder], () => {
      if (replaced === undefined) to.folder.entries.delete(to.name);
      else {
        replaced.links += 1;
        to.folder.entries.set(to.name, replaced);
      }
      from.folder.entries.set(from.name, inode);
      inode.parent = parent;
    });
  }

  change(inode: Inode, changed: { readonly mode?: number; readonly mtime?: number; readonly atime?: number }): void {
    const { mode, mtime, atime } = inode;
    Object.assign(inode, changed);
    inode.ctime = this.stamp();
    this.note([inode], () => void Object.assign(inode, { mode, mtime, atime }));
  }

  write(inode: Inode, at: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const end = at + bytes.length;
    this.#makeRoom(inode, at, end);
    if (at > inode.size) inode.data.fill(0, inode.size, at);
    inode.data.set(bytes, at);
    inode.size = Math.max(inode.size, end);
    this.#wrote(inode);
  }

  truncate(inode: Inode, size: number): void {
    if (size > inode.size) {
      this.#makeRoom(inode, size, size);
      inode.data.fill(0, inode.size, size);
    }
    // What was cut off may be written again, and must not show in what is safe.
    if (size < inode.size && inode.safe?.data === inode.data) inode.data = Buffer.from(inode.data);
    inode.size = size;
    this.#wrote(inode);
  }

  #makeRoom(inode: Inode, at: number, end: number): void {
    const isShared = inode.safe?.data === inode.data && at < inode.safe.size;
    if (end <= inode.data.length && !isShared) return;
    const room = Buffer.alloc(end <= inode.data.length ? inode.data.length : Math.max(64, end * 2));
    inode.data.copy(room, 0, 0, inode.size);
    inode.data = room;
  }

  #wrote(inode: Inode): void {
    inode.mtime = this.stamp();
    inode.ctime = inode.mtime;
    this.#dirty.add(inode);
  }

  #touchFolder(folder: Inode): void {
    folder.mtime = this.stamp();
    folder.ctime = folder.mtime;
  }

  sync(inode: Inode): void {
    if (this.isLying) return;
    if (inode.kind === "folder") {
      const last = this.#pending.findLastIndex(({ of }) => of.includes(inode));
      this.#pending.splice(0, last + 1);
    } else {
      inode.safe = { data: inode.data, size: inode.size };
      this.#dirty.delete(inode);
      if (this.#pending.some(({ of }) => of.length === 1 && of[0] === inode))
        this.#pending = this.#pending.filter(({ of }) => of[0] !== inode);
    }
  }

  /** Everything is on the disk. */
  settle(): void {
    this.#pending = [];
    for (const inode of this.#dirty) inode.safe = { data: inode.data, size: inode.size };
    this.#dirty.clear();
  }

  /** What is in memory is gone: names back to some moment, and of each unsynced file any part. */
  cutPower(random: Random): void {
    const kept = random.below(3) === 0 ? this.#pending.length : random.below(this.#pending.length + 1);
    for (const { undo } of this.#pending.slice(kept).toReversed()) undo();
    this.#pending = [];
    for (const inode of this.#dirty) this.#loseBytes(inode, random);
    this.#dirty.clear();
  }

  #loseBytes(inode: Inode, random: Random): void {
    const { data, size, safe } = inode;
    switch (random.below(4)) {
      case 0:
        break;
      case 1:
        inode.data = safe === null ? NOTHING : Buffer.from(safe.data.subarray(0, safe.size));
        inode.size = safe?.size ?? 0;
        break;
      case 2:
        // The length is there, and a part of the bytes.
        inode.data = Buffer.from(data.subarray(0, size));
        inode.data.fill(0, Math.max(safe?.size ?? 0, random.below(size + 1)), size);
        break;
      default:
        inode.data = Buffer.from(data.subarray(0, size));
        inode.size = Math.max(Math.min(safe?.size ?? 0, size), random.below(size + 1));
    }
    inode.safe = { data: inode.data, size: inode.size };
  }
}
