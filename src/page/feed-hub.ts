/** All repositories of this user, followed, for every page that is open. */
import { basename } from "node:path";
import { repeatEvery } from "../system/clock.ts";
import { listJournaledRepositories } from "../journal/remembered-repository.ts";
import type { StatusRequest } from "../history/status-request.ts";
import { makeHarmless } from "./pure/harmless.ts";
import type { StreamLine } from "./pure/repository-documents.ts";
import { openQueueFeed, type QueueFeed } from "./queue-feed.ts";
import { openFeed, type RepositoryFeed } from "./repository-feed.ts";

interface HubRequest extends Omit<StatusRequest, "cwd" | "withPreflight"> {
  readonly version: string;
  readonly isReadOnly: boolean;
}

export interface FeedHub {
  readonly find: (id: string) => RepositoryFeed | null;
  /** Sends everything that is known, then what happens; answers with what ends that. */
  readonly read: (write: (line: StreamLine) => boolean) => () => void;
}

const SCAN_MS = 1000;
const BEAT_MS = 10_000;
/** More are not followed: the ones that were written last count. */
const REPOSITORIES_MAX = 60;
const ROWS_PER_LINE = 500;

export async function openHub(request: HubRequest): Promise<FeedHub> {
  const feeds = new Map<string, RepositoryFeed>();
  const readers = new Set<(line: StreamLine) => boolean>();
  const emit = (line: StreamLine): void => {
    for (const reader of readers) for (const part of splitRows(line)) reader(part);
  };
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work, work);
    turn = done.catch(() => {});
    return done;
  };
  /** The repository that was written last comes first. */
  let shown: readonly string[] = [];
  const makeHello = (): StreamLine => ({
    kind: "hello",
    version: request.version,
    isReadOnly: request.isReadOnly,
    repositories: shown.flatMap((name) => feeds.get(name)?.name ?? []),
  });
  const scan = async (): Promise<void> => {
    const found = await listJournaledRepositories(request.environment);
    const fresh = found.filter(({ name }) => !feeds.has(name)).slice(0, REPOSITORIES_MAX - feeds.size);
    // A long journal does not keep the others waiting.
    for (const { name, root, journal } of fresh.toSorted((one, other) => one.journal.bytes - other.journal.bytes)) {
      const named = { id: name, name: makeHarmless(basename(root)), root: makeHarmless(root) };
      const place = { cwd: root, journal: journal.path, name: named };
      feeds.set(name, openFeed({ ...request, ...place, withPreflight: false, emit, inTurn }));
    }
    if (fresh.length > 0) shown = found.map(({ name }) => name);
    if (fresh.length > 0) emit(makeHello());
  };
  const queue = openQueueFeed({ ...request, onPage: (page) => emit({ kind: "queue", page }) });
  await scan();
  const stops = [
    repeatEvery(SCAN_MS, () => void scan().catch(() => {})),
    repeatEvery(BEAT_MS, () => emit({ kind: "beat" })),
  ];
  request.signal.addEventListener("abort", () => stops.forEach((stop) => stop()), { once: true });
  return {
    find: (id) => feeds.get(id) ?? null,
    read: (write) => startReader({ feeds, queue, readers, makeHello }, write),
  };
}

interface Hub {
  readonly feeds: ReadonlyMap<string, RepositoryFeed>;
  readonly queue: QueueFeed;
  readonly readers: Set<(line: StreamLine) => boolean>;
  readonly makeHello: () => StreamLine;
}

const READY_LOOK_MS = 50;

function startReader({ feeds, queue, readers, makeHello }: Hub, write: (line: StreamLine) => boolean): () => void {
  write(makeHello());
  const page = queue.page();
  if (page !== null) write({ kind: "queue", page });
  for (const feed of feeds.values())
    for (const line of listKnown(feed)) for (const part of splitRows(line)) write(part);
  readers.add(write);
  const stop = repeatEvery(READY_LOOK_MS, () => {
    if (![...feeds.values()].every((feed) => feed.isRead)) return;
    stop();
    write({ kind: "ready" });
  });
  return () => {
    stop();
    readers.delete(write);
  };
}

function listKnown(feed: RepositoryFeed): readonly StreamLine[] {
  const { page } = feed;
  const rows = feed.rows();
  return [
    ...(page === null ? [] : [{ kind: "now", repository: feed.name.id, page } as const]),
    ...(rows.length === 0 ? [] : [{ kind: "ticks", repository: feed.name.id, rows } as const]),
  ];
}

/** The newest rows first, so that they are shown before the others have arrived. */
function splitRows(line: StreamLine): readonly StreamLine[] {
  if (line.kind !== "ticks") return [line];
  const rows = line.rows.toReversed();
  const parts = Math.ceil(rows.length / ROWS_PER_LINE);
  return Array.from({ length: parts }, (_, index) => {
    const at = index * ROWS_PER_LINE;
    return { ...line, rows: rows.slice(at, at + ROWS_PER_LINE) };
  });
}
