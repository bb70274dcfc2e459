/** Compares which tests ran with those that ran before the build. */
import type { VerificationRun } from "../records/report.ts";
import type { Rules } from "../records/evidence.ts";
import type { Finding } from "../records/judgement.ts";
import { findBaseRun, hasPassed } from "./pure/check-state.ts";
import { compareTestReports, type TestComparison, type TestFinding } from "./pure/compare-test-reports.ts";
import { countNoun } from "../base/count-noun.ts";
import { quote } from "../base/quote.ts";
import { readKeptTests } from "./kept-tests.ts";

interface TestsQuestion {
  readonly stateDirectory: string;
  readonly runs: readonly VerificationRun[];
  readonly base: readonly VerificationRun[] | null;
  /** What the configuration and the task say of each rule. */
  readonly rules: NonNullable<Rules["weakening"]>["rules"];
}

interface TestsAnswer {
  readonly findings: readonly (Finding & { readonly cause: string })[];
  readonly notes: readonly string[];
}

export async function compareTests(question: TestsQuestion): Promise<TestsAnswer> {
  const answers = await Promise.all(
    question.runs.filter(hasPassed).map(async (run) => {
      const compared = await compareRun(question, run);
      return compared === null ? NOTHING : judgeTests(run, compared, question.rules);
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
  rules: TestsQuestion["rules"],
): TestsAnswer {
  const of = (setting: "stop" | "note") => findings.filter(({ rule }) => (rules[rule] ?? "stop") === setting);
  return {
    findings: of("stop").map(({ rule, text }) => ({
      gate: rule.replaceAll("_", "-"),
      code: "STOP_CHECKS_WEAKENED",
      subject: id,
      rule: `${text} ${adviseOn(rule)}`,
      glob: null,
      cause: rule,
    })),
    notes: [
      ...of("note").map(({ text }) => `${quote(id)}: ${text}`),
      ...(newTests.length === 0 ? [] : [`${quote(id)} has ${countNoun(newTests.length, "new test")}.`]),
    ],
  };
}

/** A task that is to change tests may remove and skip some. */
function adviseOn(rule: TestFinding["rule"]): string {
  return rule === "tests_removed" || rule === "tests_skipped"
    ? "If that is wanted, name the tests: `--oracle-changes GLOB`, or oracle_changes in your task."
    : `If that is wanted, allow the rule \`${rule}\`: \`allows\` in your task, or verification.rules.`;
}
