import type { TestResult, TestReport, StoredTestReport } from "../../records/test-report.ts";
import { isFileName, sumCounts } from "./run-reading.ts";
import { countNoun } from "../../base/words.ts";

/** Which test of the base is which test now: by its full name, then by its bare name, as it may have moved. */

export interface TestPair {
  readonly name: string;
  readonly base: TestResult["state"];
  readonly now: TestResult["state"];
}

interface PairedTests {
  readonly pairs: readonly TestPair[];
  readonly onlyBase: readonly TestResult[];
  readonly onlyNow: readonly TestResult[];
}

/** Several tests can have the same name; each is paired once. */
export function pairTests(base: readonly TestResult[], now: readonly TestResult[]): PairedTests {
  const byFullName = pairBy(base, now, (name) => name);
  const byBareName = pairBy(byFullName.onlyBase, byFullName.onlyNow, takeBareName);
  return { ...byBareName, pairs: [...byFullName.pairs, ...byBareName.pairs] };
}

function pairBy(base: readonly TestResult[], now: readonly TestResult[], key: (name: string) => string): PairedTests {
  const waiting = new Map<string, TestResult[]>();
  for (const test of base.toReversed()) {
    const name = key(test.name);
    const same = waiting.get(name);
    if (same === undefined) waiting.set(name, [test]);
    else same.push(test);
  }
  const pairs: TestPair[] = [];
  const onlyNow: TestResult[] = [];
  for (const test of now) {
    const partner = waiting.get(key(test.name))?.pop();
    if (partner === undefined) onlyNow.push(test);
    else pairs.push({ name: test.name, base: partner.state, now: test.state });
  }
  const left = new Set([...waiting.values()].flat());
  return { pairs, onlyBase: base.filter((test) => left.has(test)), onlyNow };
}

/**
 * Without file, package and groups. The values of a parametrised test stay: `adds[1-2]`. Of a file, which node:test
 * may show with the whole path of the folder where the check ran, only the last part stays.
 */
