import * as v from "valibot";
import { basename } from "node:path";
import { repeatEvery, readClockMs } from "../system/clock.ts";
import { listJournaledRepositories } from "../journal/remembered-repository.ts";
import type { StatusRequest } from "../history/status-preflight.ts";
import { makeHarmless } from "./pure/harmless.ts";
import type { StreamLine, PageAction } from "./pure/repository-documents.ts";
import { openQueueFeed, type QueueFeed, JobWish, performOnQueue } from "./queue-feed.ts";
import { openFeed, type RepositoryFeed } from "./repository-feed.ts";
import { randomBytes } from "node:crypto";
import { RunId } from "../base/identifier.ts";
import { answerLast } from "../decide/answer-last.ts";
import { bringBack } from "../decide/bring-back.ts";
import { acceptRun, rejectRun } from "../decide/decide-asked.ts";
import { requestPause, withdrawPause } from "../workspace/pause-runner.ts";
import { stopRunner } from "../workspace/stop-runner.ts";
import { rejectHeld } from "../decide/reject-held.ts";
import { refuseToAgent } from "../workspace/own-environment.ts";
import { undoLast } from "../decide/undo-last.ts";
import type { WorkspaceRequest, WorkspaceSnapshot } from "../workspace/workspace.ts";
import { renderAccepted, renderAnswered, renderApplied, renderUndone } from "../cards/decision-text.ts";
import { renderAskedDecision, renderPaused, renderResumed, renderStopped } from "../cards/runner-text.ts";
import { conclude, explainRefusal, type PerformedAction } from "./conclude-action.ts";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import { describeError } from "../base/errors.ts";
import { type LoopbackAnswer, type LoopbackRequest, serveLoopback } from "../system/serve-loopback.ts";
import { watchParent } from "../process/watch-parent.ts";
import { START } from "../tick/pure/tick-state.ts";
import { findStart } from "../tick/pure/tick-facts.ts";
import { findTickRecord } from "../tick/pure/tick-records.ts";
import { isFolder } from "../system/read-files.ts";
import { makeServedPage, makeServedPolicy } from "./served-page.ts";
import { isDocumentName, readDocument } from "./read-documents.ts";
import { openBrowser } from "../process/programs-of-the-person.ts";

/** All repositories of this user, followed, for every page that is open. */

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

/**
 * The secrets of one server. The token is printed for the person. The browser is started with a key in its place,
 * because every user of this machine may see how a program was started: the page changes it for the token, once.
 */

export const OPEN_PATH = "/api/open";
const SECRET_BYTES = 32;
/** A browser that is not running yet takes a while. */
const KEY_MS = 120_000;

export interface PageKeys {
  readonly token: string;
  readonly key: string;
  /** What a request to this path must carry; null where nothing counts any more. */
  readonly secretOf: (path: string) => string | null;
  /** The token, for the first who asks with the key. */
  readonly takeToken: () => string | null;
}

export function makePageKeys(): PageKeys {
  const [token, key] = [makeSecret(), makeSecret()];
  const untilMs = readClockMs() + KEY_MS;
  let isTaken = false;
  const isKeyGood = (): boolean => !isTaken && readClockMs() < untilMs;
  return {
    token,
    key,
    secretOf: (path) => (path === OPEN_PATH ? (isKeyGood() ? key : null) : token),
    takeToken: () => {
      if (!isKeyGood()) return null;
      isTaken = true;
      return token;
    },
  };
}

const makeSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/** A decision from the page: the same function as the command, and the same words as an answer. */

const TEXT_CHARS = 4000;

/** What the page sends; it names the tick that the person saw. */
export const ActionWish = v.strictObject({
  repository: v.string(),
  action: v.picklist([
    "answer",
    "drop",
    "accept",
    "reject",
    "undo",
    "apply",
    "pause",
    "resume",
    "stop",
  ] as const satisfies readonly PageAction[]),
  run: RunId,
  text: v.nullable(v.pipe(v.string(), v.maxLength(TEXT_CHARS))),
});
export type ActionWish = v.InferOutput<typeof ActionWish>;

type Perform = (request: WorkspaceRequest, wish: ActionWish) => Promise<PerformedAction>;

