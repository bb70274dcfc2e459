/** What the stages of a verification found, one after the other, and which of them is still due. */
import type { CodeOf } from "../../base/codes.ts";
import { unreachable } from "../../base/errors.ts";
import { decodePath } from "../../base/path-names.ts";
import { countNoun, shortenList } from "../../base/words.ts";
import type { Finding } from "../../records/judgement.ts";
import type { VerificationRun } from "../../records/report.ts";
import { HELD, OLD_TESTS } from "../../records/suspicions.ts";
import type { VerifyStage } from "./stages.ts";
import type { Check } from "./verification-plan.ts";

type StageOf<Name extends VerifyStage["name"]> = Extract<VerifyStage, { name: Name }>;

interface FailedCheck {
  readonly check: Check;
  readonly cause: string;
}

/** What checks did that ran to their end. */
export interface Ran {
  readonly runs: readonly VerificationRun[];
  /** The first that failed. */
  readonly failed: FailedCheck | null;
  /** A check was stopped for what it wrote, and verified nothing. */
  readonly excess: { readonly cause: string; readonly finding: Finding } | null;
}

/** What is known after the checks of the change. */
export interface Aftermath {
  /** What they read of the builder's ignored files. */
  readonly read: { readonly findings: readonly Finding[]; readonly notes: readonly string[] };
  /** What they left behind. */
  readonly left: { readonly findings: readonly Finding[]; readonly tolerated: readonly string[] };
  /** Which tests ran, in comparison with those before. */
  readonly tests: {
    readonly findings: readonly (Finding & { readonly cause: string })[];
    readonly notes: readonly string[];
  };
}

export interface StageEnd extends Ran {
  /** Null where nobody looked. */
  readonly aftermath: Aftermath | null;
}

/** What the stages found so far. */
export interface Verified {
  readonly kind: "verified";
  /** Null where every check passed and changed nothing. */
  readonly code: CodeOf<"stop"> | null;
  readonly cause: string | null;
  readonly runs: readonly VerificationRun[];
  readonly findings: readonly Finding[];
  /** Paths that passing checks may leave behind. */
  readonly tolerated: readonly string[];
  readonly notes: readonly string[];
}

export const PASSED: Verified = {
  kind: "verified",
  code: null,
  cause: null,
  runs: [],
  findings: [],
  tolerated: [],
  notes: [],
};

export const SETUP_FAILED = "setup_failed";

/** A later stage decides where the earlier ones found nothing. */
export function addStage(earlier: Verified, stage: VerifyStage, end: StageEnd): Verified {
  switch (stage.name) {
    case "change":
      return readChange(stage, end);
    case "ignored":
      return end.failed === null ? blameIgnored(earlier, stage) : earlier;
    case "old_tests":
      return addOldTests(earlier, stage, end);
    case "new_tests":
      return addNewTests(earlier, stage, end);
    case "committed": {
      const runs = end.runs.map((run) => ({ ...run, committed: true as const }));
      return end.failed === null && end.excess === null
        ? { ...earlier, runs: [...earlier.runs, ...runs] }
        : blameUncommitted({ ...earlier, runs: [...earlier.runs, ...runs] }, stage);
    }
    case "held_out":
      return addFailure(earlier, end, "held_out_red", (check) => ({ gate: "held-out", rule: describeHeldOut(check) }));
    default:
      return unreachable(stage);
  }
}

function readChange({ isTrial }: StageOf<"change">, { runs, failed, excess, aftermath }: StageEnd): Verified {
  if (excess !== null) return { ...PASSED, ...refuseExcess(excess), runs };
  const red = { code: failed?.check.stopCode ?? null, cause: failed?.cause ?? null };
  if (aftermath === null) return { ...PASSED, ...red, runs };
  const seen = readAftermath({ ...PASSED, ...red, runs }, aftermath);
  // What the checks left is gone with the trial.
  return isTrial ? { ...seen, tolerated: [] } : seen;
}

