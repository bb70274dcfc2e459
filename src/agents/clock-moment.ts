/** The parts of a moment that a sentence names, in the time of this machine; null is "not named". */
export interface ClockWords {
  readonly year: string | null;
  /** Its first three letters. */
  readonly month: string | null;
  readonly day: string | null;
  readonly hour: string;
  readonly minute: string;
  readonly isAfternoon: boolean;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MINUTE_MS = 60_000;

/**
 * The next such moment, in milliseconds; null for an unknown month.
 *
 * A past time of day means tomorrow, and a past day next year. Without seconds the present minute is not past: a limit
 * that ends any moment does not end tomorrow.
 */
export function findClockMoment(words: ClockWords, nowMs: number): number | null {
  const hour = (Number(words.hour) % 12) + (words.isAfternoon ? 12 : 0);
  const minute = Number(words.minute);
  const today = new Date(nowMs);
  const isAhead = (at: number): boolean => at + MINUTE_MS > nowMs;
  const on = (year: number, month: number, day: number): number => new Date(year, month, day, hour, minute).getTime();
  if (words.month === null || words.day === null) {
    const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
    const at = on(year, month, day);
    return isAhead(at) ? at : on(year, month, day + 1);
  }
  const month = MONTHS.indexOf(words.month);
  if (month === -1) return null;
  if (words.year !== null) return on(Number(words.year), month, Number(words.day));
  const at = on(today.getFullYear(), month, Number(words.day));
  return isAhead(at) ? at : on(today.getFullYear() + 1, month, Number(words.day));
}