const PERFORM: Readonly<Record<PageAction, Perform>> = {
  answer: async (request, { run, text }) => {
    if ((text ?? "").trim() === "")
      return explainRefusal({ kind: "misused", message: "an answer is needed", problems: [] });
    return conclude(await answerLast(request, { words: text, seen: run }), "answered", renderAnswered);
  },
  drop: async (request, { run }) =>
    conclude(await answerLast(request, { words: null, seen: run }), "answered", renderAnswered),
  accept: async (request, { run }) => {
    const answer = await acceptRun(request, run);
    if (answer.kind === "decided") return conclude(answer, "decided", renderAskedDecision);
    return conclude(answer, "committed", renderAccepted);
  },
  reject: async (request, { run, text }) => {
    const reason = (text ?? "").trim() === "" ? null : text;
    const refusal = refuseToAgent(`relais reject ${run}`, request);
    if (refusal !== null) return explainRefusal(refusal);
    const held = await rejectHeld(request, { run, reason });
    if (held !== null) return conclude(held, "decided", renderAskedDecision);
    return conclude(await rejectRun(request, { run, reason }), "decided", renderAskedDecision);
  },
  undo: async (request, { run }) => conclude(await undoLast(request, run), "undone", renderUndone),
  apply: async (request, { run }) => conclude(await bringBack({ ...request, runId: run }), "applied", renderApplied),
  pause: async (request, { run }) => conclude(await requestPause(request, run), "pausing", renderPaused),
  resume: async (request, { run }) => conclude(await withdrawPause(request, run), "resumed", renderResumed),
  stop: async (request, { run }) => conclude(await stopRunner(request, run), "stopped", renderStopped),
};

export function performAction(request: WorkspaceRequest, wish: ActionWish): Promise<PerformedAction> {
  return PERFORM[wish.action](request, wish);
}

/** `relais ui`: the page and its documents for the browser of this user. */

export interface ServeRequest extends StatusRequest {
  /** 0 is any free one. */
  readonly port: number;
  readonly isReadOnly: boolean;
  /** How long it stays without any page; 0 is for ever. */
  readonly idleSeconds: number;
  readonly version: string;
  /** Called once it can be opened. */
  readonly onOpen: (link: PageLink) => void;
}

export interface PageLink {
  /** With the token, for the person. */
  readonly url: string;
  /** For the program that opens the browser: it can be used once. */
  readonly onceUrl: string;
  readonly port: number;
}

export interface ServedPages {
  readonly kind: "served";
  readonly end: "signal" | "idle" | "parent";
}

const LOOK_MS = 200;
const SECOND_MS = 1000;

/** Serves until the signal fires, nobody looks any more, or the process that started it is gone. */
export async function servePages(request: ServeRequest): Promise<ServedPages | CommandFailure> {
  const over = new AbortController();
  const signal = AbortSignal.any([request.signal, over.signal]);
  const keys = makePageKeys();
  const hub = await openHub({ ...request, signal });
  const answer = (asked: LoopbackRequest) => answerRequest(asked, { hub, keys, request: { ...request, signal } });
  const server = await serveLoopback({ ...keys, port: request.port, policy: makeServedPolicy(), answer }).catch(
    (error: unknown) => refusePort(request.port, error),
  );
  if ("kind" in server) {
    over.abort();
    return server;
  }
  const address = `http://127.0.0.1:${server.port}/`;
  request.onOpen({ url: `${address}#token=${keys.token}`, onceUrl: `${address}#open=${keys.key}`, port: server.port });
  const end = await waitForEnd(server.readers, request);
  over.abort();
  await server.close();
  return { kind: "served", end };
}

function refusePort(port: number, error: unknown): CommandFailure {
  const message = `The port ${port} cannot be used: ${describeError(error)}.`;
  return refuse({ cause: "port_in_use", message, next: "Choose another one with --port, or leave it out." });
}

