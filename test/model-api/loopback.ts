/**
 * A server on this machine that plays a model's API, in the process of the test.
 *
 * It listens on 127.0.0.1 only, remembers every request with its whole body, and plays the faults that are the same for
 * every API. How a request is read and an answer is written is the business of a `Dialect`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { unreachable } from "../../src/base/errors.ts";
import type { Answer, Fault, Script } from "./script.ts";

export interface StreamEvent {
  readonly event: string;
  readonly data: object;
}

/** One vendor's way to ask and to answer. */
export interface Dialect {
  /** The path that answers, without what follows a question mark. */
  readonly path: string;
  /** Everything that the model is told, in one text. */
  readonly words: (body: unknown) => string;
  readonly events: (answer: Answer, body: unknown) => readonly StreamEvent[];
  /** The answer in one piece, for those who do not want a stream; null where the API has only streams. */
  readonly whole: (answer: Answer, body: unknown) => object | null;
  readonly error: (status: number, error: Readonly<Record<string, unknown>>) => object;
}

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** What the model was told. */
  readonly words: string;
  /** The name of the turn that answered; null for a request that asks no model. */
  readonly answer: string | null;
}

export interface ModelApi {
  readonly url: string;
  readonly requests: readonly LoggedRequest[];
  readonly close: () => Promise<void>;
}

export async function serveModel(dialect: Dialect, script: Script): Promise<ModelApi> {
  const requests: LoggedRequest[] = [];
  const server = createServer((request, response) => {
    respond({ request, response }, { dialect, script, requests }).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Served {
  readonly dialect: Dialect;
  readonly script: Script;
  readonly requests: LoggedRequest[];
}

async function respond({ request, response }: Exchange, { dialect, script, requests }: Served): Promise<void> {
  const { method = "", url = "" } = request;
  const body = await bodyOf(request);
  const asksModel = method === "POST" && url.split("?")[0] === dialect.path;
  if (!asksModel) {
    requests.push({ method, path: url, body, words: "", answer: null });
    return sendJson(response, { status: 404, body: dialect.error(404, { message: `nothing at ${url}` }) });
  }
  const words = dialect.words(body);
  const answer = script(words);
  requests.push({ method, path: url, body, words, answer: answer.name });
  await delay(answer.delayMs);
  if (answer.fault !== null && isPlayed(response, answer.fault, dialect)) return;
  const whole = wantsStream(body) ? null : dialect.whole(answer, body);
  if (whole !== null) return sendWhole(response, whole, answer.fault);
  await sendEvents(response, dialect.events(answer, body), answer.fault);
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? null : JSON.parse(text);
}

function wantsStream(body: unknown): boolean {
  return typeof body === "object" && body !== null && "stream" in body && body.stream === true;
}

/** Plays a fault that takes the place of the answer; one in the middle of it is left to the stream. */
function isPlayed(response: ServerResponse, fault: Fault, { error }: Dialect): boolean {
  switch (fault.kind) {
    case "status":
      sendJson(response, { ...fault, body: error(fault.status, fault.error ?? {}) });
      return true;
    case "page":
      response.writeHead(200, { "content-type": fault.contentType }).end(fault.text);
      return true;
    case "drop":
      response.destroy();
      return true;
    case "hang":
      return true;
    case "stall":
    case "cut":
      return false;
    default:
      return unreachable(fault);
  }
}

interface Reply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function sendJson(response: ServerResponse, { status, body, headers = {} }: Reply): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** An answer in one piece can break off or stall as well. */
async function sendWhole(response: ServerResponse, body: object, fault: Fault | null): Promise<void> {
  if (fault === null) return sendJson(response, { status: 200, body });
  const text = JSON.stringify(body);
  response.writeHead(200, { "content-type": "application/json", "content-length": String(text.length) });
  response.write(text.slice(0, 20));
  if (fault.kind === "cut") await hangUp(response);
}

const CUT_AFTER_MS = 50;

/** What was written is to arrive before the connection goes. */
async function hangUp(response: ServerResponse): Promise<void> {
  await delay(CUT_AFTER_MS);
  response.destroy();
}

async function sendEvents(
  response: ServerResponse,
  events: readonly StreamEvent[],
  fault: Fault | null,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const broken = fault?.kind === "stall" || fault?.kind === "cut" ? fault : null;
  const sent = broken === null ? events : events.slice(0, broken.afterEvents);
  for (const { event, data } of sent) response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  if (broken === null) response.end();
  if (broken?.kind === "cut") await hangUp(response);
}
