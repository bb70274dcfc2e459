/** Lines of jobs in the order in which the server got them, from a cursor on. */
import { type ConsumerMessages, DeliverPolicy } from "@nats-io/jetstream";
import * as v from "valibot";
import type { Cursor, JobLine, JobLinesRequest } from "../queue/pure/engine.ts";
import { JobId } from "../queue/pure/job.ts";
import { hasAllLines } from "../queue/pure/job-end.ts";
import { Positive } from "../base/quantity.ts";
import { type EngineParts, waitForChanges } from "../queue/engine-parts.ts";
import { type LinesLink, nameLines } from "./nats-lines.ts";
import { callServer } from "./nats-link.ts";

type FollowLink = LinesLink & Pick<EngineParts, "log" | "changes">;

/** A member wrote it. */
const LinesBatch = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ job: JobId, attempt: Positive, lines: v.array(v.string()) }),
);

interface Place {
  readonly seq: number;
  readonly count: number;
}

interface Reading {
  readonly filter: string;
  readonly at: Place;
  readonly signal: AbortSignal;
  /** Whether it ends after the newest line of this moment. */
  readonly isBounded: boolean;
}

export async function* followNatsLines(
  link: FollowLink,
  { job, from, signal, untilOver }: JobLinesRequest,
): AsyncGenerator<JobLine, void> {
  const filter = job === null ? link.names.eventSubjects : await findSubjects(link, job, signal);
  let at = parseCursor(from);
  const watch = untilOver === true ? watchOver(link, job, signal) : null;
  try {
    for await (const line of readLines(link, { filter, at, signal: watch?.over ?? signal, isBounded: false })) {
      at = parseCursor(line.cursor);
      yield line;
    }
  } finally {
    watch?.close();
  }
  // Its last lines were there before its end was recorded.
  if (watch !== null) yield* readLines(link, { filter, at, signal, isBounded: true });
}

/** `over` is aborted when no line of the job can follow, or by the signal. */
function watchOver({ log, changes }: FollowLink, job: JobId | null, signal: AbortSignal) {
  const over = new AbortController();
  const look = (): void => {
    if (hasAllLines(log.known(), job)) over.abort();
  };
  const close = changes.listen(look);
  look();
  return { over: AbortSignal.any([over.signal, signal]), close };
}

async function* readLines(link: FollowLink, { filter, at, signal, isBounded }: Reading): AsyncGenerator<JobLine, void> {
  if (signal.aborted) return;
  const messages = await listen(link, { filter, from: at.seq, isBounded });
  if (messages === null) return;
  const stop = (): void => void messages.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const message of messages) {
      for (const line of parseBatch(message.string(), message.seq)) {
        if (message.seq === at.seq && parseCursor(line.cursor).count <= at.count) continue;
        if (signal.aborted) return;
        yield line;
      }
      if (isBounded && message.info.pending === 0) return;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    await messages.close();
  }
}

/** The lines of one message; none where it is no batch. */
export function parseBatch(batch: string, seq: number): readonly JobLine[] {
  const { success, output } = v.safeParse(LinesBatch, batch);
  if (!success) return [];
  const { job, attempt, lines } = output;
  return lines.map((text, index) => ({ job, attempt, cursor: `${seq}.${index + 1}`, text }));
}

/** Waits for a job that is not there yet. */
async function findSubjects({ log, changes, names }: FollowLink, job: JobId, signal: AbortSignal): Promise<string> {
  const wait = waitForChanges(changes, signal);
  try {
    for (; !signal.aborted; await wait.next()) {
      const row = log.known().jobs.get(job);
      if (row !== undefined) return `${nameLines(names.eventSubjects, row.store)}>`;
    }
    return names.eventSubjects;
  } finally {
    wait.close();
  }
}

interface Wish {
  readonly filter: string;
  readonly from: number;
  readonly isBounded: boolean;
}

/** Null where nothing is there and nothing is waited for. */
function listen(
  { client, names, connection }: FollowLink,
  { filter, from, isBounded }: Wish,
): Promise<ConsumerMessages | null> {
  const start = from === 0 ? {} : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from };
  return callServer({ connection }, async () => {
    const consumer = await client.consumers.get(names.events, { ...start, filter_subjects: filter });
    if (isBounded && (await consumer.info()).num_pending === 0) return null;
    return consumer.consume({ expires: 5000, idle_heartbeat: 1000 });
  });
}

export function parseCursor(cursor: Cursor): Place {
  const { seq = "0", count = "0" } = /^(?<seq>\d+)\.(?<count>\d+)$/.exec(cursor)?.groups ?? {};
  return { seq: Number(seq), count: Number(count) };
}