function readAftermath(known: Verified, { read, left, tests }: Aftermath): Verified {
  const seen = {
    ...known,
    findings: [...read.findings, ...left.findings],
    notes: read.notes,
    tolerated: left.tolerated,
  };
  // A check that read what it must not says nothing, whether it passed or not.
  const steered = { code: "STOP_SCOPE_VIOLATION_FORBIDDEN", cause: "ignored_oracle" } as const;
  const { code, cause } = read.findings.length > 0 ? steered : known;
  if (left.findings.length > 0) return { ...seen, code: "STOP_VERIFY_SIDE_EFFECTS", cause };
  if (code !== null) return { ...seen, code, cause };
  const notes = [...read.notes, ...tests.notes];
  const [worst] = tests.findings;
  if (worst === undefined) return { ...seen, notes };
  const findings = tests.findings.map(({ cause: _cause, ...finding }) => finding);
  return { ...seen, code: "STOP_CHECKS_WEAKENED", cause: worst.cause, findings, notes };
}

const refuseExcess = ({ cause, finding }: NonNullable<Ran["excess"]>) =>
  ({ code: "STOP_VERIFY_SIDE_EFFECTS", cause, findings: [finding] }) as const;

function blameIgnored(earlier: Verified, { checks, example }: StageOf<"ignored">): Verified {
  const findings = checks.map(({ templateId, stopCode }) => ({
    gate: "ignored-oracle",
    code: stopCode,
    subject: templateId,
    rule: `It passes only with ignored files of the builder, such as ${example}. Name the command that makes them in verification.setup.`,
    glob: null,
  }));
  return { ...earlier, cause: "ignored_oracle", findings };
}

export const NEEDS_UNCOMMITTED = "needs-uncommitted";

/** It is not wrong: a person only has to commit first. */
function blameUncommitted(earlier: Verified, { instead }: StageOf<"committed">): Verified {
  const files = [...instead].filter(([, entry]) => entry?.type !== "directory");
  const paths = files.map(([path]) => decodePath(path).text);
  const rule =
    paths.length === 1
      ? `It needs your uncommitted ${shortenList(paths)}.`
      : `It needs something that you have not committed: ${shortenList(paths)}.`;
  const finding = { gate: NEEDS_UNCOMMITTED, code: HELD, subject: "the change", rule, glob: null } as const;
  return { ...earlier, code: HELD, cause: "needs_uncommitted", findings: [...earlier.findings, finding] };
}

function addFailure(
  earlier: Verified,
  { failed, excess, ...end }: Ran,
  cause: string,
  explain: (check: Check) => Pick<Finding, "gate" | "rule" | "quote">,
): Verified {
  const runs = [...earlier.runs, ...end.runs];
  if (excess !== null) return { ...earlier, ...refuseExcess(excess), runs };
  if (failed === null) return { ...earlier, runs };
  const { templateId: subject, stopCode: code } = failed.check;
  const findings = [{ ...explain(failed.check), code, subject, glob: null }];
  return { ...earlier, code, cause: failed.cause === SETUP_FAILED ? SETUP_FAILED : cause, runs, findings };
}

/** Of several suspicions the first names the cause; evidence wins. */
function joinFinding(known: Verified, finding: Finding, cause: string): Verified {
  const isFirst = finding.code !== HELD || known.cause === null;
  const findings = [...known.findings, finding];
  return { ...known, code: finding.code, cause: isFirst ? cause : known.cause, findings };
}

