import type { DamagedLock } from "../records/recovery.ts";
import type { Config } from "../config/config.ts";
import type { Head } from "../records/evidence.ts";
import type { JournalLine, TickEvent } from "../records/event.ts";
import type { Lock } from "../records/lock.ts";
import type { Caller } from "../base/environment.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { Journal } from "../journal/journal.ts";
import type { LockNote } from "../journal/acquire-lock.ts";
import type { ConfigFile } from "./config-file.ts";
import { readClockMs } from "../system/clock.ts";
import type { ScriptPlayer } from "../agents/scripted.ts";
import type { AskPerson } from "../records/decisions.ts";
import type { Report } from "../records/report.ts";
import type { LiveListener } from "../records/live-event.ts";

/** What a command works with, by how much of it is open. `withWorkspace` hands it out. */

export interface WorkspaceRequest extends Caller {
  readonly signal: AbortSignal;
}

export interface Project {
  readonly kind: "ready";
  readonly repository: Repository;
  readonly config: Config;
  readonly configText: string;
  /** Before the choices of the command line. */
  readonly baseText: string;
  /** What relais looked for where the file is missing or has gaps; null where it did not. */
  readonly foundText: string | null;
  /** As the file has it, without anything found; null where there is no file. */
  readonly fileText: string | null;
  /** Whether there is no file, so that relais uses what it finds. */
  readonly isFound: boolean;
}

export interface Workspace extends Project {
  readonly head: Head & { readonly commit: string };
  readonly folder: string;
  readonly stateDirectory: string;
  readonly lockPath: string;
}

/** Writes the tick and the end of the journal into every held lock. */
export type NoteInLocks = (note: LockNote) => Promise<void>;

/** No other relais changes it meanwhile. */
export interface LockedWorkspace extends Workspace {
  readonly journal: Journal;
  /** The name under which the locks are held. */
  readonly runId: string;
  readonly noteInLocks: NoteInLocks;
}

/** Read without a lock, even if something is wrong. */
export interface WorkspaceSnapshot {
  readonly kind: "snapshot";
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly lockPath: string;
  readonly configFile: ConfigFile;
  /** The defaults if the file cannot be used. */
  readonly config: Config;
  readonly history: string;
  /** With the missing lines that copies have. */
  readonly lines: readonly JournalLine[];
  readonly missingLines: number;
  /** The holder of a lock whose tick is not in the journal. */
  readonly lostTick: Lock | null;
}

/** Locked; it need not be set up yet. */
export interface WritableRepository {
  readonly repository: Repository;
  readonly configFile: ConfigFile;
}

/** A workspace with a tick to recover; even the git directory may be gone. */
export interface BrokenWorkspace {
  readonly repository: Repository;
  /** The defaults if the file cannot be used: it may be part of the damage. */
  readonly config: Config;
  readonly folder: string;
  readonly stateDirectory: string;
  readonly journal: Journal;
  /** How many lines of the journal were restored. */
  readonly restoredLines: number;
  /** The dead processes that held the locks. */
  readonly goneHolders: readonly Lock[];
  /** Removes locks of dead processes; answers with one that cannot be read. */
  readonly clearStaleLocks: () => Promise<DamagedLock | null>;
}

/** With what must be released afterwards. */
export interface OpenedWorkspace<W> {
  readonly kind: "open";
  readonly workspace: W;
  readonly locks: { readonly release: () => Promise<void> } | null;
  readonly journal: Journal | null;
  /** Called with the journal closed and the locks held. */
  readonly remember?: () => void;
}

export interface TickIds {
  readonly runId: string;
  readonly seriesId: string;
}

export function appendEvent(journal: Journal, { runId, seriesId }: TickIds, event: TickEvent): Promise<JournalLine> {
  return journal.append({ at: new Date(readClockMs()).toISOString(), run_id: runId, series_id: seriesId, event });
}

/** `isForPlan` leaves out what the next plan does not need; absent is no. */
export type RenderReport = (
  report: Report,
  options: { readonly maxChars: number; readonly isForPlan?: boolean },
) => string;

export interface CommandContext extends WorkspaceRequest {
  readonly relaisVersion: string;
  /** How to start relais itself for a scripted session. */
  readonly player: ScriptPlayer;
  /** Rendering is not the runner's business, so it is handed in. */
  readonly renderReport: RenderReport;
  readonly emit?: LiveListener;
  /** Shows a change to the person at this terminal; absent or null if there is none. */
  readonly askPerson?: AskPerson | null;
}
