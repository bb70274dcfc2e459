import { countNoun, parseMoment } from "./words.ts";

const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** How long something took, as exactly as a person wants to know it. */
export function formatDuration(ms: number): string {
  if (ms < SECOND_MS) return `${Math.floor(ms)} ms`;
  const seconds = ms / SECOND_MS;
  if (seconds < MINUTE_S) return `${(Math.floor(seconds * 10) / 10).toFixed(1)} s`;
  const whole = Math.floor(seconds);
  if (whole < HOUR_S) return `${Math.floor(whole / MINUTE_S)} min ${padTwo(whole % MINUTE_S)} s`;
  return `${Math.floor(whole / HOUR_S)} h ${padTwo(Math.floor((whole % HOUR_S) / MINUTE_S))} min`;
}

/** How long ago something was, in its largest unit. */
export function formatAge(seconds: number): string {
  if (seconds < MINUTE_S) return "just now";
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} min ago`;
  if (seconds < DAY_S) return `${Math.floor(seconds / HOUR_S)} h ago`;
  return `${countNoun(Math.floor(seconds / DAY_S), "day")} ago`;
}

/** A moment in UTC to the minute, for tables. */
export function formatMoment(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)}`;
}

const MINUTE_MS = 60_000;

/**
 * A moment in the time of this machine, to the next full minute: "14:30", with its date unless it is on the same day as
 * `now`. Null is no "now".
 */
export function formatLocalMoment(timestamp: string, now: string | null): string {
  const ms = Math.ceil(parseMoment(timestamp) / MINUTE_MS) * MINUTE_MS;
  const { day, time } = readLocalClock(ms);
  return now !== null && readLocalClock(parseMoment(now)).day === day ? time : `${day} ${time}`;
}

function readLocalClock(ms: number): { readonly day: string; readonly time: string } {
  const two = "2-digit";
  const options = { year: "numeric", month: two, day: two, hour: two, minute: two, hourCycle: "h23" } as const;
  const parts = new Intl.DateTimeFormat("en", options).formatToParts(ms);
  const read = (name: string): string => parts.find(({ type }) => type === name)?.value ?? "";
  return { day: `${read("year")}-${read("month")}-${read("day")}`, time: `${read("hour")}:${read("minute")}` };
}

function padTwo(value: number): string {
  return String(value).padStart(2, "0");
}
