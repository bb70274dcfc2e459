/**
 * Runs checks one after the other in a place, up to the first that fails. The commands of `verification.setup` come
 * first, after old build output is removed.
 */
import { REPORT_LIMITS, type VerificationRun } from "../records/report.ts";
import type { Excess } from "../base/manifest.ts";
import type { TestReport } from "../records/test-report.ts";
import { classifyRun, findBaseRun } from "./pure/known-base.ts";
import type { Check } from "./pure/verification-plan.ts";
import { readTestReport } from "./pure/read-test-report.ts";
import { shorten } from "../base/words.ts";
import { readClockMs } from "../system/clock.ts";
import type { SessionEnd } from "../process/supervise.ts";
import { compareRun } from "./compare-tests.ts";
import { keepTestReport } from "./compare-tests.ts";
import { removeOutput } from "./run-check.ts";
import { type CheckContext, describeRun, findFailure, runWatched } from "./run-check.ts";

/** A longer check is not run a second time only to see whether it is flaky. */
const AGAIN_MS_MAX = 60_000;

/** Of the failed tests; the card shows as many last lines. */
const FAILED_SHOWN = 3;

export const SETUP_FAILED = "setup_failed";

interface ChecksRequest {
  readonly context: CheckContext;
  readonly checks: readonly Check[];
  /** The runs before the build; null where there are none. */
  readonly base: readonly VerificationRun[] | null;
  /** Whether a check may fail that failed before. */
  readonly inherits: boolean;
  /** Whether all run, however the first ones end. */
  readonly runsAll?: boolean;
  /** Between the setup and the checks. */
  readonly afterSetup?: () => void;
}

interface FailedCheck {
  readonly check: Check;
  readonly cause: string;
}

/** `aborted` and `tick-timed-out` end the tick and say nothing about the work. */
export type ChecksEnd =
  | {
      readonly kind: "ran";
      readonly runs: readonly VerificationRun[];
      /** The first that failed. */
      readonly failed: FailedCheck | null;
      /** A check was stopped for what it wrote. */
      readonly excess: Excess | null;
    }
  | { readonly kind: "aborted" | "tick-timed-out"; readonly runs: readonly VerificationRun[] };

export async function runAllChecks(request: ChecksRequest): Promise<ChecksEnd> {
  if (request.checks.length === 0) return { kind: "ran", runs: [], failed: null, excess: null };
  const { end, setupMs } = await runSetup(request.context);
  if (end !== null) return end;
  request.afterSetup?.();
  const ended = await runEach(request);
  const [first, ...others] = ended.runs;
  return first === undefined || setupMs === 0
    ? ended
    : { ...ended, runs: [{ ...first, setup_ms: setupMs }, ...others] };
}

async function runEach(request: ChecksRequest): Promise<ChecksEnd> {
  const runs: VerificationRun[] = [];
  let failed: FailedCheck | null = null;
  for (const check of request.checks) {
    const answer = await runJudged(request, check);
    if (answer.kind !== "ran") return { ...answer, runs };
    runs.push(...answer.runs);
    if (answer.excess !== null) return { ...answer, runs };
    failed ??= answer.failed;
    if (failed !== null && request.runsAll !== true) break;
  }
  return { kind: "ran", runs, failed, excess: null };
}

/** A setup that fails ends the checks as a failed check. One that passes is only measured. */
async function runSetup(context: CheckContext): Promise<{ readonly end: ChecksEnd | null; readonly setupMs: number }> {
  const { setup, timeout_slow_seconds: timeoutSeconds } = context.config.verification;
  if (setup.length > 0) await removeOutput(context);
  let setupMs = 0;
  for (const { cmd, args, network = false } of setup) {
    const own = { templateId: "setup", phase: "fast", stopCode: "STOP_VERIFY_FAILED_FAST" } as const;
    const check: Check = { ...own, cmd, args, network, timeoutSeconds };
    const answer = await runOne(context, check);
    if (answer.kind !== "ran" || answer.excess !== null) return { end: answer, setupMs };
    if (answer.failed !== null) return { end: { ...answer, failed: { check, cause: SETUP_FAILED } }, setupMs };
    setupMs += answer.runs.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  }
  return { end: null, setupMs };
}

