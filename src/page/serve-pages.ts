/** `relais ui`: the page and its documents for the browser of this user. */
import * as v from "valibot";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import { describeError } from "../base/describe-error.ts";
import { type LoopbackAnswer, type LoopbackRequest, serveLoopback } from "../system/serve-loopback.ts";
import { readClockMs, repeatEvery } from "../system/clock.ts";
import { watchParent } from "../process/watch-parent.ts";
import type { StatusRequest } from "../history/status-request.ts";
import { START } from "../tick/pure/tick-state.ts";
import { findStart } from "../tick/pure/tick-facts.ts";
import { findTickRecord } from "../tick/pure/tick-records.ts";
import { isFolder } from "../system/is-folder.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { makeHarmless } from "./pure/harmless.ts";
import { type FeedHub, openHub } from "./feed-hub.ts";
import { makePageKeys, OPEN_PATH, type PageKeys } from "./page-keys.ts";
import { makeServedPage, makeServedPolicy } from "./served-page.ts";
import { ActionWish, performAction } from "./perform-action.ts";
import { JobWish, performOnQueue } from "./queue-feed.ts";
import { isDocumentName, readDocument } from "./read-documents.ts";

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
