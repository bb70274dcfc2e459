import * as v from "valibot";
import {
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from "@nats-io/jetstream";
import { type Cursor, type JobLine, type JobLinesRequest, QueueError } from "../queue/pure/engine.ts";
import { JobId, type Attachment } from "../queue/pure/job.ts";
import { hasAllLines } from "../queue/pure/job-end.ts";
import { Positive } from "../base/quantity.ts";
import { type EngineParts, waitForChanges } from "../queue/engine-parts.ts";
import { type LinesLink, nameLines, openNatsLines } from "./nats-lines.ts";
import { callServer, type NatsLink } from "./nats-link.ts";
import type { ObjectInfo, ObjectStore } from "@nats-io/obj";
import { createHash, randomBytes } from "node:crypto";
import type { JobStore, StoredPlace } from "../queue/engine-ports.ts";

/** Lines of jobs in the order in which the server got them, from a cursor on. */

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
  const messages = await listen(link, filter, at.seq, isBounded);
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

/** Null where nothing is there and nothing is waited for. */
function listen(
  { client, names, connection }: FollowLink,
  filter: string,
  from: number,
  isBounded: boolean,
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

/** Removes an object without the marker that the client would leave for each name for ever. */
export async function removeObject(
  manager: JetStreamManager,
  bucket: string,
  { name, nuid }: Pick<ObjectInfo, "name" | "nuid">,
): Promise<void> {
  const coded = Buffer.from(name).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
  for (const subject of [`M.${coded}`, `C.${nuid}`])
    await manager.streams.purge(`OBJ_${bucket}`, { filter: `$O.${bucket}.${subject}` });
}

/** Specifications and attachments as objects, and lines as messages in batches. */

interface StoreOptions extends NatsLink, Pick<EngineParts, "log" | "changes" | "readClockMs"> {
  readonly objects: ObjectStore;
}

type OpenedStore = StoreOptions & LinesLink;

export async function openNatsStore(options: StoreOptions): Promise<JobStore> {
  const { connection, objects, timeoutMs: timeout } = options;
  const manager = await callServer(options, () => jetstreamManager(connection, { timeout, checkAPI: false }));
  const opened: OpenedStore = { ...options, manager, client: jetstream(connection, { timeout }) };
  return {
    writeSpec: (store, text) =>
      callServer(options, async () => {
        await objects.putBlob({ name: nameSpec(store) }, Buffer.from(text), { timeout });
        return createHash("sha256").update(text).digest("hex");
      }),
    readSpec: async (store, sha256) => {
      const data = await callServer(options, () => readSmall(opened, nameSpec(store)));
      if (data !== null && createHash("sha256").update(data).digest("hex") === sha256)
        return Buffer.from(data).toString("utf8");
      throw new QueueError("damaged", `the specification ${store} is missing or altered: cancel the job`);
    },
    remove: (stores) => sweep(opened, new Set(stores), null),
    sweep: (dropped, known) => sweep(opened, new Set(dropped), known),
    openLines: (place) => openNatsLines(opened, place),
    follow: (request) => followNatsLines(opened, request),
    attach: (place, name, content) => attach(opened, { ...place, name }, content),
    readAttachment: (store, attachment) => readAttachment(opened, store, attachment),
  };
}

const nameSpec = (store: string): string => `${store}/spec`;

/** One message needs no consumer: the server keeps each for minutes, and a worker reads a specification for every job. */
async function readSmall({ objects, manager, names }: OpenedStore, name: string): Promise<Uint8Array | null> {
  const info = await objects.info(name);
  if (info?.chunks !== 1) return objects.getBlob(name);
  const place = { last_by_subj: `$O.${names.objects}.C.${info.nuid}` };
  return (await manager.streams.getMessage(`OBJ_${names.objects}`, place))?.data ?? null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What this identity may not remove stays until a worker does. */
async function sweep(
  opened: OpenedStore,
  dropped: ReadonlySet<string> /** What belongs to no job and is a day old goes, too; null to leave it. */,
  known: ReadonlySet<string> | null,
): Promise<void> {
  const { objects, manager, names } = opened;
  const isOld = (time: string): boolean => Date.parse(time) < opened.readClockMs() - DAY_MS;
  try {
    const kept = new Set<string>();
    for (const info of await objects.list()) {
      const [store = ""] = info.name.split("/");
      const isGone = dropped.has(store) || (known !== null && !known.has(store) && isOld(info.mtime));
      if (isGone) await removeObject(manager, names.objects, info);
      else kept.add(info.nuid);
    }
    for (const store of dropped)
      await manager.streams.purge(names.events, { filter: `${nameLines(names.eventSubjects, store)}>` });
    if (known !== null) await removeParts(opened, kept, isOld);
  } catch {
    // It is only room on the server's disk.
  }
}

/** A worker that is killed while it writes an attachment leaves parts without a name. */
async function removeParts(
  { manager, names }: OpenedStore,
  kept: ReadonlySet<string>,
  isOld: (time: string) => boolean,
): Promise<void> {
  const stream = `OBJ_${names.objects}`;
  const prefix = `$O.${names.objects}.C.`;
  const { state } = await manager.streams.info(stream, { subjects_filter: `${prefix}>` });
  for (const subject of Object.keys(state.subjects ?? {})) {
    if (kept.has(subject.slice(prefix.length))) continue;
    const last = await manager.streams.getMessage(stream, { last_by_subj: subject });
    if (last !== null && isOld(last.timestamp)) await manager.streams.purge(stream, { filter: subject });
  }
}

/** Under a name that nobody else has first; its final name says what it holds. */
async function attach(
  { objects, connection, timeoutMs: timeout }: OpenedStore,
  { store, attempt, name }: StoredPlace & { readonly name: string },
  content: AsyncIterable<Uint8Array>,
): Promise<Pick<Attachment, "sha256" | "bytes">> {
  const digest = createHash("sha256");
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const part of content) {
      digest.update(part);
      bytes += part.length;
      yield part;
    }
  };
  return callServer({ connection }, async () => {
    const own = `${store}/${attempt}/new-${randomBytes(8).toString("hex")}`;
    const info = await objects.put({ name: own }, toStream(counted()), { timeout });
    const sha256 = digest.digest("hex");
    await objects.link(nameAttachment(store, { name, attempt, sha256, bytes }), info);
    return { sha256, bytes };
  });
}

/** The client waits for each part, so that no large content is in memory as a whole. */
function toStream(content: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await content.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

function nameAttachment(store: string, { name, attempt, sha256 }: Attachment): string {
  return `${store}/${attempt}/${name}-${sha256.slice(0, 16)}`;
}

async function* readAttachment(
  { objects, connection }: OpenedStore,
  store: string,
  attachment: Attachment,
): AsyncGenerator<Uint8Array, void> {
  const name = nameAttachment(store, attachment);
  const found = await callServer({ connection }, () => objects.get(name));
  if (found === null) throw new QueueError("damaged", `the attachment ${name} is gone`);
  const digest = createHash("sha256");
  const reader = found.data.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    digest.update(value);
    yield value;
  }
  if (digest.digest("hex") !== attachment.sha256) throw new QueueError("damaged", `the attachment ${name} was altered`);
}

/** Takes from several sources whichever has something; ends when all have ended. */
export async function* mergeStreams<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T, void> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const pull = async (at: number): Promise<{ readonly at: number; readonly result: IteratorResult<T, unknown> }> => ({
    at,
    result: await (iterators[at]?.next() ?? { done: true, value: null }),
  });
  const pending = new Map(iterators.map((_, at) => [at, pull(at)]));
  try {
    while (pending.size > 0) {
      const { at, result } = await Promise.race(pending.values());
      if (result.done === true) pending.delete(at);
      else {
        pending.set(at, pull(at));
        yield result.value;
      }
    }
  } finally {
    for (const one of pending.values()) one.catch(() => null); // They end with their signal.
  }
}
