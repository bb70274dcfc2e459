/** The length is in UTF-16 units, as in the schemas; never cuts through a character. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, Math.max(0, max - 1));
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

/** The first paragraph: the later ones of a text explain it. */
export function takeTitle(text: string): string {
  return text.trim().split(/\n[^\S\n]*\n/u)[0] ?? text;
}

export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** In cents, or with more digits below one cent. */
export function formatDollars(amount: number): string {
  return `$${amount > 0 && amount < 0.01 ? amount.toFixed(4) : amount.toFixed(2)}`;
}

/** Far finer than any price, so that no small amount is lost. */
const PARTS = 1e12;

/** Without the rounding errors of fractions. */
export function formatDollarSum(one: number, other: number): number {
  return Math.round((one + other) * PARTS) / PARTS;
}

/**
 * Invisible characters, and characters that change the text around them: controls, formatting characters (bidirectional
 * and zero-width ones, tags), and halves of a surrogate pair. Line ends and tabs are harmless.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Shows every character: a hidden one becomes `\u{..}`. */
export function neutraliseText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

const SPACE = " \t\n\r";

/**
 * Removes spaces, tabs and line ends at both ends, and no other white space, which may end a name. Without a pattern,
 * because that would take quadratic time on a megabyte of spaces.
 */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.includes(text.charAt(start))) start += 1;
  while (end > start && SPACE.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A fence that nothing in the text can end. */
export function makeFence(text: string): string {
  const longest = [...text.matchAll(/`+/gu)].reduce((length, [run]) => Math.max(length, run.length), 2);
  return "`".repeat(longest + 1);
}

const COMMENT = /<!--[\s\S]*?-->/g;
const HEADING = /^#{1,6}(?:\s.*)?$/gm;

/** Nothing but headings and comments, as `init` writes it. */
export function isEmptyText(markdown: string): boolean {
  return markdown.replaceAll(COMMENT, "").replaceAll(HEADING, "").trim() === "";
}

const LISTED_MAX = 5;
const QUOTED_MAX = 120;

/** Names the first items and counts the rest. */
export function shortenList(items: readonly string[]): string {
  const shown = items.slice(0, LISTED_MAX).map(quote).join(", ");
  const rest = items.length - LISTED_MAX;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** One sentence about these paths, or none if there are no paths. */
export function listPathNote(saying: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`${saying}: ${shortenList(paths)}.`];
}

export function quote(text: string): string {
  const characters = Array.from(text);
  return characters.length > QUOTED_MAX ? `\`${characters.slice(0, QUOTED_MAX).join("")}…\`` : `\`${text}\``;
}

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

const SLUG_CHARS = 30;

/** A name for files and branches, from a text for people; empty where it has no letter that could be used. */
export function makeSlug(text: string): string {
  const words = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "");
  const cut = words.slice(0, SLUG_CHARS);
  return words.length > SLUG_CHARS ? cut.slice(0, Math.max(cut.lastIndexOf("-"), 1)) : cut;
}