/** A person who asked for other tests is asked whether these are the ones. */
function addOldTests(
  earlier: Verified,
  { changed, isAsked }: StageOf<"old_tests">,
  { runs, ...end }: StageEnd,
): Verified {
  const { failed, excess } = end;
  const said = "It passes with the new tests and fails with the old ones";
  const isQuestion = isAsked && failed !== null && failed.cause !== SETUP_FAILED && excess === null;
  const old = runs.map((run) => {
    const isRed = run.template_id === failed?.check.templateId;
    return { ...run, oracle: "base" as const, ...(isQuestion && isRed ? { state: "asked" as const } : {}) };
  });
  if (!isQuestion) {
    const rule = `${said}; changed: ${shortenList(changed)}. Fix the code, or say that these tests are to change.`;
    const quote = changed.join("\n");
    return addFailure(earlier, { ...end, runs: old }, "base_oracle_red", () => ({ gate: OLD_TESTS, rule, quote }));
  }
  const rule = `${said}, which you asked to change: ${shortenList(changed)}.`;
  const finding = { gate: OLD_TESTS, code: HELD, subject: failed.check.templateId, rule, glob: null } as const;
  return joinFinding({ ...earlier, runs: [...earlier.runs, ...old] }, finding, "old_tests_asked");
}

function describeHeldOut({ heldOut }: Check): string {
  if (heldOut === undefined) return "It fails before the held-out checks.";
  const where = heldOut.isShared ? "" : " A person reads its output with `relais log`.";
  return `This held-out check fails.${where}`;
}

/** What passes on the old code, too, is a note, and a finding where other behaviour and a test of it are asked for. */
function addNewTests(earlier: Verified, stage: StageOf<"new_tests">, { runs, failed, excess }: Ran): Verified {
  const ms = sumDurations(runs);
  const [first, ...others] = earlier.runs;
  const timed = first === undefined || ms === 0 ? earlier.runs : [{ ...first, old_code_ms: ms }, ...others];
  const known = { ...earlier, runs: timed };
  if (failed !== null || excess !== null) return known;
  const { tests, setting } = stage;
  const rule = `${countNoun(tests.length, "new test")} ${tests.length === 1 ? "passes" : "pass"} without the change, too: ${shortenList(tests)}.`;
  if (setting !== "stop" && setting !== "hold") return { ...known, notes: [...known.notes, rule] };
  const advice = "Test what the task asks for, or allow the rule `passes_without_change`.";
  const code = setting === "stop" ? "STOP_CHECKS_WEAKENED" : HELD;
  const words = { subject: "the new tests", rule: `${rule} ${advice}`, glob: null };
  return joinFinding(known, { gate: "passes-without-change", code, ...words }, "passes_without_change");
}

/** Longer checks are not run once more for new tests alone. */
const NEW_TESTS_MS_MAX = 60_000;

/** The stage as it is due after the earlier ones, and null where it is not. */
export function findDue(stage: VerifyStage, earlier: Verified): VerifyStage | null {
  if (stage.name === "ignored") return findDoubted(stage, earlier);
  // What a suspicion is worth, the later stages help to decide.
  if (earlier.code !== null && earlier.code !== HELD) return null;
  if (stage.name !== "new_tests") return stage;
  const runs = earlier.runs.filter(({ oracle }) => oracle === undefined);
  if (sumDurations(runs) > NEW_TESTS_MS_MAX) return null;
  // A check that failed before and passes now proves the work.
  const isProven = runs.some(({ state }) => state !== "passed");
  return { ...stage, setting: stage.setting ?? (!isProven && stage.asksForProof ? "hold" : "note") };
}

/** Only a check that came to its end is asked whether it passes with the ignored files. */
function findDoubted(stage: StageOf<"ignored">, { code, runs, findings }: Verified): StageOf<"ignored"> | null {
  const last = runs.at(-1);
  const checks = stage.checks.filter(({ templateId }) => templateId === last?.template_id).slice(0, 1);
  const isDue =
    code !== null && code !== HELD && checks.length > 0 && last?.timed_out !== true && findings.length === 0;
  return isDue ? { ...stage, checks } : null;
}

function sumDurations(runs: readonly VerificationRun[]): number {
  return runs.reduce((sum, { duration_ms, setup_ms = 0 }) => sum + duration_ms + setup_ms, 0);
}
