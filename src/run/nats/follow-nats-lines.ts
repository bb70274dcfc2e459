/** Lines of jobs in the order in which the server got them, from a cursor on. */
import { type ConsumerMessages, DeliverPolicy } from "@nats-io/jetstream";
import * as v from "valibot";
import type { Cursor, JobLine, JobLinesRequest } from "../../contract/queue/engine.ts";
import { JobId } from "../../contract/queue/job.ts";
import { Positive } from "../../contract/values/quantity.ts";
import { type EngineParts, waitForChanges } from "../engine/engine-parts.ts";
import { type LinesLink, nameLines } from "./nats-lines.ts";
import { callServer } from "./nats-link.ts";

type FollowLink = LinesLink & Pick<EngineParts, "log" | "changes">;

/** A member wrote it. */
const LinesBatch = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ job: JobId, attempt: Positive, lines: v.array(v.string()) }),
);

export async function* followNatsLines(
  link: FollowLink,
  { job, from, signal }: JobLinesRequest,
): AsyncGenerator<JobLine, void> {
  const filter = job === null ? link.names.eventSubjects : await findSubjects(link, job, signal);
  if (signal.aborted) return;
  const at = parseCursor(from);
  const messages = await listen(link, filter, at.seq);
  const stop = (): void => void messages.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const message of messages) {
      const { success, output: batch } = v.safeParse(LinesBatch, message.string());
      if (!success) continue;
      for (const [index, text] of batch.lines.entries()) {
        if (message.seq === at.seq && index < at.count) continue;
        if (signal.aborted) return;
        yield { job: batch.job, attempt: batch.attempt, cursor: `${message.seq}.${index + 1}`, text };
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
    await messages.close();
  }
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

function listen({ client, names, connection }: FollowLink, filter: string, from: number): Promise<ConsumerMessages> {
  const start = from === 0 ? {} : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from };
  return callServer({ connection }, async () => {
    const consumer = await client.consumers.get(names.events, { ...start, filter_subjects: filter });
    return consumer.consume({ expires: 5000, idle_heartbeat: 1000 });
  });
}

function parseCursor(cursor: Cursor): { readonly seq: number; readonly count: number } {
  const { seq = "0", count = "0" } = /^(?<seq>\d+)\.(?<count>\d+)$/.exec(cursor)?.groups ?? {};
  return { seq: Number(seq), count: Number(count) };
}
