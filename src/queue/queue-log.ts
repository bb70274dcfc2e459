import * as v from "valibot";
import { QueueError } from "./pure/engine.ts";
import { isRecord } from "../base/quantity.ts";
import { emptyQueue, type QueueSnapshot, type QueueState, restoreQueue, takeSnapshot } from "./pure/queue-state.ts";
import { type LogFile, openLogFile } from "../journal/log-file.ts";
import { listQueueFiles, logPath, readSnapshot, writeSnapshot, makeQueueFolder } from "../journal/queue-folder.ts";
import { randomBytes } from "node:crypto";
import { QUEUE_VERSION, type QueueEvent } from "./pure/queue-record.ts";
import { evolveQueue } from "./pure/evolve-queue.ts";
import { readRecordText, writeRecordText } from "./record-text.ts";

/**
 * Where a process stands in the files of a queue.
 *
 * The log goes on in a new file behind a seal, which is a record like every other one. A snapshot of the queue lies
 * beside the new file. Older files are removed, so a process that was stopped for long goes on with the newest
 * snapshot; what it wrote behind a seal counts for nobody.
 */

/** Files may come and go while they are listed. */
const LISTS_MAX = 5;

export interface QueuePosition {
  readonly state: QueueState;
  /** Of the newest record. */
  sum: string;
  readonly file: LogFile;
  readonly snapshotBytes: number;
}

/** The file that was to be written is not the newest one any more. */
export class OutdatedError extends Error {}

const Snapshot = v.object({
  sum: v.string(),
  // The hash of the file says that relais wrote it; checking each of thousands of jobs again would only cost time.
  queue: v.custom<QueueSnapshot>(isRecord),
});

export function openNewestLog(folder: string): QueuePosition {
  for (let list = 1; ; list += 1) {
    try {
      return openListed(folder);
    } catch (error) {
      if (!(error instanceof QueueError && error.kind === "damaged") || list === LISTS_MAX) throw error;
    }
  }
}

function openListed(folder: string): QueuePosition {
  const { snapshots, logs } = listQueueFiles(folder);
  for (const generation of snapshots) {
    const body = readSnapshot(folder, generation);
    if (body === null) continue;
    if (!logs.includes(generation)) throw lacks(logPath(folder, generation));
    const { sum, queue } = v.parse(Snapshot, JSON.parse(body));
    return { state: restoreQueue(queue), sum, file: openLog(folder, generation), snapshotBytes: body.length };
  }
  if ((snapshots.length > 0 || logs.length > 0) && !logs.includes(1)) throw lacks(logPath(folder, 1));
  return { state: emptyQueue(), sum: "", file: openLog(folder, 1), snapshotBytes: 0 };
}

function lacks(path: string): QueueError {
  return new QueueError("damaged", `the queue lacks ${path}: restore it, or move its folder away`);
}

export function goOnBehindSeal(folder: string, { state, sum, file }: QueuePosition): QueuePosition {
  file.syncNow();
  file.close();
  const { generation } = state;
  const { snapshots, logs } = listQueueFiles(folder);
  const [newest = 0] = snapshots;
  if (newest > generation) return openNewestLog(folder);
  if (newest === generation && !logs.includes(generation)) throw lacks(logPath(folder, generation));
  const body = JSON.stringify({ sum, queue: takeSnapshot(state) });
  if (newest < generation) tryToWriteSnapshot(folder, generation, body);
  return { state, sum, file: openLog(folder, generation), snapshotBytes: body.length };
}

/** Only a way to start sooner: a reader may not be allowed to write it, and the disk may be full. */
function tryToWriteSnapshot(folder: string, generation: number, body: string): void {
  try {
    writeSnapshot(folder, generation, body);
  } catch {
    // The log before this one stays until the next snapshot.
  }
}

function openLog(folder: string, generation: number): LogFile {
  const onWriter = (): void => {
    const [newest = 0] = listQueueFiles(folder).snapshots;
    if (newest > generation) throw new OutdatedError();
  };
  return openLogFile({ path: logPath(folder, generation), onWriter });
}

/**
 * The log of a queue, followed by one process: read the new records, decide with the state that they lead to, append one
 * record, read back. Of several records with the same number the first one in the file counts, for every reader. So a
 * decision only takes effect if it was made with the newest state, however long its process was stopped in between.
 *
 * Nothing here waits, so that two decisions of one process never mix.
 */

