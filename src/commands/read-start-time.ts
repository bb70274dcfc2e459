const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const WAIT = /^\+?(?<count>\d{1,6})(?<unit>[smhd])$/;
const CLOCK = /^(?<hours>[01]?\d|2[0-3]):(?<minutes>[0-5]\d)$/;
const DAY = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** A time that a person typed, as a timestamp: `18:30` (the next one), `2h` from now, or a date; null for any other text. */
export function readStartTime(text: string, nowMs: number): string | null {
  const wait = WAIT.exec(text)?.groups;
  if (wait !== undefined) return write(nowMs + Number(wait["count"]) * (UNITS[wait["unit"] ?? ""] ?? 0));
  const clock = CLOCK.exec(text)?.groups;
  if (clock !== undefined) return write(findNext(Number(clock["hours"]), Number(clock["minutes"]), nowMs));
  const moment = DAY.test(text) ? Date.parse(text.replace(" ", "T")) : Number.NaN;
  return Number.isNaN(moment) ? null : write(moment);
}

/** By the clock of this machine's time zone. */
function findNext(hours: number, minutes: number, nowMs: number): number {
  const today = new Date(nowMs);
  today.setHours(hours, minutes, 0, 0);
  if (today.getTime() <= nowMs) today.setDate(today.getDate() + 1);
  return today.getTime();
}

const write = (ms: number): string => new Date(ms).toISOString();
