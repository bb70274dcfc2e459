/** The proxy through which the person reaches the network, as the usual variables name it. */
import { type Socket, connect } from "node:net";
import type { Environment } from "../base/environment.ts";
import type { AskedHost } from "./allowed-hosts.ts";

export interface UpstreamProxy {
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
export function openTunnel(
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
