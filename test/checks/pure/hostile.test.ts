import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { StoredTestReport, TEST_NAME_CHARS, TEST_NAMES_MAX } from "../../../src/records/test-report.ts";
import { compareTestReports, packTestReport, unpackTestReport } from "../../../src/checks/pure/compare-test-reports.ts";
import { readTestReport } from "../../../src/checks/pure/read-test-report.ts";
import { runs } from "../../support/runs.ts";
import { FIXTURES } from "./fixture-table.ts";
import { readFixture, readFixtureText } from "./read-fixture.ts";

const LINES = Object.keys(FIXTURES).flatMap((name) => readFixtureText(name).split("\n"));
const line = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...LINES) }, fc.string({ unit: "binary" }));
const output = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));

test("any text gives nothing or a report within its limits, which survives being stored", () => {
  fc.assert(
    fc.property(output, fc.option(output, { nil: undefined }), (head, tail) => {
      const report = readTestReport(head, tail);
      if (report === null) return;
      const stored = v.parse(StoredTestReport, JSON.parse(JSON.stringify(packTestReport(report))));
      expect(packTestReport(unpackTestReport(stored))).toEqual(packTestReport(report));
      expect(compareTestReports(report, report, false).findings).toEqual([]);
    }),
    runs(3000, 300),
  );
});

test("a recorded output with a missing line never gains tests", () => {
  // Without the first line of tape, its headings are comments and each assertion is a test.
  const names = Object.keys(FIXTURES).filter((name) => name.endsWith("-pass") && name !== "tape-pass");
  const fixture = fc.constantFrom(...names);
  fc.assert(
    fc.property(fixture, fc.nat(), (name, at) => {
      const lines = readFixtureText(name).split("\n");
      lines.splice(at % lines.length, 1);
      const before = readFixture(name)?.counts.passed ?? 0;
      expect(readTestReport(lines.join("\n"))?.counts.passed ?? 0).toBeLessThanOrEqual(before);
    }),
    runs(2000, 300),
  );
});

test("a list without end is cut", () => {
  const many = Array.from({ length: 30_000 }, (_, index) => `test_a.py::test_${index} PASSED`).join("\n");
  const long = `test_a.py::test_${"x".repeat(1000)} PASSED`;
  const report = readTestReport(
    `===== test session starts =====\ncollected 30000 items\n${many}\n== 30000 passed in 1.00s ==`,
  );
  expect(report?.counts.passed).toBe(30_000);
  expect(report?.tests).toHaveLength(TEST_NAMES_MAX);
  expect(report?.namesKnown).toBe("some");
  const names = readTestReport(`ok 1 - ${long}\n1..1\n`)?.tests.map(({ name }) => name.length);
  expect(names).toEqual([TEST_NAME_CHARS]);
});

const NASTY = [
  " ",
  "\n",
  "(",
  "1 passed, ",
  "::",
  " > ",
  "✔ (1ms) ",
  "\u001b[",
  "\u001b]8;",
  "\r",
  "<testsuite ",
  "<testcase ",
  "<testsuite></testsuite>",
  "    ok 1 - x\n",
  "ok 1 - x {\n",
  "# Subtest: x\n        ok 1 - x\n    ok 1 - y\nok 1 - z\n",
  "PASS (1 s, ",
  " PASSED (",
  "test x ... ",
  "▶ x\n  ▶ y\n",
  '{"Action":"run","Package":"p","Test":"t"}\n{"Action":"pass","Package":"q"}\n',
  " RUN  v4\n",
  "  1) x\n",
];

test.each(NASTY)("a lot of %j is read in time", (part) => {
  const text = part.repeat(Math.ceil(200_000 / part.length));
  expect(() => readTestReport(text)).not.toThrow();
});
