/**
 * Lines of one attempt: a batch is one message on the attempt's own subject, and counts only behind the batch that its
 * writer knows as the last one. A successor seals the subjects of all attempts before it, so a late writer is refused.
 */
import { randomBytes } from "node:crypto";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { Fenced } from "../queue/pure/engine.ts";
import { isRecord } from "../base/quantity.ts";
import { parseJson } from "../system/parse-json.ts";
import type { AppendLines, LinesPlace } from "../queue/engine-ports.ts";
import { explainNats, isOutdated, isUncertain, type NatsLink } from "./nats-link.ts";

/** Below what a server takes as one message (1 MB). */
const BATCH_CHARS_MAX = 200_000;
const LINE_CHARS_MAX = 100_000;
const TRIES_MAX = 5;

export interface LinesLink extends NatsLink {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
}

interface Writing extends LinesLink {
  readonly place: LinesPlace;
  readonly subject: string;
  /** The number of the last batch on the server. */
  last: number;
}

/** The beginning of all subjects of a job; its attempts have numbers behind it. */
export function nameLines(subjects: string, store: string): string {
  return `${subjects.slice(0, -1)}${store.replaceAll(".", "/")}.`;
}

export function openNatsLines(opened: LinesLink, place: LinesPlace): AppendLines {
  const prefix = nameLines(opened.names.eventSubjects, place.store);
  const writing: Writing = { ...opened, place, subject: `${prefix}${place.attempt}`, last: 0 };
  let isSealed = false;
  return async (lines) => {
    if (!isSealed) await sealBefore(opened, prefix, place);
    isSealed = true;
    for (const batch of splitLines(lines)) if ((await publish(writing, batch)) === "fenced") return "fenced";
    return "recorded";
  };
}

async function sealBefore({ client, connection }: LinesLink, prefix: string, place: LinesPlace): Promise<void> {
  const { job, attempt } = place;
  const earlier = Array.from({ length: attempt - 1 }, (_, index) => index + 1);
  try {
    for (const number of earlier)
      await client.publish(`${prefix}${number}`, JSON.stringify({ job, attempt: number, lines: [] }));
  } catch (error) {
    throw explainNats(error, connection.getServer());
  }
}

function splitLines(lines: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (line.length > LINE_CHARS_MAX) continue; // The journal is attached as a whole when the job ends.
    if (chars + line.length > BATCH_CHARS_MAX) {
      batches.push([]);
      chars = 0;
    }
    chars += line.length;
    batches.at(-1)?.push(line);
  }
  return batches;
}

async function publish(writing: Writing, lines: readonly string[]): Promise<"recorded" | Fenced> {
  const { client, subject, place, connection, timeoutMs: timeout } = writing;
  const { job, attempt } = place;
  const id = randomBytes(8).toString("hex");
  const text = JSON.stringify({ job, attempt, id, lines });
  for (let tries = 1; ; tries += 1) {
    try {
      const expect = { lastSubjectSequence: writing.last };
      writing.last = (await client.publish(subject, text, { expect, timeout })).seq;
      return "recorded";
    } catch (error) {
      if (isOutdated(error)) return (await isLast(writing, id)) ? "recorded" : "fenced";
      if (!isUncertain(error) || tries === TRIES_MAX) throw explainNats(error, connection.getServer());
    }
  }
}

/** Null for a text that any other member wrote. */
export function parseBatchId(batch: string): string | null {
  const parsed = parseJson(batch);
  return isRecord(parsed) && typeof parsed["id"] === "string" ? parsed["id"] : null;
}

/** The answer to an earlier try may be lost. */
async function isLast(writing: Writing, id: string): Promise<boolean> {
  const { manager, names, subject, connection } = writing;
  try {
    const last = await manager.streams.getMessage(names.events, { last_by_subj: subject });
    if (last === null || parseBatchId(last.string()) !== id) return false;
    writing.last = last.seq;
    return true;
  } catch (error) {
    throw explainNats(error, connection.getServer());
  }
}
