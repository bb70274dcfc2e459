/** Writes what was measured into the page. Parts that this run did not measure stay as they are. */
import { readFileSync } from "node:fs";
import { MARKS, publishSummary } from "../../scripts/publish-summary.ts";

const PAGE = "lab/bench/measured.md";

/** A heading with what belongs to it. */
export interface Part {
  readonly title: string;
  readonly text: string;
}

interface Measured {
  readonly machine: string;
  readonly parts: readonly Part[];
  /** All titles that a part can have, in the order of the page. */
  readonly titles: readonly string[];
}

export function writePage(measured: Measured): void {
  publishSummary(PAGE, mergeParts(readFileSync(PAGE, "utf8"), measured));
}

/** The text between the marks, with the new parts in place of the old ones. */
export function mergeParts(page: string, { machine, parts, titles }: Measured): string {
  const [begin, end] = MARKS;
  const old = page.split(begin)[1]?.split(end)[0] ?? "";
  const kept = old
    .split(/^(?=### )/m)
    .filter((text) => text.startsWith("### "))
    .map((text) => ({ title: /^### (?<title>.*)/.exec(text)?.groups?.["title"] ?? "", text: text.trim() }));
  const written = titles.flatMap((title) => {
    const part = parts.find((one) => one.title === title) ?? kept.find((one) => one.title === title);
    return part === undefined ? [] : [part.text];
  });
  return [machine, ...written].join("\n\n");
}
