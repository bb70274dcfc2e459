/**
 * When a limit is lifted, from the words of codex: "try again in 11.054s", "try again at 9:35 AM", "try again at Nov
 * 18th, 2026 6:55 PM". A time of day has no zone and is that of this machine, as codex itself shows it.
 */
import { findClockMoment } from "../session/clock-moment.ts";
import { readMoment } from "../session/moment-text.ts";

const WAIT = /try again in (?<wait>(?:\d+(?:\.\d+)? ?(?:ms|seconds?|minutes?|hours?|days?|[smhd])[ ,]*)+)/i;
const WAIT_PART = /(?<amount>\d+(?:\.\d+)?) ?(?<unit>ms|[smhd])/gi;
const MOMENT =
  /try again at (?:(?<month>[A-Z][a-z]{2}) (?<day>\d{1,2})(?:st|nd|rd|th), (?<year>\d{4}) )?(?<hour>\d{1,2}):(?<minute>\d{2}) (?<half>[AP]M)/;
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Longer than any limit lasts. A number beyond it is a mistake, and no date can be made of it. */
const WAIT_MS_MAX = 366 * 86_400_000;

/** An ISO time, or null where the words name none. */
export function findCodexReset(words: string, nowMs: number): string | null {
  const wait = WAIT.exec(words)?.groups?.["wait"];
  const at = wait === undefined ? momentIn(words, nowMs) : nowMs + lengthOf(wait);
  if (at === null || Number.isNaN(at) || at - nowMs > WAIT_MS_MAX) return null;
  return readMoment(at);
}

function lengthOf(wait: string): number {
  let total = 0;
  for (const { groups } of wait.matchAll(WAIT_PART))
    total += Number(groups?.["amount"]) * (UNIT_MS[(groups?.["unit"] ?? "").toLowerCase()] ?? 0);
  return Math.ceil(total);
}

function momentIn(words: string, nowMs: number): number | null {
  const { month = null, day = null, year = null, hour, minute, half } = MOMENT.exec(words)?.groups ?? {};
  if (hour === undefined || minute === undefined) return null;
  return findClockMoment({ year, month, day, hour, minute, isAfternoon: half === "PM" }, nowMs);
}
