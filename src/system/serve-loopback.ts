import { readFileSync } from "node:fs";
import { createHash, timingSafeEqual } from "node:crypto";
import { type IncomingMessage, createServer, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The user at the other end of a connection on this machine, where Linux tells. */

const TABLE = "/proc/net/tcp";
const LOOPBACK = "0100007F";

export interface LoopbackConnection {
  readonly localPort: number;
  readonly remotePort: number;
}

export type PeerOwner =
  | { readonly kind: "user"; readonly uid: number }
  /** It has closed its end, and the kernel has forgotten who it was. */
  | { readonly kind: "gone" }
  | { readonly kind: "unknown" };

export function findPeerOwner(connection: LoopbackConnection): PeerOwner {
  try {
    return findOwnerInTable(readFileSync(TABLE, "latin1"), connection);
  } catch {
    return { kind: "unknown" };
  }
}

/** The peer's own socket is in the table of this machine too, with both ends exchanged. */
export function findOwnerInTable(table: string, { localPort, remotePort }: LoopbackConnection): PeerOwner {
  const [here, there] = [formatEnd(localPort), formatEnd(remotePort)];
  let isListed = false;
  for (const line of table.split("\n").slice(1)) {
    const [, local, remote, , , , , owner, , inode] = line.trim().split(/\s+/u);
    isListed ||= local === here && remote === there;
    // A socket that its process has closed belongs to root in this table, and has no inode.
    if (local === there && remote === here && owner !== undefined && inode !== undefined && inode !== "0")
      return { kind: "user", uid: Number(owner) };
  }
  return { kind: isListed ? "gone" : "unknown" };
}

function formatEnd(port: number): string {
  return `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Who may talk to a server on this machine.
 *
 * Every page that the person has open can send requests here, and a name of a foreign site can be made to point here
 * (rebinding). So the host, the origin and the browser's own note about the sender are checked before anything else, and
 * everything but the empty page needs a token that no other site and no other user knows.
 */

export interface GuardedServer {
  readonly port: number;
  /** What a request to this path must carry; null refuses all. */
  readonly secretOf: (path: string) => string | null;
}

export interface RequestRefusal {
  readonly status: number;
  readonly message: string;
}

type GuardedRequest = Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders">;

/** An address in a request has none; any will do. */
const ORIGIN = "http://localhost";
const METHODS = ["GET", "POST"];
/** What a browser says of a request by this page, or by the person. */
const OWN_SITES = ["same-origin", "none"];

/** Null where the request may be answered. */
export function findRequestRefusal(request: GuardedRequest, server: GuardedServer): RequestRefusal | null {
  const { method = "", url = "" } = request;
  if (!METHODS.includes(method)) return { status: 405, message: "only GET and POST" };
  const address = parseOwnAddress(url);
  if (address === null) return { status: 400, message: "not an address of this server" };
  const isOpen = !address.pathname.startsWith("/api/");
  return findForeignSender(request, server) ?? (isOpen ? null : findTokenRefusal(request, address, server));
}

/**
 * Null where the text means another path than it says: `/./api/` is `/api/`, and so is `//host/api/`. What decides who may
 * ask and what decides on the answer would disagree about it.
 */
function parseOwnAddress(url: string): URL | null {
  if (!url.startsWith("/") || !URL.canParse(url, ORIGIN)) return null;
  const address = new URL(url, ORIGIN);
  return address.origin === ORIGIN && address.pathname === url.replace(/[?#].*$/su, "") ? address : null;
}

function findForeignSender({ headers, rawHeaders }: GuardedRequest, { port }: GuardedServer): RequestRefusal | null {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const named = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  if (named !== 1 || !hosts.includes(headers.host ?? "")) return { status: 421, message: "this is another host" };
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`))
    return { status: 403, message: "another site may not ask" };
  const site = headers["sec-fetch-site"];
  if (site !== undefined && !OWN_SITES.includes(site)) return { status: 403, message: "another site may not ask" };
  return null;
}

/** A token in the address would be kept in histories and logs, so it does not count there. */
function findTokenRefusal(
  { headers }: GuardedRequest,
  { pathname, searchParams }: URL,
  { secretOf }: GuardedServer,
): RequestRefusal | null {
  if (searchParams.has("token")) return { status: 401, message: "the token does not belong in the address" };
  const given = /^Bearer (?<token>[\w-]+)$/u.exec(headers.authorization ?? "")?.groups?.["token"] ?? "";
  const wanted = secretOf(pathname);
  return wanted !== null && isSameText(given, wanted)
    ? null
    : { status: 401, message: "the token is missing or wrong" };
}

/** In the same time for every text, whatever its length. */
function isSameText(given: string, wanted: string): boolean {
  return timingSafeEqual(hashText(given), hashText(wanted));
}

const hashText = (text: string): Buffer => createHash("sha256").update(text).digest();

/** A server for this machine's own user: it listens on 127.0.0.1 only, and every request passes the guard. */

export interface LoopbackRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query: URLSearchParams;
  /** Empty where there is none. */
  readonly body: string;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export type LoopbackAnswer =
  | { readonly kind: "text"; readonly status: number; readonly type: string; readonly text: string }
  /** Lines until the reader is gone; `write` is false where the reader is too slow, and was given up. */
  | { readonly kind: "lines"; readonly start: (write: (line: object) => boolean) => () => void };

interface LoopbackOptions {
  /** 0 is any free one. */
  readonly port: number;
  readonly secretOf: GuardedServer["secretOf"];
  readonly policy: string;
  readonly answer: (request: LoopbackRequest) => Promise<LoopbackAnswer>;
}

export interface LoopbackServer {
  readonly port: number;
  /** How many read lines now. */
  readonly readers: () => number;
  readonly close: () => Promise<void>;
}

const CONNECTIONS_MAX = 64;
const BODY_BYTES_MAX = 64 * 1024;
const WAITING_BYTES_MAX = 32 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const LOOK_MS = 1000;

export async function serveLoopback(options: LoopbackOptions): Promise<LoopbackServer> {
  const readers = new Set<ServerResponse>();
  const server = createServer({
    headersTimeout: TIMEOUT_MS,
    requestTimeout: TIMEOUT_MS,
    connectionsCheckingInterval: LOOK_MS,
  });
  server.maxConnections = CONNECTIONS_MAX;
  await listen(server, options.port);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  server.on("request", (request, response) => {
    handle({ request, response, guarded: { port, secretOf: options.secretOf }, options, readers }).catch(() =>
      response.destroy(),
    );
  });
  return {
    port,
    readers: () => readers.size,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => resolve());
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly guarded: GuardedServer;
  readonly options: LoopbackOptions;
  readonly readers: Set<ServerResponse>;
}

async function handle(exchange: Exchange): Promise<void> {
  const { request, response, guarded, options } = exchange;
  setHeaders(response, options.policy);
  const refusal = findRequestRefusal(request, guarded);
  if (refusal !== null) return refuse(exchange, refusal);
  if (!isOwnUser(request.socket)) return refuse(exchange, { status: 403, message: "another user may not ask" });
  const isPost = request.method === "POST";
  if (isPost && !isJson(request)) return refuse(exchange, { status: 415, message: "only application/json" });
  const body = isPost ? await readBody(request) : "";
  if (body === null) return refuse(exchange, { status: 413, message: "too much" });
  // The guard let it pass, so the path is the one that it looked at.
  const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://localhost");
  const over = new AbortController();
  response.once("close", () => over.abort());
  const answer = await options.answer({ method: isPost ? "POST" : "GET", path, query, body, signal: over.signal });
  if (answer.kind === "lines") return sendLines(exchange, answer.start);
  response.writeHead(answer.status, { "Content-Type": answer.type });
  response.end(answer.text);
}

function setHeaders(response: ServerResponse, policy: string): void {
  const headers = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": policy,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** The rest of a refused request is thrown away. */
function refuse(
  { request, response }: Exchange,
  { status, message }: { readonly status: number; readonly message: string },
): void {
  request.resume();
  response.writeHead(status, { "Content-Type": "application/json", Connection: "close" });
  response.end(`${JSON.stringify({ message })}\n`);
}

/** Root may look at everything anyway. Where the other end is unknown, the token decides alone. */
function isOwnUser({ localPort, remotePort }: Socket): boolean {
  if (localPort === undefined || remotePort === undefined) return false;
  const owner = findPeerOwner({ localPort, remotePort });
  return owner.kind === "unknown" || (owner.kind === "user" && [0, process.getuid?.()].includes(owner.uid));
}

const isJson = ({ headers }: IncomingMessage): boolean =>
  (headers["content-type"] ?? "").split(";")[0]?.trim() === "application/json";

/** Null where it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  // Without its answer a sender would wait, so the connection outlives a body that is too long.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    const data = Buffer.from(part);
    bytes += data.length;
    if (bytes > BODY_BYTES_MAX) return null;
    parts.push(data);
  }
  return Buffer.concat(parts).toString("utf8");
}

function sendLines({ response, readers }: Exchange, start: Extract<LoopbackAnswer, { kind: "lines" }>["start"]): void {
  response.writeHead(200, { "Content-Type": "application/x-ndjson" });
  response.flushHeaders();
  readers.add(response);
  const stop = start((line) => {
    if (response.writableLength > WAITING_BYTES_MAX) response.destroy();
    return !response.destroyed && (response.write(`${JSON.stringify(line)}\n`), true);
  });
  response.once("close", () => {
    readers.delete(response);
    stop();
  });
}