export function takeBareName(name: string): string {
  if (isFileName(name)) return name.slice(name.lastIndexOf("/") + 1);
  const values = name.search(/[[(]/);
  const head = values === -1 ? name : name.slice(0, values);
  const start = Math.max(head.lastIndexOf(" > ") + 3, head.lastIndexOf(" › ") + 3, head.lastIndexOf("::") + 2);
  return start > 2 || head.startsWith("::") ? name.slice(start) : name;
}

/**
 * What a change did to the tests: the report of a check on the change against the report of the same check on its base.
 *
 * A name that is gone is no finding by itself: tests are renamed, and moved between files. Fewer tests in total are,
 * and so is a test that is still there and no longer runs.
 */

export interface TestFinding {
  readonly rule: "no_test_end" | "tests_failed" | "tests_removed" | "tests_skipped";
  readonly text: string;
  readonly names: readonly string[];
}

export interface TestComparison {
  readonly newTests: readonly string[];
  /** Of these, as many as the total fell by are gone; the others are probably renamed. */
  readonly removed: readonly string[];
  readonly newlySkipped: readonly string[];
  readonly newlyFailing: readonly string[];
  readonly fixed: readonly string[];
  readonly stillFailing: readonly string[];
  readonly findings: readonly TestFinding[];
}

const SHOWN_NAMES = 5;

/** Whether a run of this check that ends with 0 must report the end of its tests. */
export const expectsTests = (base: TestReport | null): base is TestReport => base !== null && base.isComplete;

/** `isGreen` if the check ended with 0: a red check needs no finding about a missing end. */
export function compareTestReports(base: TestReport | null, now: TestReport | null, isGreen = true): TestComparison {
  const lists = compareNames(base, now);
  if (!expectsTests(base)) return { ...lists, findings: [] };
  const missing = isGreen ? findMissingEnd(base, now, lists) : null;
  if (missing !== null || now === null || !now.isComplete)
    return { ...lists, findings: missing === null ? [] : [missing] };
  const found = [
    isGreen ? findFailed(base, now, lists) : null,
    findRemoved(base, now, lists),
    findSkipped(base, now, lists),
  ];
  return { ...lists, findings: found.filter((finding) => finding !== null) };
}

type NameLists = Omit<TestComparison, "findings">;

const NO_REPORT: Pick<TestReport, "tests" | "namesKnown" | "isComplete"> = {
  tests: [],
  namesKnown: "none",
  isComplete: false,
};

function compareNames(base: TestReport | null, now: TestReport | null): NameLists {
  const [before, after] = [base ?? NO_REPORT, now ?? NO_REPORT];
  const { pairs, onlyBase, onlyNow } = pairTests(before.tests, after.tests);
  const knowsAll = before.namesKnown === "all" && after.namesKnown === "all";
  const pick = (from: TestPair["base"], to: TestPair["now"]): readonly string[] =>
    pairs.filter((pair) => pair.base === from && pair.now === to).map(({ name }) => name);
  // Where only failures have names, one that appears was green, and one that is gone is green now.
  const appeared = knowsAll || base === null ? [] : listFailed(onlyNow);
  const gone = knowsAll || !after.isComplete ? [] : listFailed(onlyBase);
  return {
    newTests: knowsAll ? onlyNow.map(({ name }) => name) : [],
    removed: knowsAll ? onlyBase.map(({ name }) => name) : [],
    newlySkipped: [...pick("passed", "skipped"), ...pick("failed", "skipped")],
    newlyFailing: [...pick("passed", "failed"), ...pick("skipped", "failed"), ...appeared],
    fixed: [...pick("failed", "passed"), ...gone],
    stillFailing: pick("failed", "failed"),
  };
}

const listFailed = (tests: readonly TestResult[]): readonly string[] =>
  tests.filter(({ state }) => state === "failed").map(({ name }) => name);

function findMissingEnd(base: TestReport, now: TestReport | null, lists: NameLists): TestFinding | null {
  const start = "The check ended with 0, but";
  if (now === null) return makeFinding("no_test_end", `${start} no test runner reported anything.`);
  if (!now.isComplete)
    return makeFinding("no_test_end", `${start} the test runner did not report its end (${now.runners.join(", ")}).`);
  if (base.isListed && !now.isListed)
    return makeFinding(
      "no_test_end",
      `${start} the summary of the tests has no list of tests above it, as it had before.`,
    );
  const isOther = now.runners.some((runner) => !base.runners.includes(runner));
  const lost = isOther ? [] : base.runners.filter((runner) => !now.runners.includes(runner));
  if (lost.length > 0) return makeFinding("no_test_end", `${start} ${lost.join(", ")} did not report anything.`);
  return findSilentFiles(base, now, lists);
}

/** A new file without a test is a finding only if tests are gone: it may be a script of assertions. */
function findSilentFiles(base: TestReport, now: TestReport, { removed }: NameLists): TestFinding | null {
  const before = new Set(base.silentFiles.map(takeBareName));
  const files = now.silentFiles.filter((file) => !before.has(takeBareName(file)));
  if (files.length === 0 || removed.length === 0) return null;
  const text = `The check ended with 0, but no test was reported by ${countNoun(files.length, "test file")}: ${showNames(files)}.`;
  return makeFinding("no_test_end", text, files);
}

function findFailed(base: TestReport, now: TestReport, { newlyFailing }: NameLists): TestFinding | null {
  const count = now.counts.failed - base.counts.failed;
  if (count <= 0) return null;
  const failed = newlyFailing.length > 0 ? newlyFailing : listFailed(now.tests);
  return makeFinding(
    "tests_failed",
    `The check ended with 0, but ${countNoun(count, "test")} failed${listNames(failed)}.`,
    failed,
  );
}

function findRemoved(base: TestReport, now: TestReport, { removed }: NameLists): TestFinding | null {
  const count = sumCounts(base.counts) - sumCounts(now.counts);
  if (count <= 0) return null;
  const renamed = removed.length > count ? `, ${removed.length} names are gone` : "";
  return makeFinding("tests_removed", `${countNoun(count, "test")} removed${renamed}${listNames(removed)}.`, removed);
}

function findSkipped(base: TestReport, now: TestReport, { newlySkipped }: NameLists): TestFinding | null {
  const knowsAll = base.namesKnown === "all" && now.namesKnown === "all";
  const more = countSkipped(now) - countSkipped(base);
  const fewerRun = base.counts.passed + base.counts.failed - now.counts.passed - now.counts.failed;
  // A new test that is skipped takes nothing away; without names it cannot be told from an old one.
  const count = Math.max(newlySkipped.length, knowsAll ? Math.min(more, fewerRun) : more);
  if (count <= 0) return null;
  const text = `${countNoun(count, "more test")} ${count === 1 ? "is" : "are"} skipped${listNames(newlySkipped)}.`;
  return makeFinding("tests_skipped", text, newlySkipped);
}

const countSkipped = ({ counts }: TestReport): number => counts.skipped + counts.todo;

function makeFinding(rule: TestFinding["rule"], text: string, names: readonly string[] = []): TestFinding {
  return { rule, text, names };
}

const listNames = (names: readonly string[]): string => (names.length === 0 ? "" : `: ${showNames(names)}`);

function showNames(names: readonly string[]): string {
  const rest = names.length - SHOWN_NAMES;
  return names.slice(0, SHOWN_NAMES).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** A report in the form that is kept on disk, and back. */

export function packTestReport(report: TestReport): StoredTestReport {
  const namesOf = (state: TestResult["state"]): readonly string[] =>
    report.tests.filter((test) => test.state === state).map(({ name }) => name);
  return {
    runners: report.runners.slice(),
    counts: { ...report.counts },
    names_known: report.namesKnown,
    complete: report.isComplete,
    listed: report.isListed,
    passed: namesOf("passed"),
    failed: namesOf("failed"),
    skipped: namesOf("skipped"),
    silent_files: report.silentFiles.slice(),
  };
}

/** The tests are in the order of their states. */
export function unpackTestReport(stored: StoredTestReport): TestReport {
  return {
    runners: stored.runners,
    counts: stored.counts,
    tests: [...nameTests(stored, "passed"), ...nameTests(stored, "failed"), ...nameTests(stored, "skipped")],
    namesKnown: stored.names_known,
    isComplete: stored.complete,
    isListed: stored.listed,
    silentFiles: stored.silent_files,
  };
}

function nameTests(stored: StoredTestReport, state: TestResult["state"]): readonly TestResult[] {
  return stored[state].map((name) => ({ name, state }));
}