function waitForEnd(readers: () => number, { signal, idleSeconds }: ServeRequest): Promise<ServedPages["end"]> {
  return new Promise((resolve) => {
    let seenMs = readClockMs();
    const leave = (end: ServedPages["end"]): void => {
      stops.forEach((stop) => stop());
      resolve(end);
    };
    const look = (): void => {
      if (readers() > 0) seenMs = readClockMs();
      else if (idleSeconds > 0 && readClockMs() - seenMs > idleSeconds * SECOND_MS) leave("idle");
    };
    const stops = [repeatEvery(LOOK_MS, look), watchParent(() => leave("parent"))];
    if (signal.aborted) leave("signal");
    signal.addEventListener("abort", () => leave("signal"), { once: true });
  });
}

interface ServedPlace {
  readonly hub: FeedHub;
  readonly keys: PageKeys;
  readonly request: ServeRequest;
}

const ACTS: readonly string[] = ["/api/act", "/api/job"];
const JSON_TYPE = "application/json; charset=utf-8";

function makeAnswer(status: number, document: unknown): LoopbackAnswer {
  return { kind: "text", status, type: JSON_TYPE, text: `${JSON.stringify(document)}\n` };
}

async function answerRequest(asked: LoopbackRequest, place: ServedPlace): Promise<LoopbackAnswer> {
  const { method, path } = asked;
  if (method === "POST" && path === OPEN_PATH) return makeTokenAnswer(place.keys.takeToken());
  if (method === "POST") return ACTS.includes(path) ? act(asked, place) : makeAnswer(404, { message: "not found" });
  if (path === "/") return { kind: "text", status: 200, type: "text/html; charset=utf-8", text: makeServedPage() };
  if (path === "/api/stream") return { kind: "lines", start: place.hub.read };
  const name = path.replace(/^\/api\//u, "");
  return isDocumentName(name) ? answerDocument(name, asked, place) : makeAnswer(404, { message: "not found" });
}

function makeTokenAnswer(token: string | null): LoopbackAnswer {
  return token === null ? makeAnswer(401, { message: "this link was used already" }) : makeAnswer(200, { token });
}

async function answerDocument(
  name: Parameters<typeof readDocument>[0],
  { query, signal }: LoopbackRequest,
  { hub }: ServedPlace,
): Promise<LoopbackAnswer> {
  const around = hub.find(query.get("repository") ?? "")?.state?.around() ?? null;
  if (around === null) return makeAnswer(404, { message: "This repository is not known." });
  const document = await readDocument(name, { around, id: query.get("id") ?? "", signal });
  if (document === null) return makeAnswer(404, { message: "There is no such tick or series." });
  const isFailure = document.kind === "blocked" || document.kind === "refused";
  return makeAnswer(isFailure ? 409 : 200, document);
}

const UNREADABLE = makeAnswer(400, { isDone: false, text: "This decision cannot be read." });

async function act({ path, body }: LoopbackRequest, { hub, request }: ServedPlace): Promise<LoopbackAnswer> {
  if (request.isReadOnly) return makeAnswer(403, { isDone: false, text: "This page only reads (--read-only)." });
  if (path === "/api/job") return actOnJob(body, request);
  const wish = v.safeParse(ActionWish, parseBody(body));
  const feed = wish.success ? hub.find(wish.output.repository) : null;
  const around = feed?.state?.around() ?? null;
  if (!wish.success || feed === null || around === null) return UNREADABLE;
  const { environment, signal } = request;
  const cwd = findWorktree(around, wish.output.run);
  const done = await performAction({ cwd, environment, signal }, wish.output);
  await feed.refresh().catch(() => {});
  return makeAnswer(200, makeHarmless(done));
}

/** A decision belongs to the worktree of its tick. */
function findWorktree({ lines, repository }: WorkspaceSnapshot, run: string): string {
  const worktree = findStart(findTickRecord(lines, run)?.state ?? START)?.worktree ?? repository.root;
  return isFolder(worktree) ? worktree : repository.root;
}

async function actOnJob(body: string, { environment }: ServeRequest): Promise<LoopbackAnswer> {
  const wish = v.safeParse(JobWish, parseBody(body));
  if (!wish.success) return UNREADABLE;
  return makeAnswer(200, makeHarmless(await performOnQueue(environment, wish.output)));
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Opens the page in the person's browser, where there is one; the printed link is there in any case. */
export async function openPage(request: Parameters<typeof openBrowser>[0]): Promise<boolean> {
  return openBrowser(request).catch(() => false);
}
