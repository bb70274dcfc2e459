/**
 * Who may talk to a server on this machine.
 *
 * Every page that the person has open can send requests here, and a name of a foreign site can be made to point here
 * (rebinding). So the host, the origin and the browser's own note about the sender are checked before anything else, and
 * everything but the empty page needs a token that no other site and no other user knows.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

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
