/**
 * The log of a queue, followed by one process: read the new records, decide with the state that they lead to, append one
 * record, read back. Of several records with the same number the first one in the file counts, for every reader. So a
 * decision only takes effect if it was made with the newest state, however long its process was stopped in between.
 *
 * Nothing here waits, so that two decisions of one process never mix.
 */
import { createHash, randomBytes } from "node:crypto";
import * as v from "valibot";
import { QueueError } from "../../contract/queue/queue-error.ts";
import { QUEUE_VERSION, type QueueEvent, QueueRecord } from "../../contract/queue/queue-record.ts";
import { isRecord } from "../../contract/values/is-record.ts";
import { evolveQueue } from "../../core/queue/evolve-queue.ts";
import {
  emptyQueue,
  type QueueSnapshot,
  type QueueState,
  restoreQueue,
  takeSnapshot,
} from "../../core/queue/queue-state.ts";
import { type LogFile, openLogFile } from "../../io/queue/log-file.ts";
import { listQueueFiles, logPath, makeQueueFolder, readSnapshot, writeSnapshot } from "../../io/queue/queue-folder.ts";

/** A longer log goes on in a new file, with a snapshot before it. */
const LOG_BYTES_MAX = 4 * 1024 * 1024;

export interface QueueLog {
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

export interface QueueLogOptions {
  readonly folder: string;
  /** The wall clock, as a timestamp in UTC. */
  readonly now: () => string;
  readonly onRecords: () => void;
}

/** What this process knows: the state, and where it stands in the files. */
interface Position {
  state: QueueState;
  /** The beginning of the hash of the newest record. */
  mark: string;
  file: LogFile;
  snapshotBytes: number;
}

/** The file that was to be written is not the newest one any more. */
class OutdatedError extends Error {}

export function openQueueLog({ folder, now, onRecords }: QueueLogOptions): QueueLog {
  const by = randomBytes(6).toString("hex");
  let position = openNewest(folder);
  let hasFolder = false;

  const refresh = (): QueueState => {
    const before = position.state.seq;
    while (readOn(position)) position = goOn(folder, position);
    if (position.state.seq !== before) onRecords();
    return position.state;
  };

  const append = (event: QueueEvent): number | null => {
    const seq = position.state.seq + 1;
    const text = JSON.stringify({ v: QUEUE_VERSION, seq, prev: position.mark, at: now(), by, event });
    const mark = markOf(text);
    const { file } = position;
    try {
      file.append(text);
    } catch (error) {
      if (!(error instanceof OutdatedError)) throw error;
      position = openNewest(folder);
      return null;
    }
    const marks = new Map<number, string>();
    while (readOn(position, marks)) position = goOn(folder, position);
    onRecords();
    return marks.get(seq) === mark ? seq : null;
  };

  const record: QueueLog["record"] = (decide) => {
    if (!hasFolder) makeQueueFolder(folder);
    hasFolder = true;
    for (;;) {
      const event = decide(refresh());
      if (event === null) return null;
      const seq = append(event);
      if (seq !== null) return seq;
    }
  };

  const sealIfLong = (): void => {
    const { file, snapshotBytes, state } = position;
    if (file.bytes() < Math.max(LOG_BYTES_MAX, 2 * snapshotBytes)) return;
    const { generation } = state;
    record((newest) => (newest.generation === generation ? { kind: "sealed" } : null));
  };

  return {
    refresh,
    record: (decide) => {
      const seq = record(decide);
      if (seq !== null) sealIfLong();
      return seq;
    },
    sync: () => position.file.sync(),
    close: () => position.file.close(),
  };
}

function markOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Reads the rest of the file; true where it ended with its seal. Collects the marks of the records that count. */
function readOn(position: Position, marks?: Map<number, string>): boolean {
  const { state, file } = position;
  const { generation } = state;
  for (const text of file.readNew()) {
    const counted = readRecord(text, position);
    if (counted === null) continue;
    evolveQueue(state, counted);
    position.mark = markOf(text);
    marks?.set(counted.seq, position.mark);
    if (state.generation !== generation) return true; // Nothing counts behind the seal.
  }
  file.checkPlace();
  return false;
}

/** The record if it is the next one. Another one with the same number came too late. */
function readRecord(text: string, { state, mark }: Position): QueueRecord | null {
  const parsed = parseText(text);
  if (parsed === null) return null;
  const { seq } = parsed;
  if (typeof seq !== "number" || seq <= state.seq) return null;
  if (seq !== state.seq + 1) throw damaged(state.seq + 1, "is missing");
  const checked = v.safeParse(QueueRecord, parsed);
  if (!checked.success) throw new QueueError("newer", `record ${seq} of the queue is not known here: update relais`);
  if (checked.output.prev !== mark) throw damaged(state.seq, "was altered");
  return checked.output;
}

function parseText(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function damaged(seq: number, what: string): QueueError {
  return new QueueError("damaged", `record ${seq} of the queue ${what}: restore its folder, or move it away`);
}

/** Behind a seal. A process that was stopped for long goes on with the newest snapshot instead. */
function goOn(folder: string, { state, mark, file }: Position): Position {
  file.syncNow();
  file.close();
  const { generation } = state;
  const [newest = 0] = listQueueFiles(folder).snapshots;
  if (newest > generation) return openNewest(folder);
  const body = JSON.stringify({ mark, queue: takeSnapshot(state) });
  if (newest < generation) tryToWriteSnapshot(folder, generation, body);
  return { state, mark, file: openLog(folder, generation), snapshotBytes: body.length };
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

const Snapshot = v.object({
  mark: v.string(),
  // Its hash says that relais wrote it; checking each of thousands of jobs again would only cost time.
  queue: v.custom<QueueSnapshot>(isRecord),
});

/** Files may come and go while they are listed. */
const LISTS_MAX = 5;

function openNewest(folder: string): Position {
  for (let list = 1; ; list += 1) {
    try {
      return openListed(folder);
    } catch (error) {
      if (!(error instanceof QueueError && error.kind === "damaged") || list === LISTS_MAX) throw error;
    }
  }
}

function openListed(folder: string): Position {
  const { snapshots, logs } = listQueueFiles(folder);
  for (const generation of snapshots) {
    const body = readSnapshot(folder, generation);
    if (body === null) continue;
    if (!logs.includes(generation)) throw lacks(logPath(folder, generation));
    const { mark, queue } = v.parse(Snapshot, JSON.parse(body));
    return { state: restoreQueue(queue), mark, file: openLog(folder, generation), snapshotBytes: body.length };
  }
  if ((snapshots.length > 0 || logs.length > 0) && !logs.includes(1)) throw lacks(logPath(folder, 1));
  return { state: emptyQueue(), mark: "", file: openLog(folder, 1), snapshotBytes: 0 };
}

function lacks(path: string): QueueError {
  return new QueueError("damaged", `the queue lacks ${path}: restore it, or move its folder away`);
}
