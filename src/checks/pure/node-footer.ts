/** The footer of node:test: eight lines in this order, with `# ` (tap) or `ℹ ` (spec) before each. */
import type { TestCounts } from "../../records/test-report.ts";
import { matchParts } from "./line-parts.ts";
import { sumCounts } from "./run-reading.ts";

const KEYS = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo", "duration_ms"] as const;

export interface NodeFooter {
  readonly tests: number;
  readonly suites: number;
  readonly counts: TestCounts;
}

/** Null unless all lines are there and the results add up to the number of tests. `index` is the first line. */
export function readNodeFooter(lines: readonly string[], index: number, mark: string): NodeFooter | null {
  if (lines[index]?.startsWith(`${mark}tests `) !== true) return null;
  const values = new Map<string, number>();
  for (const [offset, key] of KEYS.entries()) {
    const part = matchParts(/^(.{2}[a-z_]{1,20}) (\d{1,9})(?:\.\d{1,20})?$/, lines[index + offset] ?? "");
    if (part(1) !== `${mark}${key}`) return null;
    values.set(key, Number(part(2)));
  }
  const get = (key: (typeof KEYS)[number]): number => values.get(key) ?? 0;
  const counts = {
    passed: get("pass"),
    failed: get("fail") + get("cancelled"),
    skipped: get("skipped"),
    todo: get("todo"),
  };
  return sumCounts(counts) === get("tests") ? { tests: get("tests"), suites: get("suites"), counts } : null;
}
