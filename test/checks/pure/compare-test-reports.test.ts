import { expect, test } from "vitest";
import type { TestReport, TestResult } from "../../../src/records/test-report.ts";
import { compareTestReports, expectsTests } from "../../../src/checks/pure/compare-test-reports.ts";
import { readFixture } from "./read-fixture.ts";

/** `+` passed, `-` failed, `~` skipped before each name. */
function report(names: string, change: Partial<TestReport> = {}): TestReport {
  const states: Readonly<Record<string, TestResult["state"]>> = { "+": "passed", "-": "failed", "~": "skipped" };
  const tests = names
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => ({ name: line.slice(1), state: states[line[0] ?? ""] ?? "passed" }));
  const count = (state: string): number => tests.filter((one) => one.state === state).length;
  const counts = { passed: count("passed"), failed: count("failed"), skipped: count("skipped"), todo: 0 };
  const rest = { runners: ["pytest"], namesKnown: "all", isComplete: true, isListed: true, silentFiles: [] } as const;
  return { ...rest, counts, tests, ...change };
}

const numbers = (passed: number, skipped: number): TestReport =>
  report("", { namesKnown: "none", counts: { passed, failed: 0, skipped, todo: 0 } });

const END = "The check ended with 0, but";

test.each([
  [
    "node-spec-pass-20",
    "node-spec-exit",
    `no_test_end: ${END} no test was reported by 1 test file: nt/exit0/a.test.js.`,
  ],
  ["node-tap-pass", "node-tap-forged", `no_test_end: ${END} no test was reported by 1 test file: a.test.js.`],
  ["node-spec-pass-24", "node-spec-empty-file", `no_test_end: ${END} no test was reported by 1 test file: a.test.js.`],
  ["node-spec-pass-20", "node-direct-forged", `no_test_end: ${END} no test runner reported anything.`],
  [
    "vitest-verbose-pass",
    "vitest-threads-exit",
    `no_test_end: ${END} the test runner did not report its end (vitest).`,
  ],
  [
    "vitest-pass",
    "vitest-agent-skip",
    `no_test_end: ${END} the summary of the tests has no list of tests above it, as it had before.`,
  ],
  ["jest-pass", "jest-exit", `no_test_end: ${END} the test runner did not report its end (jest).`],
  ["jest-pass", "jest-forged", `no_test_end: ${END} the test runner did not report its end (jest).`],
  ["mocha-pass", "mocha-forged", `no_test_end: ${END} the test runner did not report its end (mocha).`],
  ["mocha-pass", "mocha-import-exit", `no_test_end: ${END} no test runner reported anything.`],
  [
    "mocha-pass",
    "mocha-only",
    "tests_removed: 3 tests removed: divides, maths > subtracts, maths > deep > multiplies.",
  ],
  [
    "mocha-pass",
    "mocha-empty-file",
    "tests_removed: 3 tests removed: adds two numbers, maths > subtracts, maths > deep > multiplies.",
  ],
  ["tape-pass", "tape-exit", `no_test_end: ${END} the test runner did not report its end (TAP).`],
  ["bats-pass", "bats-kill", `no_test_end: ${END} the test runner did not report its end (TAP).`],
  ["bats-pass", "bats-skip", "tests_skipped: 1 more test is skipped: subtracts."],
  ["bats-pass", "bats-empty", "tests_removed: 2 tests removed: adds two numbers, subtracts."],
  ["pytest-pass", "pytest-osexit", `no_test_end: ${END} the test runner did not report its end (pytest).`],
  ["pytest-pass", "pytest-pyexit", `no_test_end: ${END} the test runner did not report its end (pytest).`],
  ["pytest-pass", "pytest-sysexit", `no_test_end: ${END} no test runner reported anything.`],
  [
    "pytest-pass",
    "pytest-forged",
    `no_test_end: ${END} the summary of the tests has no list of tests above it, as it had before.`,
  ],
  [
    "pytest-q-pass",
    "pytest-q-forged",
    `no_test_end: ${END} the summary of the tests has no list of tests above it, as it had before.`,
  ],
  ["pytest-warn", "pytest-exitcode", `tests_failed: ${END} 1 test failed: test_a.py::test_adds.`],
  ["pytest-q-pass", "pytest-empty", "tests_removed: 5 tests removed."],
  ["unittest-pass", "unittest-forged", `no_test_end: ${END} no test runner reported anything.`],
  ["unittest-v-pass", "unittest-v-forged", `no_test_end: ${END} the test runner did not report its end (unittest).`],
  ["go-v-pass", "go-v-exit", `no_test_end: ${END} the test runner did not report its end (go test).`],
  ["go-json-pass", "go-json-exit", `no_test_end: ${END} the test runner did not report its end (go test).`],
  ["cargo-pass", "cargo-exit", `no_test_end: ${END} the test runner did not report its end (cargo test).`],
  ["many-runners", "vitest-pass", `no_test_end: ${END} node:test, pytest did not report anything.`],
])("%s, then %s", (base, now, expected) => {
  const { findings } = compareTestReports(readFixture(base), readFixture(now));
  expect(findings.map(({ rule, text }) => `${rule}: ${text}`)).toContain(expected);
});

