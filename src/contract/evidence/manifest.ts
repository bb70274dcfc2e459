/**
 * A manifest: what lstat says of every entry below a folder, and the id of its content.
 *
 * Keys are paths as byte strings: one character per byte (latin1), `/` between components, "" for the folder itself.
 * Names in a repository are bytes, not text; decoding happens where a person or a glob needs text.
 */
export type EntryType = "file" | "directory" | "symlink" | "fifo" | "socket" | "device";

export interface Entry {
  readonly type: EntryType;
  /** Permission bits, 07777. */
  readonly mode: number;
  readonly size: number;
  /** `uid:gid`. */
  readonly owner: string;
  readonly hardLinks: number;
  /**
   * `inode:mtime:ctime`, in nanoseconds. No builder can set a ctime, so an equal stamp means an untouched entry, but for
   * a write within the clock's granularity of the observation: see `isRacy`.
   */
  readonly stamp: string;
  /** Git blob id of the content or link text. Null for other types, and for a file that was too large to read. */
  readonly id: string | null;
  /** The link text of a symlink, as a byte string. */
  readonly target: string | null;
  /** Its permissions had to be lifted to read it, or it cannot be read at all. Never true before a build. */
  readonly forced: boolean;
}

export type Manifest = ReadonlyMap<string, Entry>;

/** The folders of one repository. Git's data is in the worktree folder, or elsewhere for linked worktrees and submodules. */
export interface Observation {
  /** When the observation began, in milliseconds since the epoch. */
  readonly takenAt: number;
  /** Every entry of the worktree, ignored ones and nested repositories included; not git's own folder at its root. */
  readonly worktree: Manifest;
  /** Every entry of the common git directory, objects included. */
  readonly git: Manifest;
}

/** A file system that is mounted. */
export interface Mount {
  /** Where, as an absolute byte string. */
  readonly point: string;
  /** What it is, as far as that is the same after the machine was started anew. */
  readonly kind: string;
}

/** File systems keep times as coarse as this; two writes closer together can leave the same stamp. */
const CLOCK_GRANULARITY_MS = 2_000;

/**
 * Whether an entry changed so shortly before its observation that a later change might carry the same stamp.
 *
 * Such an entry is read again whatever its stamp says.
 */
export function isRacy(entry: Entry, takenAt: number): boolean {
  return changedAtMs(entry) >= takenAt - CLOCK_GRANULARITY_MS;
}

function changedAtMs(entry: Entry): number {
  return Number(entry.stamp.slice(entry.stamp.lastIndexOf(":") + 1)) / 1e6;
}

/** The modification time in seconds, for putting it back. */
export function modifiedAtSeconds(entry: Entry): number {
  return Number(entry.stamp.split(":")[1] ?? 0) / 1e9;
}
