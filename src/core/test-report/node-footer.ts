/** The footer of node:test: eight lines in this order, with `# ` (tap) or `ℹ ` (spec) before each. */
import type { TestCounts } from "../../contract/evidence/test-report.ts";

const KEYS = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo", "duration_ms"] as const;

export interface NodeFooter {
  readonly tests: number;
  readonly suites: number;
  readonly counts: TestCounts;
}

/** Null unless all lines are there and the results add up to the number of tests. `index` is the first line. */
export function readNodeFooter(lines: readonly string[], index: number, mark: string): NodeFooter | null {
  if (!(lines[index] ?? "").startsWith(`${mark}tests `)) return null;
  const values: number[] = [];
  for (const [offset, key] of KEYS.entries()) {
    const line = lines[index + offset] ?? "";
    const start = `${mark}${key} `;
    const text = line.slice(start.length);
    if (!line.startsWith(start) || !/^\d{1,9}(?:\.\d{1,20})?$/.test(text)) return null;
    values.push(Number(text));
  }
  const [tests = 0, suites = 0, passed = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0] = values;
  const counts = { passed, failed: fail + cancelled, skipped, todo };
  return passed + counts.failed + skipped + todo === tests ? { tests, suites, counts } : null;
}
