/** What the files engine stands on: files in a folder. */
import { QueueError } from "./pure/queue-error.ts";
import type { ProcessIdentity } from "../process/process-identity.ts";
import { readBeat, removeBeat, writeBeat } from "../journal/beats.ts";
import {
  listStores,
  noteBatch,
  readSpec,
  readStored,
  removeJobFiles,
  storeAttachment,
  writeLines,
  writeSpec,
} from "../journal/job-files.ts";
import { makeQueueFolder } from "../journal/queue-folder.ts";
import { watchFolder } from "../system/watch-folder.ts";
import { type EngineClocks, type EngineParts, openChanges } from "./engine-parts.ts";
import type { AppendLines, Beats, JobStore, LinesPlace, OwnBeats, QueueLog } from "./engine-ports.ts";
import { type FollowedFiles, followJobLines } from "./follow-job-lines.ts";
import { type FilesLog, openQueueLog } from "./queue-log.ts";
import { openSightings } from "./sightings.ts";

export interface EngineOptions extends EngineClocks {
  readonly folder: string;
  /** A longer log goes on in a new file, with a snapshot before it. */
  readonly logBytesMax: number;
}

export function joinParts(options: EngineOptions, identity: ProcessIdentity): EngineParts {
  const now = (): string => new Date(options.readClockMs()).toISOString();
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of listeners) listener();
  };
  const { folder, logBytesMax } = options;
  const files = openQueueLog({ folder, logBytesMax, now, onRecords: wake });
  const look = (): void => {
    try {
      files.refresh();
    } catch (error) {
      if (!(error instanceof QueueError)) throw error; // Those who wait meet it themselves.
    }
    wake();
  };
  const changes = openChanges(listeners, () => watchFolder(folder, look));
  const log = toLog(files);
  const store = openStore({ ...options, folder, log, changes });
  return { ...options, identity, now, log, changes, store, beats: openBeats(options, identity) };
}

function toLog(files: FilesLog): QueueLog {
  return {
    known: () => files.refresh(),
    refresh: async () => files.refresh(),
    record: async (decide) => files.record(decide),
    sync: () => files.sync(),
    close: async () => files.close(),
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

function openStore(parts: FollowedFiles & Pick<EngineParts, "readClockMs">): JobStore {
  const { folder, readClockMs } = parts;
  return {
    writeSpec: (store, text) => {
      makeQueueFolder(folder);
      return writeSpec({ folder, store }, text);
    },
    readSpec: async (store, sha256) => readSpec({ folder, store }, sha256),
    remove: (stores) => removeJobFiles(folder, stores),
    sweep: async (dropped, known) => {
      const old = listStores(folder, readClockMs() - DAY_MS);
      await removeJobFiles(folder, [...dropped, ...old.filter((store) => !known.has(store))]);
    },
    openLines: (place) => openLines(folder, place),
    follow: (request) => followJobLines(parts, request),
    attach: (place, name, content) => storeAttachment({ ...place, folder }, name, content),
    readAttachment: (store, { name, attempt, ...stored }) => readStored({ folder, store, attempt }, name, stored),
  };
}

function openLines(folder: string, { count, ...place }: LinesPlace): AppendLines {
  const at = { ...place, folder };
  let bytes = 0;
  return async (lines) => {
    const data = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    await writeLines(at, bytes, data);
    const end = bytes + data.length;
    const seq = await count(end);
    if (seq === null) return "fenced";
    bytes = end;
    await noteBatch(at, { seq, end });
    return "recorded";
  };
}

/** Beats within one lease. */
const BEATS_A_LEASE = 3;

function openBeats({ folder, readSteadyMs }: EngineOptions, { bootId }: ProcessIdentity): Beats {
  const sightings = openSightings(readSteadyMs);
  return {
    open: (worker) => openOwnBeats(folder, worker, readSteadyMs),
    countSilence: ({ id, boot }) => {
      const beat = readBeat(folder, id);
      return beat !== null && boot === bootId ? readSteadyMs() - beat : sightings.countSilence(id, beat);
    },
    confirmSilence: async () => true,
    readAge: ({ id, boot }) => {
      const beat = boot === bootId ? readBeat(folder, id) : null;
      return beat === null ? null : readSteadyMs() - beat;
    },
    forget: async (worker) => removeBeat(folder, worker),
  };
}

function openOwnBeats(folder: string, worker: string, readSteadyMs: () => number): OwnBeats {
  let intervalMs = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  const beat = (): void => writeBeat(folder, worker, readSteadyMs());
  const tryToBeat = (): void => {
    try {
      beat();
    } catch (error) {
      if (!(error instanceof QueueError)) throw error; // The lease ends, and a successor gets the job.
    }
  };
  return {
    beat: async () => {
      makeQueueFolder(folder);
      beat();
    },
    shortenLease: (leaseMs) => {
      if (leaseMs / BEATS_A_LEASE >= intervalMs) return;
      intervalMs = leaseMs / BEATS_A_LEASE;
      if (timer !== null) clearInterval(timer);
      timer = setInterval(tryToBeat, intervalMs);
      timer.unref();
    },
    leash: null,
    close: async (isIdle) => {
      if (timer !== null) clearInterval(timer);
      if (isIdle) removeBeat(folder, worker);
    },
  };
}
