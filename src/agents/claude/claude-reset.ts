/**
 * When a limit is lifted, from the words of Claude Code: "resets 8am", "resets Nov 18, 6:23am", "resets Jan 14, 2027,
 * 6:23am", in the time of this machine; older ones end with the seconds since the epoch. Only a stream of its lines says
 * it otherwise, and a session can be asked for its last object alone.
 */
import { findClockMoment } from "../session/clock-moment.ts";
import { readMoment } from "../session/moment-text.ts";

const SECONDS = /\|(?<seconds>\d{9,11})\b/u;
const MOMENT =
  /\bresets (?:(?<month>[A-Z][a-z]{2}) (?<day>\d{1,2}), (?:(?<year>\d{4}), )?)?(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?<half>[ap]m)\b/u;

/** An ISO time, or null where the words name none. */
export function findClaudeReset(words: string, nowMs: number): string | null {
  const seconds = SECONDS.exec(words)?.groups?.["seconds"];
  const at = seconds === undefined ? momentIn(words, nowMs) : Number(seconds) * 1000;
  return at === null ? null : readMoment(at);
}

function momentIn(words: string, nowMs: number): number | null {
  const found = MOMENT.exec(words)?.groups;
  if (found === undefined) return null;
  const { month = null, day = null, year = null, hour = "", minute = "0", half } = found;
  return findClockMoment({ year, month, day, hour, minute, isAfternoon: half === "pm" }, nowMs);
}
