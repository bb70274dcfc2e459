/**
 * The secrets of one server. The token is printed for the person. The browser is started with a key in its place,
 * because every user of this machine may see how a program was started: the page changes it for the token, once.
 */
import { randomBytes } from "node:crypto";
import { readClockMs } from "../system/clock.ts";

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
