/**
 * Which hosts a session may reach.
 *
 * A host is allowed by the name that the program asks for, never by the address behind it. An entry is a name, a name
 * with a port, `*.` and a name for everything below it, or an address (`http://127.0.0.1:8080/v1`). Only an address with
 * `http:` allows requests without encryption.
 */
import { isIPv4 } from "node:net";

export interface AllowedHost {
  /** In lower case; `*.` at its beginning stands for any name below. */
  readonly host: string;
  readonly port: number;
  readonly isPlain: boolean;
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
/** The socket of a greater one cannot be asked for, and the attempt is an error at once. */
const PORT_MAX = 65_535;
const ENTRY = /^(?<host>\[[0-9a-f:]+\]|[^\s:/[\]]+)(?::(?<port>\d{1,5}))?$/iu;

/** Null where the text names no host. */
export function parseAllowedHost(text: string): AllowedHost | null {
  if (text.includes("://")) return parseAddress(text);
  const groups = ENTRY.exec(text)?.groups;
  const port = Number(groups?.["port"] ?? HTTPS_PORT);
  return chooseHost({ host: foldHost(groups?.["host"] ?? ""), port, isPlain: false });
}

/** Null for one that nobody can ask for. */
function chooseHost<T extends AskedHost>(named: T): T | null {
  return named.host !== "" && named.port > 0 && named.port <= PORT_MAX ? named : null;
}

function parseAddress(text: string): AllowedHost | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port } = new URL(text);
  const isPlain = protocol === "http:";
  if (!isPlain && protocol !== "https:") return null;
  const usual = isPlain ? HTTP_PORT : HTTPS_PORT;
  return chooseHost({ host: foldHost(hostname), port: port === "" ? usual : Number(port), isPlain });
}

/** Without the brackets of an IPv6 address and the dot that may end a name. */
function foldHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(?<inner>.*)\]$/u, "$<inner>")
    .replace(/\.$/u, "");
}

export interface AskedHost {
  readonly host: string;
  readonly port: number;
}

/** What a program asks for: `host:port`. Null where it is no such thing. */
export function parseAskedHost(text: string): AskedHost | null {
  const groups = ENTRY.exec(text)?.groups;
  // Without a port it is no number, and greater than nothing.
  return chooseHost({ host: foldHost(groups?.["host"] ?? ""), port: Number(groups?.["port"]) });
}

export function findAllowed(asked: AskedHost, allowed: readonly AllowedHost[]): AllowedHost | null {
  return allowed.find((entry) => entry.port === asked.port && isNamed(asked.host, entry.host)) ?? null;
}

function isNamed(host: string, entry: string): boolean {
  return entry.startsWith("*.") ? host.endsWith(entry.slice(1)) : host === entry;
}

/** Whether it means this machine; inside a network namespace that would be another one. */
export function isLoopback({ host }: AskedHost): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

/** For people: without the usual port. */
export function nameHost(asked: AskedHost): string {
  return asked.port === HTTPS_PORT ? asked.host : writeTarget(asked);
}

/** As a program asks for it. */
export function writeTarget({ host, port }: AskedHost): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
