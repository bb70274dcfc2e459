/** A large change has more of everything by chance: what is rare in it is a note. */
import { findLanguage, isCopied } from "../../base/language.ts";
import type { ChangedText, Weakening } from "./changed-file.ts";
import { addTo } from "./new-in-change.ts";

/** So many new or lost lines have one suspicion by chance. */
const LINES_OF_CHANCE = 200;
/** The one is held against the size of the change already, the other says something about all of it. */
const OF_THE_WHOLE: readonly string[] = ["test_literals", "no_effect"];

type Found = readonly (readonly [path: string, weakening: Weakening])[];

/** Code and tests are held against their own lines alone: no long document, table or lockfile hides a skipped test. */
export function noteSparse(found: Found, changes: readonly ChangedText[]): Found {
  const finds = new Map<string, number>();
  for (const one of found) if (isWeighed(one)) addTo(finds, nameFinds(one), 1);
  if (finds.size === 0) return found;
  const lines = { code: 0, settings: 0 };
  for (const change of changes) lines[nameGroup(change.path)] += countLines(change);
  const sizes = { code: lines.code, settings: lines.code + lines.settings };
  return found.map((one) => {
    const isSparse = (finds.get(nameFinds(one)) ?? 0) * LINES_OF_CHANCE < sizes[nameGroup(one[0])];
    return isWeighed(one) && isSparse ? [one[0], { ...one[1], default: "note" }] : one;
  });
}

function isWeighed([, { rule, default: level }]: Found[number]): boolean {
  return level === "hold" && !OF_THE_WHOLE.includes(rule);
}

function nameFinds([path, { rule }]: Found[number]): string {
  return `${rule} ${nameGroup(path)}`;
}

function nameGroup(path: string): "code" | "settings" {
  return findLanguage(path, "") === "settings" ? "settings" : "code";
}

/** Those that one side has and the other has not. */
function countLines({ path, before, after }: ChangedText): number {
  if (nameGroup(path) === "code" && isCopied(path)) return 0;
  const [was, is] = [listLines(before), listLines(after)];
  return countOthers(was, is) + countOthers(is, was);
}

function listLines(text: string | null): ReadonlySet<string> {
  return new Set((text ?? "").split("\n").map((line) => line.trim()));
}

function countOthers(own: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...own].filter((line) => !others.has(line)).length;
}
