import { createHash } from "node:crypto";
import { join } from "node:path";
import { StoredTestReport, type TestReport } from "../records/test-report.ts";
import { parseWith } from "../base/schema-error.ts";
import {
  packTestReport,
  unpackTestReport,
  compareTestReports,
  type TestComparison,
  type TestFinding,
} from "./pure/compare-test-reports.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { makeFolders } from "../system/folders.ts";
import type { VerificationRun } from "../records/report.ts";
import type { Finding } from "../records/judgement.ts";
import { findBaseRun, hasPassed } from "./pure/known-base.ts";
import { countNoun, quote } from "../base/words.ts";

/** The test reports of checks, by their hash: the journal has the hash, so nobody can change a report unseen. */

const BYTES_MAX = 16 * 1024 * 1024;

export async function keepTestReport(stateDirectory: string, report: TestReport): Promise<string> {
  const text = JSON.stringify(packTestReport(report));
  const sha256 = createHash("sha256").update(text).digest("hex");
  makeFolders(join(stateDirectory, "tests"), 0o700);
  await writeAtomic(locateReport(stateDirectory, sha256), text, { mode: 0o600 });
  return sha256;
}

/** Null where it is lost, or not what was kept. */
export async function readKeptTests(stateDirectory: string, sha256: string): Promise<TestReport | null> {
  const read = await readBounded(locateReport(stateDirectory, sha256), BYTES_MAX);
  if (read.kind !== "read" || createHash("sha256").update(read.data).digest("hex") !== sha256) return null;
  const parsed = parseWith(StoredTestReport, JSON.parse(read.data.toString("utf8")));
  return parsed.kind === "valid" ? unpackTestReport(parsed.value) : null;
}

function locateReport(stateDirectory: string, sha256: string): string {
  return join(stateDirectory, "tests", `${sha256}.json`);
}

/** Compares which tests ran with those that ran before the build. */

interface TestsQuestion {
  readonly stateDirectory: string;
  readonly runs: readonly VerificationRun[];
  readonly base: readonly VerificationRun[] | null;
  /** Whether the task asks for fewer tests, or for skipped ones. */
  readonly mayGo: boolean;
}

interface TestsAnswer {
  readonly findings: readonly (Finding & { readonly cause: string })[];
  readonly notes: readonly string[];
}

export async function compareTests(question: TestsQuestion): Promise<TestsAnswer> {
  const answers = await Promise.all(
    question.runs.filter(hasPassed).map(async (run) => {
      const compared = await compareRun(question, run);
      return compared === null ? NOTHING : judgeTests(run, compared, question.mayGo);
    }),
  );
  return { findings: answers.flatMap(({ findings }) => findings), notes: answers.flatMap(({ notes }) => notes) };
}

const NOTHING: TestsAnswer = { findings: [], notes: [] };

/** Null where nobody knows the tests before. */
export async function compareRun(
  { stateDirectory, base }: Pick<TestsQuestion, "stateDirectory" | "base">,
  run: VerificationRun,
): Promise<TestComparison | null> {
  const before = findBaseRun(base, run)?.tests;
  if (before === undefined) return null;
  const old = await readKeptTests(stateDirectory, before.sha256);
  const now = run.tests === undefined ? null : await readKeptTests(stateDirectory, run.tests.sha256);
  return compareTestReports(old, now, hasPassed(run));
}

function judgeTests(
  { template_id: id }: VerificationRun,
  { findings, newTests }: TestComparison,
  mayGo: boolean,
): TestsAnswer {
  const isWanted = ({ rule }: TestFinding) => mayGo && (rule === "tests_removed" || rule === "tests_skipped");
  return {
    findings: findings
      .filter((found) => !isWanted(found))
      .map(({ rule, text }) => ({
        gate: rule.replaceAll("_", "-"),
        code: "STOP_CHECKS_WEAKENED",
        subject: id,
        rule: `${text} ${adviseOn(rule)}`,
        glob: null,
        cause: rule,
      })),
    notes: [
      ...findings.filter(isWanted).map(({ text }) => `${quote(id)}: ${text}`),
      ...(newTests.length === 0 ? [] : [`${quote(id)} has ${countNoun(newTests.length, "new test")}.`]),
    ],
  };
}

/** A task that is to change tests may remove and skip some. */
function adviseOn(rule: TestFinding["rule"]): string {
  return rule === "tests_removed" || rule === "tests_skipped"
    ? "If that is wanted, name the tests: `--update-tests GLOB`, or update_tests in your task."
    : "Let the check run its tests to their end, and fail where one of them does.";
}
