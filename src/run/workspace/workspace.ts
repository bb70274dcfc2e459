/** What a command works with, by how much of it is open. `withWorkspace` hands it out. */
import type { DamagedLock } from "../../contract/answers/recovery.ts";
import type { Config } from "../../contract/config/config.ts";
import type { Head } from "../../contract/evidence/evidence.ts";
import type { JournalLine } from "../../contract/journal/event.ts";
import type { Lock } from "../../contract/journal/lock.ts";
import type { Caller } from "../../contract/values/environment.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import type { Journal } from "../../io/journal/journal.ts";
import type { LockNote } from "../../io/journal/lock.ts";
import type { ConfigFile } from "./config-file.ts";

export interface WorkspaceRequest extends Caller {
  readonly signal: AbortSignal;
}

/** A repository that is set up for relais. */
export interface Project {
  readonly kind: "ready";
  readonly repository: Repository;
  readonly config: Config;
  readonly configText: string;
}

/** A project in which a tick could begin. */
export interface Workspace extends Project {
  readonly head: Head & { readonly commit: string };
  /** The workspace folder, as an absolute path. */
  readonly folder: string;
  readonly stateDirectory: string;
  readonly lockPath: string;
}

/** Writes into every lock that is held which tick is at work and where the journal ends. */
export type NoteInLocks = (note: LockNote) => Promise<void>;

/** A workspace that nobody else changes meanwhile. */
export interface LockedWorkspace extends Workspace {
  readonly journal: Journal;
  /** The name under which the locks are held. */
  readonly runId: string;
  readonly noteInLocks: NoteInLocks;
}

/** What can be known without a lock, also when something is wrong: that is when people ask. */
export interface WorkspaceSnapshot {
  readonly kind: "snapshot";
  readonly repository: Repository;
  /** It need not exist yet. */
  readonly stateDirectory: string;
  readonly lockPath: string;
  readonly configFile: ConfigFile;
  /** The defaults where no configuration can be used. */
  readonly config: Config;
  /** The history folder, as an absolute path. */
  readonly history: string;
  /** With the lines that are missing from the journal and known from their copies. */
  readonly lines: readonly JournalLine[];
  readonly missingLines: number;
  /** The process that was at work when all that was known of a tick was lost. */
  readonly lostTick: Lock | null;
}

/** A repository in which nobody else changes anything meanwhile. It need not be set up yet. */
export interface WritableRepository {
  readonly repository: Repository;
  readonly configFile: ConfigFile;
}

/** A workspace with a tick to recover; even the git directory may be gone. */
export interface BrokenWorkspace {
  readonly repository: Repository;
  /** The defaults where the configuration cannot be used: it may be part of the damage. */
  readonly config: Config;
  readonly folder: string;
  readonly stateDirectory: string;
  readonly journal: Journal;
  /** How many lines the journal had lost; they are back. */
  readonly restoredLines: number;
  /** The processes that held the locks and are gone. */
  readonly goneHolders: readonly Lock[];
  /** Removes locks of processes that are gone; answers with one that cannot be read. */
  readonly clearStaleLocks: () => Promise<DamagedLock | null>;
}

/** A workspace with what has to be given back afterwards. */
export interface OpenedWorkspace<W> {
  readonly kind: "open";
  readonly workspace: W;
  readonly locks: { readonly release: () => Promise<void> } | null;
  readonly journal: Journal | null;
}