/** Each time, another process recorded something: this many are far more than there can be. */
const TRIES_MAX = 10_000;

export interface FilesLog {
  /** The state with everything that is in the log now. */
  readonly refresh: () => QueueState;
  /**
   * Appends what `decide` answers for the newest state, which is asked again when another process was faster. Answers the
   * number of the record; null where `decide` answers null.
   */
  readonly record: (decide: (state: QueueState) => QueueEvent | null) => number | null;
  /** Resolves once all records that this process knows are on the disk. */
  readonly sync: () => Promise<void>;
  readonly close: () => void;
}

interface QueueLogOptions {
  readonly folder: string;
  /** The wall clock, as a timestamp in UTC. */
  readonly now: () => string;
  readonly onRecords: () => void;
  /** A longer log goes on in a new file, with a snapshot before it. */
  readonly logBytesMax: number;
}

interface Follower extends QueueLogOptions {
  /** Names this process in its records. */
  readonly by: string;
  position: QueuePosition;
  hasFolder: boolean;
}

export function openQueueLog(options: QueueLogOptions): FilesLog {
  const by = randomBytes(6).toString("hex");
  const follower: Follower = { ...options, by, position: openNewestLog(options.folder), hasFolder: false };
  return {
    refresh: () => refresh(follower),
    record: (decide) => {
      const seq = record(follower, decide);
      if (seq !== null) sealIfLong(follower);
      return seq;
    },
    sync: () => follower.position.file.sync(),
    close: () => follower.position.file.close(),
  };
}

function refresh(follower: Follower): QueueState {
  if (follow(follower).size > 0) follower.onRecords();
  return follower.position.state;
}

/** Reads everything that is new; answers the sums of the records that count, by their numbers. */
function follow(follower: Follower): ReadonlyMap<number, string> {
  const sums = new Map<number, string>();
  while (readOn(follower.position, sums)) follower.position = goOnBehindSeal(follower.folder, follower.position);
  return sums;
}

/** Reads the rest of the file; true where it ended with its seal. */
function readOn(position: QueuePosition, sums: Map<number, string>): boolean {
  if (readRest(position, sums)) return true;
  if (position.file.isInPlace()) return false;
  // Sealed files are removed later; the seal of this one may have come after the look above.
  if (readRest(position, sums)) return true;
  throw position.file.explainDamage();
}

function readRest(position: QueuePosition, sums: Map<number, string>): boolean {
  const { state, file } = position;
  const { generation } = state;
  for (const text of file.readNew()) {
    const read = readRecordText(text, { seq: state.seq, sum: position.sum });
    if (read === null) continue;
    evolveQueue(state, read.record);
    position.sum = read.sum;
    sums.set(read.record.seq, read.sum);
    if (state.generation !== generation) return true; // Nothing counts behind the seal.
  }
  return false;
}

function record(follower: Follower, decide: (state: QueueState) => QueueEvent | null): number | null {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const event = decide(refresh(follower));
    if (event === null) return null;
    const seq = append(follower, event);
    if (seq !== null) return seq;
  }
  throw new QueueError("unwritable", `the queue ${follower.folder} changed ${TRIES_MAX} times meanwhile: try again`);
}

/** Null where another record got the number. */
function append(follower: Follower, event: QueueEvent): number | null {
  const { folder, by, now, position } = follower;
  if (!follower.hasFolder) makeQueueFolder(folder);
  follower.hasFolder = true;
  const seq = position.state.seq + 1;
  const { text, sum } = writeRecordText({ v: QUEUE_VERSION, seq, at: now(), by, event }, position.sum);
  try {
    position.file.append(text);
  } catch (error) {
    if (!(error instanceof OutdatedError)) throw error;
    follower.position = openNewestLog(folder);
    return null;
  }
  const isOurs = follow(follower).get(seq) === sum;
  follower.onRecords();
  return isOurs ? seq : null;
}

function sealIfLong(follower: Follower): void {
  const { file, snapshotBytes, state } = follower.position;
  if (file.bytes() < Math.max(follower.logBytesMax, 2 * snapshotBytes)) return;
  const { generation } = state;
  record(follower, (newest) => (newest.generation === generation ? { kind: "sealed" } : null));
}
