import { type Cursor, type JobLine, type JobLinesRequest, QueueError, type Engine } from "./pure/engine.ts";
import type { JobId } from "./pure/job.ts";
import type { JobRow } from "./pure/job-row.ts";
import { hasAllLines } from "./pure/job-end.ts";
import type { QueueState } from "./pure/queue-state.ts";
import {
  type AttemptPlace,
  type ByteRange,
  readBatches,
  readLines,
  listStores,
  noteBatch,
  readSpec,
  readStored,
  removeJobFiles,
  storeAttachment,
  writeLines,
  writeSpec,
} from "../journal/job-files.ts";
import { type EngineParts, waitForChanges, type EngineClocks, openChanges } from "./engine-parts.ts";
import { type ProcessIdentity, readOwnIdentity } from "../process/process-identity.ts";
import { readBeat, removeBeat, writeBeat } from "../journal/beats.ts";
import { makeQueueFolder } from "../journal/queue-folder.ts";
import { watchFolder } from "../system/follow-file.ts";
import type { AppendLines, Beats, JobStore, LinesPlace, OwnBeats, QueueLog } from "./engine-ports.ts";
import { type FilesLog, openQueueLog } from "./queue-log.ts";
import { watchSilence, findDueInCron, openEngine } from "./open-engine.ts";
import * as clock from "../system/clock.ts";

/** Lines of jobs in the order in which they were recorded, from a cursor on. */

export interface FollowedFiles extends Pick<EngineParts, "log" | "changes"> {
  readonly folder: string;
}

/** The record of a batch of lines, and how many of them were read. */
interface Place {
  readonly seq: number;
  readonly count: number;
}

interface Batch {
  readonly seq: number;
  readonly job: JobId;
  readonly place: AttemptPlace;
  readonly range: ByteRange;
}

export async function* followJobLines(
  parts: FollowedFiles,
  { job, from, signal, untilOver }: JobLinesRequest,
): AsyncGenerator<JobLine, void> {
  const changes = waitForChanges(parts.changes, signal);
  let at = parseCursor(from);
  let known = -1;
  try {
    for (; !signal.aborted; await changes.next()) {
      const state = parts.log.known();
      if (state.seq === known) continue;
      known = state.seq;
      const isLast = untilOver === true && hasAllLines(state, job); // Before the lines are read: the state goes on.
      for await (const { place, line } of readBatchesFrom(parts.folder, chooseRows(state, job), at)) {
        if (signal.aborted) return;
        at = place;
        yield line;
      }
      if (isLast) return;
    }
  } finally {
    changes.close();
  }
}

async function* readBatchesFrom(
  folder: string,
  rows: readonly JobRow[],
  from: Place,
): AsyncGenerator<{ readonly place: Place; readonly line: JobLine }, void> {
  for (const { seq, job, place, range } of listBatches(folder, rows, from.seq)) {
    const lines = await readLines(place, range);
    for (const [index, text] of lines.entries()) {
      if (seq === from.seq && index < from.count) continue;
      const count = index + 1;
      yield { place: { seq, count }, line: { job, attempt: place.attempt, cursor: `${seq}.${count}`, text } };
    }
  }
}

function parseCursor(cursor: Cursor): Place {
  const { seq = "0", count = "0" } = /^(?<seq>\d+)\.(?<count>\d+)$/.exec(cursor)?.groups ?? {};
  return { seq: Number(seq), count: Number(count) };
}

function chooseRows({ jobs }: QueueState, job: JobId | null): readonly JobRow[] {
  if (job === null) return [...jobs.values()];
  const row = jobs.get(job);
  return row === undefined ? [] : [row];
}

function listBatches(folder: string, rows: readonly JobRow[], from: number): readonly Batch[] {
  const batches: Batch[] = [];
  for (const { id: job, store, lines } of rows) {
    for (const { attempt, bytes, seq } of lines) {
      if (seq < from) continue;
      const place = { folder, store, attempt };
      const noted = readBatches(place).filter(({ end }) => end < bytes);
      let start = 0;
      for (const { seq: number, end } of [...noted, { seq, end: bytes }]) {
        if (number >= from) batches.push({ seq: number, job, place, range: { from: start, until: end } });
        start = end;
      }
    }
  }
  return batches.toSorted((one, other) => one.seq - other.seq);
}

/** What the files engine stands on: files in a folder. */

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
  const sightings = watchSilence(readSteadyMs);
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

/** The queue of a user on one machine: files in a folder, no server, no lock. */

const LOG_BYTES_MAX = 4 * 1024 * 1024;

/** Everything but the folder has a default; a double is for tests. */
type FilesEngineOptions = Pick<EngineOptions, "folder"> & Partial<EngineOptions>;

export async function openFilesEngine(options: FilesEngineOptions): Promise<Engine> {
  const identity = await readOwnIdentity();
  const defaults = {
    readClockMs: clock.readClockMs,
    readSteadyMs: clock.readSteadyMs,
    findDue: findDueInCron,
    logBytesMax: LOG_BYTES_MAX,
  };
  const parts = joinParts({ ...defaults, ...options }, identity);
  return openEngine({ ...parts, facts: { name: "files", shared: false, durable: "fsync" } });
}
