import type { Code } from "../../base/codes.ts";
import type { Finding } from "../../records/judgement.ts";
import { isSuspicion } from "../../records/suspicions.ts";
import type { VerificationRun } from "../../records/report.ts";

interface DecisiveFacts {
  readonly findings: readonly Finding[];
  readonly findings_total: number;
  readonly runs: readonly VerificationRun[];
}

/** Contains untrusted text, which the view escapes. Null if nothing is recorded. */
export function describeDecision({ findings: [first], findings_total, runs }: DecisiveFacts): string | null {
  if (first !== undefined) {
    const rest = findings_total > 1 ? ` And ${findings_total - 1} more.` : "";
    return `${first.subject}: ${nameFindingRule(first)}${rest}`;
  }
  const red = runs.find((run) => !isGreenRun(run));
  if (red === undefined) return null;
  const said = red.last_lines?.at(-1);
  return `${red.template_id}: ${describeRedCheck(red)}${said === undefined ? "" : `: ${said}`}`;
}

/** Why a change is held: the place and what stands there. */
export function describeSuspicion({ subject, rule }: Finding): string {
  const said = rule.replace(/ \(rule `\w+`\)/, "").replace(/\.$/, "");
  return said.startsWith("It ") ? `${subject} ${said.slice(3)}` : `${subject}: ${said}`;
}

/** For a headline: "README.md is outside the allowed paths". */
const PREDICATES: Partial<Record<Code, string>> = {
  STOP_RUNNER_OWNED_MUTATION: "belongs to relais",
  STOP_QUESTION_SIDE_EFFECTS: "was changed by a question",
  STOP_VERIFY_ONLY_SIDE_EFFECTS: "was changed by a verify_only task",
  STOP_UNSAFE_PATH: "is an unsafe path",
  STOP_SCOPE_VIOLATION_FORBIDDEN: "is a forbidden path",
  STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED: "is outside the allowed paths",
  STOP_SCOPE_VIOLATION_NEW_FILE: "is a new file, and new files are not allowed",
  STOP_LOCKFILE_CHANGE_FORBIDDEN: "is a lockfile, and lockfile changes are not allowed",
  STOP_CHECKS_WEAKENED: "weakens the checks",
  STOP_IGNORED_MUTATION: "is a protected ignored file",
};

/** Gates that share the code of another one. */
const PREDICATES_OF_GATES: Readonly<Partial<Record<string, string>>> = {
  "forbidden-content": "holds content of a forbidden file",
  credentials: "adds a credential",
  oracle: "steers the checks",
  "old-oracle": "fails with the old tests",
  "ignored-oracle": "passes only with ignored files",
  "held-out": "fails; it is a held-out check",
  "no-effect": "does not do what the task asks for",
  "no-test-end": "ended before its test runner did",
  "tests-failed": "passed although tests failed",
  "tests-removed": "runs fewer tests than before",
  "tests-skipped": "skips more tests than before",
};

/** Null if the code says as much. */
export function findDecisiveHeadline({ findings: [first], findings_total, runs }: DecisiveFacts): string | null {
  const said = first === undefined ? null : describeFinding(first);
  if (said !== null) return `${said}${findings_total > 1 ? ` (and ${findings_total - 1} more)` : ""}`;
  const red = first === undefined ? runs.find((run) => !isGreenRun(run)) : undefined;
  return red === undefined ? null : `${red.template_id} failed (${describeRedCheck(red)})`;
}

function describeFinding(finding: Finding): string | null {
  if (isSuspicion(finding)) return describeSuspicion(finding);
  const predicate = PREDICATES_OF_GATES[finding.gate] ?? PREDICATES[finding.code];
  return predicate === undefined ? null : `${finding.subject} ${predicate}`;
}

export function nameFindingRule({ rule, glob }: Finding): string {
  return glob === null ? rule : `${rule.replace(/\.$/, "")} (glob ${glob}).`;
}

export function isGreenRun({ exit_code, timed_out }: VerificationRun): boolean {
  return exit_code === 0 && !timed_out;
}

export function describeRedCheck({ exit_code, timed_out }: VerificationRun): string {
  if (timed_out) return "timed out";
  return exit_code === -1 ? "did not finish" : `exit status ${exit_code}`;
}

/** The end of a failed check as a predicate: "The check ... ran out of time". */
export function describeCheckEnd({ exit_code, timed_out }: VerificationRun): string {
  return timed_out ? "ran out of time" : `ended with status ${exit_code}`;
}