test("honest changes have no finding", () => {
  const base = report("+a.py::one\n+a.py::two[1-2]\n~a.py::three");
  const honest = {
    same: base,
    added: report("+a.py::one\n+a.py::two[1-2]\n~a.py::three\n+a.py::four"),
    renamed: report("+a.py::uno\n+a.py::two[1-2]\n~a.py::three"),
    moved: report("+b.py::one\n+b.py::two[1-2]\n~b.py::three"),
    "no longer skipped": report("+a.py::one\n+a.py::two[1-2]\n+a.py::three"),
    "new and skipped": report("+a.py::one\n+a.py::two[1-2]\n~a.py::three\n~a.py::four"),
    "a script of assertions": report("+a.py::one\n+a.py::two[1-2]\n~a.py::three\n+x.test.js", {
      silentFiles: ["x.test.js"],
    }),
    "another runner": report("+a.py::one\n+a.py::two[1-2]\n~a.py::three", { runners: ["unittest"] }),
  };
  const found = Object.entries(honest).map(([name, now]) => [name, compareTestReports(base, now).findings]);
  expect(found).toEqual(Object.keys(honest).map((name) => [name, []]));
});

test("a test that moved is the same test, and a renamed one is a new and a removed one", () => {
  const base = report("+a.py::one\n+a.py::two\n-a.py::three\n-a.py::four");
  const now = report("+b.py::one\n+a.py::deux\n+a.py::three\n-a.py::four");
  expect(compareTestReports(base, now)).toMatchObject({
    newTests: ["a.py::deux"],
    removed: ["a.py::two"],
    fixed: ["a.py::three"],
    stillFailing: ["a.py::four"],
    newlyFailing: [],
    findings: [],
  });
});

test("a test that is renamed and skipped is a skipped one", () => {
  const { findings } = compareTestReports(report("+one\n+two"), report("+one\n~deux"));
  expect(findings.map(({ text }) => text)).toEqual(["1 more test is skipped."]);
});

test("removed and skipped tests are counted and named", () => {
  const base = report("+one\n+two\n+three\n+four\n+five\n+six\n+seven");
  const { findings } = compareTestReports(base, report("~one"));
  expect(findings.map(({ text }) => text)).toEqual([
    "6 tests removed: two, three, four, five, six and 1 more.",
    "1 more test is skipped: one.",
  ]);
});

test("without names the numbers decide", () => {
  const texts = (now: TestReport): readonly string[] =>
    compareTestReports(numbers(5, 1), now).findings.map(({ text }) => text);
  expect(texts(numbers(4, 1))).toEqual(["1 test removed."]);
  expect(texts(numbers(3, 3))).toEqual(["2 more tests are skipped."]);
  expect(texts(numbers(6, 1))).toEqual([]);
});

test("failures with names are compared even if the other tests have none", () => {
  const base = report("-a.py::one\n-a.py::two", {
    namesKnown: "some",
    counts: { passed: 3, failed: 2, skipped: 0, todo: 0 },
  });
  const now = report("-a.py::two\n-a.py::three", {
    namesKnown: "some",
    counts: { passed: 3, failed: 2, skipped: 0, todo: 0 },
  });
  expect(compareTestReports(base, now, false)).toMatchObject({
    newlyFailing: ["a.py::three"],
    stillFailing: ["a.py::two"],
    fixed: ["a.py::one"],
    findings: [],
  });
});

test("a base without a readable end asks for nothing", () => {
  const open = report("+one", { isComplete: false });
  expect([null, open, report("+one")].map(expectsTests)).toEqual([false, false, true]);
  expect(compareTestReports(null, null).findings).toEqual([]);
  expect(compareTestReports(open, null).findings).toEqual([]);
});

test("a red check needs no finding about its end", () => {
  expect(compareTestReports(report("+one"), null, false).findings).toEqual([]);
});
