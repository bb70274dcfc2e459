import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { TestReport } from "../../../src/records/test-report.ts";
import { readTestReport } from "../../../src/checks/pure/read-test-report.ts";
import { FIXTURES } from "./fixture-table.ts";
import { FIXTURE_FOLDER, readFixture, readFixtureText } from "./read-fixture.ts";

/** Runners, numbers, which names are known, and what is missing. */
function describeReport(report: TestReport | null): string {
  if (report === null) return "nothing";
  const { runners, counts, namesKnown, isComplete, isListed, silentFiles } = report;
  const numbers = Object.entries(counts).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []));
  const names = `names ${namesKnown}`;
  const missing = [isComplete ? "" : "no end", isListed ? "" : "no list", silentFiles.length > 0 ? "silent file" : ""];
  return [runners.join(" + "), numbers.join(" ") || "0", names, ...missing.filter((word) => word !== "")].join(", ");
}

test("every recorded output is read as the table says", () => {
  const names = readdirSync(FIXTURE_FOLDER).map((name) => name.replace(/\.txt$/, ""));
  const found = names.map((name) => [name, describeReport(readFixture(name))]);
  expect(Object.fromEntries(found)).toEqual(FIXTURES);
});

test.each([
  ["node-spec-pass-20", "maths > deep > multiplies"],
  ["node-tap-pass", "parent > child two"],
  ["vitest-verbose-workspace", "|p2| p2/a.test.mjs > a suite > inside"],
  ["vitest-tap-pass", "a.test.mjs > maths > deep > multiplies"],
  ["jest-verbose-pass", "./a.test.js > maths > deep > multiplies"],
  ["mocha-fail", "maths > multiplies"],
  ["tape-pass", "adds two numbers"],
  ["tap-pass", "a.test.js > subtracts"],
  ["pytest-v-pass", "test_a.py::test_param[1-2]"],
  ["pytest-xdist-v-pass", "test_a.py::TestMaths::test_subtracts"],
  ["pytest-fail", "test_a.py::test_with_fixture"],
  ["unittest-v-pass", "test_a.TestMaths.test_adds"],
  ["unittest-fail", "test_a.TestMaths.test_many"],
  ["go-v-pass", "example.com/sums > TestMany/two_words"],
  ["go-json-pass", "example.com/sums > TestLater"],
  ["cargo-skip", "src/lib.rs > tests::panics"],
  ["nextest-pass", "sample::it outside"],
  ["junit-vitest-skip", "a.test.mjs > a suite > inside two"],
])("the names in %s have their groups", (fixture, name) => {
  expect(readFixture(fixture)?.tests.map((one) => one.name)).toContain(name);
});

test("a summary of another program is no end", () => {
  expect(readTestReport("3 passed in 0.01s\n")).toBeNull();
  expect(readTestReport("Tests 3 passed\n# pass 5\nok\n  ✔ no problems\n")?.isComplete ?? false).toBe(false);
  expect(readTestReport("Test Suites: 1 passed, 1 total\nTests:       4 passed, 4 total\n")).toBeNull();
});

test("colours and progress lines do not matter", () => {
  const coloured = readFixtureText("mocha-pass").replaceAll("✔", "\u001b[32m✔\u001b[0m").replaceAll("\n", "\r\n");
  expect(readTestReport(coloured)).toEqual(readFixture("mocha-pass"));
});

test.each(["packages/a test: ", "a:test: ", "[a]: ", "[0] "])(
  "packages with %j before each line are read apart",
  (prefix) => {
    const first = readFixtureText("vitest-pass").split("\n");
    const second = readFixtureText("mocha-skip").split("\n");
    const mixed = Array.from({ length: 30 }, (_, index) => [
      `${prefix}${first[index] ?? ""}`,
      `${prefix.replace(/[a0]/, "b")}${second[index] ?? ""}`,
    ]);
    const report = readTestReport(["> sample@1.0.0 test", ...mixed.flat()].join("\n"));
    expect(describeReport(report)).toBe("vitest + mocha, 6 passed 4 skipped, names some");
  },
);

const LONG = ["node-spec-pass-20", "node-tap-pass", "vitest-verbose-skip", "pytest-v-pass"];

test.each(LONG)("%s without its middle still has its end and its numbers", (fixture) => {
  const lines = readFixtureText(fixture).split("\n");
  const whole = readFixture(fixture);
  expect(readTestReport(lines.slice(0, 5).join("\n"), lines.slice(7).join("\n"))).toMatchObject({
    runners: whole?.runners,
    counts: whole?.counts,
    isComplete: true,
  });
});

test("so has one of more lines than are read", () => {
  const filler = Array.from({ length: 55_000 }, () => "");
  const lines = ["✔ adds (0.1ms)", ...filler, "✔ in the middle (0.1ms)", ...filler, "✔ divides (0.1ms)"];
  const zeros = ["fail", "cancelled", "skipped", "todo"].map((key) => `ℹ ${key} 0`);
  const footer = ["ℹ tests 3", "ℹ suites 0", "ℹ pass 3", ...zeros, "ℹ duration_ms 25.5"];
  const report = readTestReport([...lines, ...footer].join("\n"));
  expect(report).toMatchObject({ counts: { passed: 3 }, isComplete: true, namesKnown: "some" });
  expect(report?.tests.map(({ name }) => name)).toEqual(["adds", "divides"]);
});

test("the same lines missing without being named as missing are no end", () => {
  const lines = readFixtureText("node-spec-pass-20").split("\n");
  expect(readTestReport([...lines.slice(0, 5), ...lines.slice(7)].join("\n"))?.isComplete).toBe(false);
});
