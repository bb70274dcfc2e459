/** Lines of jobs in the order in which they were recorded, from a cursor on. */
import type { Cursor, JobLine, JobLinesRequest } from "./pure/engine.ts";
import type { JobId } from "./pure/job.ts";
import type { JobRow } from "./pure/job-row.ts";
import { hasAllLines } from "./pure/job-end.ts";
import type { QueueState } from "./pure/queue-state.ts";
import { type AttemptPlace, type ByteRange, readBatches, readLines } from "../journal/job-files.ts";
import { type EngineParts, waitForChanges } from "./engine-parts.ts";

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
