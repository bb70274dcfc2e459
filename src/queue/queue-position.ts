/**
 * Where a process stands in the files of a queue.
 *
 * The log goes on in a new file behind a seal, which is a record like every other one. A snapshot of the queue lies
 * beside the new file. Older files are removed, so a process that was stopped for long goes on with the newest
 * snapshot; what it wrote behind a seal counts for nobody.
 */
import * as v from "valibot";
import { QueueError } from "./pure/queue-error.ts";
import { isRecord } from "../base/is-record.ts";
import { emptyQueue, type QueueSnapshot, type QueueState, restoreQueue, takeSnapshot } from "./pure/queue-state.ts";
import { type LogFile, openLogFile } from "../journal/log-file.ts";
import { listQueueFiles, logPath, readSnapshot, writeSnapshot } from "../journal/queue-folder.ts";

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
