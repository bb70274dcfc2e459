/**
 * The one way out of a sandbox: a proxy on a socket in the file system.
 *
 * It passes on connections (CONNECT) to the allowed hosts and refuses all others with 403. Requests without encryption
 * are passed on only to an address that is configured so. If the person reaches the network through a proxy, so does
 * this one.
 */
import { connect, type Socket } from "node:net";
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Environment } from "../base/environment.ts";
import {
  type AllowedHost,
  type AskedHost,
  findAllowed,
  isLoopback,
  nameHost,
  parseAskedHost,
} from "./allowed-hosts.ts";

/* The proxy through which the person reaches the network, as the usual variables name it. */

interface UpstreamProxy {
  readonly host: string;
  readonly port: number;
  /** The value of `proxy-authorization`; null is none. */
  readonly authorization: string | null;
}

const VARIABLES = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
const REPLY_BYTES_MAX = 16 * 1024;
const HTTP_PORT = 80;

/** Null where the host is reached without one. A proxy of another kind than `http:` is not used. */
export function findUpstream(environment: Environment, { host }: AskedHost): UpstreamProxy | null {
  const text = VARIABLES.map((name) => environment[name] ?? "").find((value) => value !== "") ?? "";
  const address = text.includes("://") ? text : `http://${text}`;
  if (text === "" || !URL.canParse(address) || isExempt(host, environment)) return null;
  const { protocol, hostname, port, username, password } = new URL(address);
  if (protocol !== "http:") return null;
  const login = `${decode(username)}:${decode(password)}`;
  return {
    host: hostname,
    port: port === "" ? HTTP_PORT : Number(port),
    authorization: login === ":" ? null : `Basic ${Buffer.from(login).toString("base64")}`,
  };
}

/** A percent sign that begins no byte stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isExempt(host: string, environment: Environment): boolean {
  const list = environment["NO_PROXY"] ?? environment["no_proxy"] ?? "";
  return list
    .split(",")
    .map((entry) =>
      entry
        .trim()
        .toLowerCase()
        .replace(/^\*?\./u, ""),
    )
    .some((entry) => entry === "*" || (entry !== "" && (host === entry || host.endsWith(`.${entry}`))));
}

/** Connects to a host through the proxy; `begin` is called when it answers that the way is open. */
function openTunnel(
  { host, port, authorization }: UpstreamProxy,
  asked: AskedHost,
  begin: (remote: Socket) => void,
): Socket {
  const target = `${asked.host}:${asked.port}`;
  const login = authorization === null ? "" : `proxy-authorization: ${authorization}\r\n`;
  const remote = connect(port, host);
  let reply = "";
  const read = (chunk: Buffer): void => {
    reply += chunk.toString("latin1");
    const end = reply.indexOf("\r\n\r\n");
    if (end === -1 && reply.length < REPLY_BYTES_MAX) return;
    remote.off("data", read);
    if (!/^HTTP\/1\.[01] 200\b/u.test(reply)) return void remote.destroy(new Error("the proxy refused"));
    remote.pause();
    remote.unshift(Buffer.from(reply.slice(end + 4), "latin1"));
    begin(remote);
  };
  remote.on("data", read);
  remote.once("connect", () => remote.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${login}\r\n`));
  return remote;
}

/** Names beyond these are not kept: a program could ask for a new one each time. */
const REFUSED_MAX = 50;
const CONNECT_MS = 30_000;

export interface ConnectProxy {
  /** The hosts that were asked for in vain, in the order of the first time. */
  readonly refused: () => readonly string[];
  readonly close: () => Promise<void>;
}

export async function startConnectProxy(
  socketPath: string,
  allowed: readonly AllowedHost[] /** Of the person. */,
  environment: Environment,
): Promise<ConnectProxy> {
  const refused = new Set<string>();
  const open = new Set<Duplex>();
  const keep = (stream: Duplex): void => {
    open.add(stream);
    stream.on("error", () => stream.destroy());
    stream.once("close", () => open.delete(stream));
  };
  const refuse = (name: string): void => {
    if (refused.size < REFUSED_MAX) refused.add(name);
  };
  const server = createServer((asking, answer) => passOnPlain(asking, answer, { allowed, refuse }));
  server.on("connection", keep);
  server.on("connect", (asking: IncomingMessage, client: Duplex, head: Buffer) => {
    const asked = parseAskedHost(asking.url ?? "");
    if (asked === null || findAllowed(asked, allowed) === null) {
      refuse(asked === null ? "a host without a port" : nameHost(asked));
      return client.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    }
    return joinTunnel({ client, head, keep }, asked, isLoopback(asked) ? null : findUpstream(environment, asked));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  return {
    refused: () => [...refused],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const stream of open) stream.destroy();
        server.closeAllConnections();
      }),
  };
}

interface Client {
  readonly client: Duplex;
  readonly head: Buffer;
  readonly keep: (stream: Duplex) => void;
}

function joinTunnel({ client, head, keep }: Client, asked: AskedHost, upstream: UpstreamProxy | null): void {
  let isOpen = false;
  const begin = (remote: Socket): void => {
    isOpen = true;
    remote.setTimeout(0);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) remote.write(head);
    remote.pipe(client).pipe(remote);
    remote.once("close", () => client.destroy());
    client.once("close", () => remote.destroy());
  };
  const fail = (): void => {
    if (!isOpen && client.writable)
      client.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  };
  const remote = upstream === null ? connect(asked.port, asked.host) : openTunnel(upstream, asked, begin);
  keep(remote);
  remote.setTimeout(CONNECT_MS, () => remote.destroy());
  remote.once("error", fail);
  remote.once("close", fail);
  if (upstream === null) remote.once("connect", () => begin(remote));
}

/** Another protocol has no requests that could be passed on. */
function parsePlain(url: string): URL | null {
  const address = URL.canParse(url) ? new URL(url) : null;
  return address?.protocol === "http:" ? address : null;
}

/** A request with a whole address instead of a path, as programs send it to a proxy where nothing is encrypted. */
function passOnPlain(
  asking: IncomingMessage,
  answer: ServerResponse,
  { allowed, refuse }: { readonly allowed: readonly AllowedHost[]; readonly refuse: (name: string) => void },
): void {
  const { url = "", method, headers } = asking;
  const address = parsePlain(url);
  const asked = address === null ? null : parseAskedHost(`${address.hostname}:${address.port || "80"}`);
  const entry = asked === null ? null : findAllowed(asked, allowed);
  if (address === null || entry?.isPlain !== true) {
    refuse(asked === null ? "an address without a host" : nameHost(asked));
    answer.writeHead(403, { connection: "close" }).end();
    return;
  }
  const passed = requestHttp(address, { method, headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(answer);
  });
  passed.once("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
  asking.pipe(passed);
}
