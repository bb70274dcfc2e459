import { expect, test } from "vitest";
import { renderTickLine, renderWait } from "../../src/cards/series-text.ts";
import { plainStyle } from "../../src/base/style.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";
import { reportOf, TICKS } from "../support/ticks.ts";

const at = (columns: number) => ({ style: plainStyle, columns });

test("one line for a tick; where it was refused, the file and the rule below it", () => {
  expect(renderTickLine(reportOf(TICKS.committed), at(Number.POSITIVE_INFINITY))).toBe(
    "✓ Kept  Set x to 2.; 2 files, +10/-3, 1 new; committed as bbbbbbbbbbbb; 2 min 05 s\n",
  );
  expect(renderTickLine(reportOf(TICKS.outsideScope), at(200)).split("\n")).toEqual([
    "✗ Reverted STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED  Set x to 2.; 2 files, +10/-3, 1 new; 2 min 05 s",
    "    docs/guide.md: No allowed glob matches this path.",
    "",
  ]);
  expect(renderTickLine(reportOf(TICKS.failedCheck), at(200))).toContain("\n    lint: exit status 1\n");
});

test("green is not yet passed: an attempt at a leaf has a mark of its own", () => {
  const iteration = { iter_n: 2, selected_leaf_id: "R-1", outcome: "attempt" } as const;
  expect(renderTickLine(reportOf(TICKS.committed, { iteration }), at(200))).toMatch(
    /^○ Iteration 2: not yet, one attempt used {2}Set x to 2\.; 2 files/,
  );
  const planned = { ...iteration, outcome: "planned" } as const;
  expect(renderTickLine(reportOf(TICKS.committed, { iteration: planned }), at(200))).toMatch(
    /^○ Iteration 2: the plan changed {2}Set/,
  );
  const passed = { ...iteration, outcome: "passed" } as const;
  expect(renderTickLine(reportOf(TICKS.committed, { iteration: passed }), at(200))).toMatch(
    /^✓ Kept {2}Set x to 2\.; the leaf passes; /,
  );
});

test.for([50, 64, 80, 120])("no line of a tick is wider than %i columns", (columns) => {
  for (const events of Object.values(TICKS)) {
    const lines = renderTickLine(reportOf(events), at(columns)).split("\n");
    expect(lines.filter((line) => measureDisplayWidth(line) > columns)).toEqual([]);
    expect(lines.slice(1, -1).every((line) => line.startsWith("    "))).toBe(true);
  }
});

test("a wait says what it is for", () => {
  const wait = { until: "2026-01-01T00:00:00.000Z", leftMs: 4200 };
  expect(renderWait({ ...wait, isLimit: true })).toBe(
    "… waiting for a rate limit until 2026-01-01T00:00:00.000Z, 5 s left; relais continues by itself",
  );
  expect(renderWait({ ...wait, isLimit: false })).toContain("waiting for the next attempt until 2026");
});
