import { expect, test } from "vitest";
import { takeLastLines } from "../../src/records/last-lines.ts";

test("the last lines that say something, without colours and without what was overwritten", () => {
  const output =
    "old\n\u001b[31mfirst\u001b[39m\r\n\n  10%\r  90%\rdone  \n\u001b]8;;file:///x\u0007link\u001b]8;;\u0007\n \n";
  expect(takeLastLines(output)).toEqual(["old", "first", "done", "link"]);
});

test("no more than a glance, and each line no longer than one", () => {
  const lines = takeLastLines(Array.from({ length: 50 }, (_, index) => `${index} ${"x".repeat(500)}`).join("\n"));
  expect(lines).toHaveLength(8);
  expect(lines.at(-1)).toMatch(/^49 x+…$/);
  expect(lines.every((line) => line.length <= 200)).toBe(true);
});

test("nothing was printed", () => {
  expect(takeLastLines("\n\u001b[0m\n")).toEqual([]);
});

test("what stands below every error of Node is not what it said", () => {
  const output =
    "AssertionError: no\n    ^\n\n  expected: 'Hello',\n  operator: 'strictEqual'\n}\n\nNode.js v20.20.2\n";
  expect(takeLastLines(output)).toEqual(["AssertionError: no", "  expected: 'Hello',", "  operator: 'strictEqual'"]);
  expect(takeLastLines("Node.js v20.20.2 is too old\n")).toHaveLength(1);
});

test("the numbers below every run of tests are not what failed", () => {
  const numbers = ["tests 3", "suites 0", "pass 1", "fail 2", "cancelled 0", "skipped 0", "todo 0", "duration_ms 10.3"];
  for (const mark of ["#", "ℹ"]) {
    const output = `not ok 1 - a\n# Subtest: b\n${numbers.map((line) => `${mark} ${line}`).join("\n")}\n`;
    expect(takeLastLines(output)).toEqual(["not ok 1 - a", "# Subtest: b"]);
  }
});
