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
  /** Null for other types, and for a file that was too large to read. */
  readonly id: string | null;
  readonly target: string | null;
  /** Its permissions had to be lifted to read it, or it is unreadable. Never true before a build. */
  readonly forced: boolean;
}

export type Manifest = ReadonlyMap<string, Entry>;

/** The folders of one repository. Git's data is in the worktree folder, or elsewhere for linked worktrees and submodules. */
export interface Observation {
  readonly takenAt: number;
  /** Ignored entries and nested repositories included; not git's own folder at the root. */
  readonly worktree: Manifest;
  readonly git: Manifest;
  /**
   * Only where the worktree's part is partial, as in an overlay: what the same paths are below it. An entry that is in
   * neither of the two is as below.
   */
  readonly base?: Manifest;
  /** Set if more is new than a tick may make. Then only the first new entries are listed. */
  readonly excess?: Excess;
}

/** What the sessions and checks of a tick may add to the repository at most. */
export interface GrowthCaps {
  /** Files, folders and other entries. */
  readonly files: number;
  readonly bytes: number;
}

export interface Excess {
  readonly kind: keyof GrowthCaps;
  /** The cap that was crossed. */
  readonly max: number;
}

export interface Mount {
  /** An absolute byte string. */
  readonly point: string;
  /** Only what stays the same after a reboot. */
  readonly kind: string;
}

/** File systems keep times this coarsely; two close writes can leave the same stamp. */
const CLOCK_GRANULARITY_MS = 2_000;

/**
 * Whether an entry changed so shortly before its observation that a later change might carry the same stamp.
 *
 * Such an entry is read again whatever its stamp says.
 */
export function isRacy(entry: Entry, takenAt: number): boolean {
  return parseChangedAt(entry) >= takenAt - CLOCK_GRANULARITY_MS;
}

/** The moment to note for an observation after which no change can carry an old stamp: the clock has moved since. */
export function noteSettledTime(nowMs: number): number {
  return nowMs + CLOCK_GRANULARITY_MS + 1;
}

function parseChangedAt(entry: Entry): number {
  return Number(entry.stamp.slice(entry.stamp.lastIndexOf(":") + 1)) / 1e6;
}

export function modifiedAtSeconds(entry: Entry): number {
  return Number(entry.stamp.split(":")[1] ?? 0) / 1e9;
}
