const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const MOMENT =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<rest>\d+))?Z$/u;

/** 0 if it is no timestamp. */
export function parseMoment(timestamp: string): number {
  const parts = MOMENT.exec(timestamp)?.groups;
  if (parts === undefined) return 0;
  const part = (name: string): number => Number(parts[name] ?? 0);
  const ms = Math.floor(Number(`0.${parts["rest"] ?? "0"}`) * SECOND_MS);
  const time = part("hour") * HOUR_MS + part("minute") * MINUTE_MS + part("second") * SECOND_MS + ms;
  return countDaysSinceEpoch(part("year"), part("month"), part("day")) * DAY_MS + time;
}

const DAYS_PER_ERA = 146_097;
const YEARS_PER_ERA = 400;
/** Days from 1 March of the year 0 to the epoch. */
const EPOCH_DAYS = 719_468;

/** Years start in March, so that a leap day is the last day of its year. */
function countDaysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / YEARS_PER_ERA);
  const yearOfEra = shifted - era * YEARS_PER_ERA;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_DAYS;
}

const padTwo = (value: number): string => String(Math.floor(value)).padStart(2, "0");

export function formatTimeOfDay(ms: number): string {
  const ofDay = ((ms % DAY_MS) + DAY_MS) % DAY_MS;
  return [ofDay / HOUR_MS, (ofDay % HOUR_MS) / MINUTE_MS, (ofDay % MINUTE_MS) / SECOND_MS].map(padTwo).join(":");
}
