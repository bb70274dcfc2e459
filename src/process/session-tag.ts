/**
 * A tag that a process cannot take off: a resource limit.
 *
 * Every program of a session starts with its own hard limit of file locks, a limit that Linux passes on to children and
 * does not enforce. Only root can raise a hard limit again, and everybody may read the limits of a process, also of one
 * that cleared its environment, began its own session or hides its memory from us. A process can lower the limit
 * further; then it is below the tag.
 */
import { createHash, randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

const PRLIMIT = ["/usr/bin/prlimit", "/bin/prlimit", "/run/current-system/sw/bin/prlimit"];

/** Above all limits that anybody sets on purpose; still a whole number for us. */
const BASE = 2 ** 52;
const TICK_BITS = 28;
const SESSION_COUNT = 2 ** 20;

/** The lowest tag of a tick; those of its sessions follow. */
function computeTickBase(tickMarker: string): number {
  const hash = createHash("sha256").update(tickMarker).digest().readUInt32BE(0) >>> (32 - TICK_BITS);
  return BASE + hash * SESSION_COUNT;
}

export function isTagOfTick(tag: number | null, tickMarker: string): boolean {
  const base = computeTickBase(tickMarker);
  return tag !== null && tag >= base && tag < base + SESSION_COUNT;
}

/** A new tag for a session of that tick; null where the system cannot set or show one. */
export function chooseSessionTag(tickMarker: string | undefined): number | null {
  const own = readLockLimit("self");
  if (own === null || findPrlimit() === null) return null;
  const tag = computeTickBase(tickMarker ?? String(randomInt(2 ** 40))) + randomInt(SESSION_COUNT);
  if (tag < own) return tag;
  // Inside another session: only a lower limit is possible.
  return own > SESSION_COUNT ? own - 1 - randomInt(SESSION_COUNT) : null;
}

/** The program and arguments that start a program with this tag, in the same process. */
export function startTagged(tag: number, program: string): readonly [string, ...string[]] | null {
  const prlimit = findPrlimit();
  return prlimit === null ? null : [prlimit, `--locks=${tag}:${tag}`, "--", program];
}

function findPrlimit(): string | null {
  return process.platform === "linux" ? (PRLIMIT.find((path) => existsSync(path)) ?? null) : null;
}

/** The hard limit of file locks of a process; null where it is gone or hides it. */
export function readLockLimit(pid: number | "self"): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/limits`, "latin1");
    const hard = /^Max file locks +\S+ +(?<hard>\d+|unlimited)\b/m.exec(text)?.groups?.["hard"];
    if (hard === undefined) return null;
    return hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(hard);
  } catch {
    return null;
  }
}
