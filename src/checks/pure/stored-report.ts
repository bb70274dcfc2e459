/** A report in the form that is kept on disk, and back. */
import type { StoredTestReport, TestReport, TestResult } from "../../records/test-report.ts";

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
