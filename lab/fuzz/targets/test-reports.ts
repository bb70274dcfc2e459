import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { FuzzTarget } from "../target.ts";
import { TEST_NAME_CHARS, TEST_NAMES_MAX, TestCounts } from "../../../src/records/test-report.ts";
import { readTestReport } from "../../../src/checks/pure/read-test-report.ts";

const FOLDER = "test/fixtures/test-output";
const BYTES_MAX = 8 * 1024;

/** What test runners print, among what the code under test prints. */
export const testReports: FuzzTarget = {
  name: "test-reports",
  seeds: () =>
    readdirSync(FOLDER)
      .map((name) => readFileSync(join(FOLDER, name)))
      .filter(({ length }) => length <= BYTES_MAX),
  words: [
    "ok 1 - a\n",
    "1..2\n",
    "not ok 2\n",
    "# SKIP",
    "    ok",
    "Tests:",
    "passed",
    '<testsuite tests="1"/>',
    "Ran 1 test",
  ],
  check: (data) => {
    const text = data.toString("utf8");
    const report = readTestReport(text);
    if (report === null) return;
    v.parse(TestCounts, report.counts);
    assert(report.tests.length <= TEST_NAMES_MAX);
    assert(report.tests.every(({ name }) => name.length <= TEST_NAME_CHARS));
    assert(report.runners.length > 0);
    assert.deepEqual(readTestReport(text), report, "another report of the same text");
  },
};
