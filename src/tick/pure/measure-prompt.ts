import type { PromptSize } from "../../records/review.ts";
import { neutraliseText, shorten } from "../../base/words.ts";
import { countBytes } from "./framed-section.ts";

/** Every other section is counted in one sum. */
const SECTIONS_MAX = 30;
const TITLE_CHARS = 80;
const BEGINNING = "(beginning)";
const OTHERS = "(others)";

/** `previous` is the prompt that the same role got before, or null. */
export function measurePrompt(text: string, previous: string | null): PromptSize {
  return {
    bytes: countBytes(text),
    shared_bytes: previous === null ? null : countShared(text, previous),
    sections: Object.fromEntries(sumSmallest(measureSections(text))),
  };
}

function countShared(text: string, previous: string): number {
  const [one, other] = [new TextEncoder().encode(text), new TextEncoder().encode(previous)];
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one[at] === other[at]) at += 1;
  return at;
}

type Sections = ReadonlyMap<string, number>;

/** By headings of the first and second level; sections with the same heading are one. */
function measureSections(text: string): Sections {
  const sections = new Map<string, number>();
  const starts = [{ title: BEGINNING, at: 0 }, ...findHeadings(text)];
  for (const [index, { title, at }] of starts.entries()) {
    const bytes = countBytes(text.slice(at, starts[index + 1]?.at));
    if (bytes > 0) sections.set(title, (sections.get(title) ?? 0) + bytes);
  }
  return sections;
}

/** A heading in a fence belongs to the text of others. */
function findHeadings(text: string): readonly { readonly title: string; readonly at: number }[] {
  const headings: { title: string; at: number }[] = [];
  let fence: string | null = null;
  let at = 0;
  for (const line of text.split("\n")) {
    const title = /^##? (?<title>.*\S)/u.exec(line)?.groups?.["title"];
    const isOutside = fence === null;
    fence = followFence(fence, line);
    if (isOutside && title !== undefined) headings.push({ title: cutTitle(title), at });
    at += line.length + 1;
  }
  return headings;
}

/** The fence that is open after a line; null if there is none. */
function followFence(fence: string | null, line: string): string | null {
  const ticks = /^`{3,}/u.exec(line)?.[0] ?? "";
  if (fence === null) return ticks === "" ? null : ticks;
  return ticks === line.trimEnd() && ticks.length >= fence.length ? null : fence;
}

const cutTitle = (title: string): string => shorten(neutraliseText(title.trim()), TITLE_CHARS);

function sumSmallest(sections: Sections): Sections {
  const kept = [...sections.entries()].toSorted(([, one], [, other]) => other - one).slice(0, SECTIONS_MAX);
  const titles = new Set(kept.map(([title]) => title));
  const rest = [...sections].filter(([title]) => !titles.has(title));
  if (rest.length === 0) return sections;
  const sum = rest.reduce((bytes, [, more]) => bytes + more, sections.get(OTHERS) ?? 0);
  return new Map([...[...sections].filter(([title]) => titles.has(title)), [OTHERS, sum]]);
}