async function runJudged(request: ChecksRequest, check: Check): Promise<ChecksEnd> {
  const first = await runOne(request.context, check);
  const [run] = first.runs;
  if (first.kind !== "ran" || run === undefined || first.excess !== null) return first;
  const state = classifyRun(run, findBaseRun(request.base, run));
  if (state === null) return first;
  const known = { ...first, runs: [{ ...run, state }] };
  if (state === "red_before") return (await isNoWorse(request, run)) ? { ...known, failed: null } : known;
  const isWorthAgain = state === "broken" && !run.timed_out && run.duration_ms <= AGAIN_MS_MAX;
  return isWorthAgain ? runAgain(request.context, check, known) : known;
}

/** Whether it may fail, and no test fails that passed before, as far as anybody knows. */
async function isNoWorse({ context, base, inherits }: ChecksRequest, run: VerificationRun): Promise<boolean> {
  if (!inherits) return false;
  const compared = await compareRun({ stateDirectory: context.stateDirectory, base }, run);
  return compared === null || compared.newlyFailing.length === 0;
}

/** A check that passed before and fails now may be flaky. */
async function runAgain(context: CheckContext, check: Check, first: ChecksEnd): Promise<ChecksEnd> {
  const second = await runOne(context, check);
  if (second.kind !== "ran" || second.excess !== null) return second;
  if (second.failed !== null) return first;
  return { ...second, runs: [...first.runs, ...second.runs].map((run) => ({ ...run, state: "flaky" as const })) };
}

async function runOne(context: CheckContext, check: Check): Promise<ChecksEnd> {
  const remainingMs = context.deadlineAt - readClockMs();
  const timeoutMs = check.timeoutSeconds * 1000;
  const { end, excess } = await runWatched(context, check, Math.min(timeoutMs, remainingMs));
  if (end.kind === "aborted" && excess === null) return { kind: "aborted", runs: [] };
  if (end.kind === "timed-out" && remainingMs <= timeoutMs) return { kind: "tick-timed-out", runs: [] };
  const isOffline = context.sandbox !== null && check.network !== true;
  const { report, ...tests } = await readTests(context, check, end);
  const run = nameFailedTests({ ...describeRun(check, end, isOffline), ...tests }, report);
  const cause = findFailure(end);
  return { kind: "ran", runs: [run], failed: cause === null ? null : { check, cause }, excess };
}

/** Which tests failed is worth more than the last lines of the output. */
function nameFailedTests(run: VerificationRun, report: TestReport | null): VerificationRun {
  const failed = (report?.tests ?? []).filter(({ state }) => state === "failed").map(({ name }) => name);
  if (run.last_lines === undefined || failed.length === 0) return run;
  const shown = failed.slice(0, FAILED_SHOWN).map((name) => `failed: ${name}`);
  const rest = failed.length > FAILED_SHOWN ? [`failed: ${failed.length - FAILED_SHOWN} more`] : [];
  const named = [...shown, ...rest].map((line) => shorten(line, REPORT_LIMITS.lastLineChars));
  return { ...run, last_lines: [...run.last_lines, ...named].slice(-REPORT_LIMITS.lastLines) };
}

/** The end of a long output is its tail. */
async function readTests(
  { stateDirectory }: CheckContext,
  { heldOut }: Check,
  { stdout, stderr, stdoutTruncated, tail }: SessionEnd,
): Promise<Pick<VerificationRun, "tests"> & { readonly report: TestReport | null }> {
  if (heldOut?.isShared === false) return { report: null };
  const output = [stdout, stderr].map((bytes) => bytes.toString("utf8")).join("\n");
  const report = readTestReport(output, stdoutTruncated ? tail.toString("utf8") : undefined);
  if (report === null) return { report };
  const { passed, failed, skipped, todo } = report.counts;
  const sha256 = await keepTestReport(stateDirectory, report);
  return { report, tests: { passed, failed, skipped: skipped + todo, sha256 } };
}
