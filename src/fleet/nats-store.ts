/** Specifications and attachments as objects, and lines as messages in batches. */
import { createHash, randomBytes } from "node:crypto";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { ObjectStore } from "@nats-io/obj";
import type { Attachment } from "../queue/pure/job.ts";
import { QueueError } from "../queue/pure/queue-error.ts";
import type { EngineParts } from "../queue/engine-parts.ts";
import type { JobStore, StoredPlace } from "../queue/engine-ports.ts";
import { callServer, type NatsLink } from "./nats-link.ts";
import { followNatsLines } from "./follow-nats-lines.ts";
import { type LinesLink, nameLines, openNatsLines } from "./nats-lines.ts";
import { removeObject } from "./remove-object.ts";

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
    remove: (stores) => sweep(opened, { dropped: new Set(stores), known: null }),
    sweep: (dropped, known) => sweep(opened, { dropped: new Set(dropped), known }),
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

interface Sweep {
  readonly dropped: ReadonlySet<string>;
  /** What belongs to no job and is a day old goes, too; null to leave it. */
  readonly known: ReadonlySet<string> | null;
}

/** What this identity may not remove stays until a worker does. */
async function sweep(opened: OpenedStore, { dropped, known }: Sweep): Promise<void> {
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
