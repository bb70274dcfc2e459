/** What the test runners of one check reported, and its form on disk. */
import * as v from "valibot";

/** A test runner can list any number of tests. The rest is only counted. */
export const TEST_NAMES_MAX = 20_000;
export const TEST_NAME_CHARS = 300;

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const NameList = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(TEST_NAME_CHARS))),
  v.maxLength(TEST_NAMES_MAX),
  v.readonly(),
);

export const TestCounts = v.strictObject({
  passed: Count,
  failed: Count,
  /** Also those that are expected to fail: their result decides nothing. */
  skipped: Count,
  todo: Count,
});
export type TestCounts = v.InferOutput<typeof TestCounts>;

/** How many of the counted tests have a name in the report. `some` are at least the failed ones, usually. */
export const NamesKnown = v.picklist(["all", "some", "none"]);
export type NamesKnown = v.InferOutput<typeof NamesKnown>;

export interface TestResult {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
}

export interface TestReport {
  readonly runners: readonly string[];
  readonly counts: TestCounts;
  /** Only tests whose names the output shows. */
  readonly tests: readonly TestResult[];
  readonly namesKnown: NamesKnown;
  /** Every runner that started reported its own end, and its numbers add up. */
  readonly isComplete: boolean;
  /** The output lists the tests or test files that the summary counts. A summary alone is easy to forge. */
  readonly isListed: boolean;
  /** Test files that ended with 0 and reported no test. */
  readonly silentFiles: readonly string[];
}

/** Names by state, which takes a third of the bytes of one object for each test. */
export const StoredTestReport = v.strictObject({
  runners: v.pipe(v.array(v.string()), v.maxLength(20)),
  counts: TestCounts,
  names_known: NamesKnown,
  complete: v.boolean(),
  listed: v.boolean(),
  passed: NameList,
  failed: NameList,
  skipped: NameList,
  silent_files: NameList,
});
export type StoredTestReport = v.InferOutput<typeof StoredTestReport>;
