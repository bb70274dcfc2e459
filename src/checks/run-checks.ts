/** Runs checks one after the other in a place, up to the first that fails. */
import { join } from "node:path";
import { compileAllowed } from "../base/globs.ts";
import type { Excess } from "../base/manifest.ts";
import { shorten } from "../base/words.ts";
import { describeExcess, nameExcess } from "../judge/pure/growth-gate.ts";
import type { SessionEnd } from "../process/supervise.ts";
import { isDependency } from "../records/dependencies.ts";
import { REPORT_LIMITS, type VerificationRun } from "../records/report.ts";
import type { TestReport } from "../records/test-report.ts";
import { removeTrees } from "../system/remove-files.ts";
import { listGitPaths } from "../workspace/read-project.ts";
import { compareRun, keepTestReport } from "./compare-tests.ts";
import { classifyRun, findBaseRun } from "./pure/known-base.ts";
import { readTestReport } from "./pure/read-test-report.ts";
import { type Ran, SETUP_FAILED } from "./pure/stage-ends.ts";
import type { CheckStage } from "./pure/stages.ts";
import type { Check } from "./pure/verification-plan.ts";
import { type CheckRun, describeRun, findFailure, runCheck } from "./run-check.ts";

/** A longer check is not run a second time only to see whether it is flaky. */
const AGAIN_MS_MAX = 60_000;

/** Of the failed tests; the card shows as many last lines. */
const FAILED_SHOWN = 3;

/** It ends the tick and says nothing about the work. */
export interface Interrupted {
  readonly kind: "aborted" | "tick-timed-out";
  readonly runs: readonly VerificationRun[];
}

export type ChecksEnd = ({ readonly kind: "ran" } & Ran) | Interrupted;

type Asked = Pick<CheckStage, "name" | "checks" | "base" | "inherits">;

export async function runChecks(run: CheckRun, asked: Asked): Promise<ChecksEnd> {
  const runs: VerificationRun[] = [];
  let failed: Ran["failed"] = null;
  for (const check of asked.checks) {
    let end = compareWithBase(await readEnd(run, check, await runCheck(run, check)), asked.base);
    if (isFlaky(end)) end = chooseFrom(end, await readEnd(run, check, await runCheck(run, check)));
    if (end.kind !== "ran") return { ...end, runs };
    runs.push(...end.runs);
    if (end.excess !== null) return { ...end, runs };
    if (end.failed !== null && !(await isNoWorse(run, asked, end))) failed ??= end.failed;
    if (failed !== null && asked.name !== "base") break;
  }
  return { kind: "ran", runs, failed, excess: null };
}

/** Runs the commands of `verification.setup`, after old build output is removed. One that passes is only measured. */
export async function runSetup(
  run: CheckRun,
  checks: readonly Check[],
): Promise<ChecksEnd | { readonly kind: "ready"; readonly ms: number }> {
  const { setup, timeout_slow_seconds: timeoutSeconds } = run.config.verification;
  let ms = 0;
  if (setup.length > 0 && checks.length > 0) await removeOutput(run);
  for (const { cmd, args, network = false } of checks.length === 0 ? [] : setup) {
    const own = { templateId: "setup", phase: "fast", stopCode: "STOP_VERIFY_FAILED_FAST" } as const;
    const check: Check = { ...own, cmd, args, network, timeoutSeconds };
    const end = await readEnd(run, check, await runCheck(run, check));
    if (end.kind !== "ran" || end.excess !== null) return end;
    if (end.failed !== null) return { ...end, failed: { check, cause: SETUP_FAILED } };
    ms += end.runs.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  }
  return { kind: "ready", ms };
}

export function addSetupTime<End extends { readonly runs: readonly VerificationRun[] }>(end: End, ms: number): End {
  const [first, ...others] = end.runs;
  if (first === undefined || ms === 0) return end;
  return { ...end, runs: [{ ...first, setup_ms: (first.setup_ms ?? 0) + ms }, ...others] };
}

async function readEnd(
  run: CheckRun,
  check: Check,
  { end, excess, isLast }: Awaited<ReturnType<typeof runCheck>>,
): Promise<ChecksEnd> {
  if (end.kind === "aborted" && excess === null) return { kind: "aborted", runs: [] };
  if (end.kind === "timed-out" && isLast) return { kind: "tick-timed-out", runs: [] };
  const isOffline = run.sandbox !== null && check.network !== true;
  const { report, ...tests } = await readTests(run, check, end);
  const known = nameFailedTests({ ...describeRun(check, end, isOffline), ...tests }, report);
  const cause = findFailure(end);
  return {
    kind: "ran",
    runs: [known],
    failed: cause === null ? null : { check, cause },
    excess: excess === null ? null : refuseExcess(excess),
  };
}

function refuseExcess(excess: Excess): Ran["excess"] {
  const code = "STOP_VERIFY_SIDE_EFFECTS";
  const rule = describeExcess(excess);
  const finding = { gate: "verify-side-effects", code, subject: "the files of the checks", rule, glob: null } as const;
  return { cause: nameExcess(excess), finding };
}

/** A check of the same name and arguments that ran before the build tells what its end says about the work. */
function compareWithBase(end: ChecksEnd, base: Asked["base"]): ChecksEnd {
  if (end.kind !== "ran" || end.excess !== null) return end;
  const runs = end.runs.map((run) => {
    const state = classifyRun(run, findBaseRun(base, run));
    return state === null ? run : { ...run, state };
  });
  return { ...end, runs };
}

/** A check that passed before and fails now may be flaky. */
function isFlaky({ runs: [run] }: ChecksEnd): boolean {
  return run?.state === "broken" && !run.timed_out && run.duration_ms <= AGAIN_MS_MAX;
}

function chooseFrom(first: ChecksEnd, second: ChecksEnd): ChecksEnd {
  if (second.kind !== "ran" || second.excess !== null) return second;
  if (second.failed !== null) return first;
  return { ...second, runs: [...first.runs, ...second.runs].map((run) => ({ ...run, state: "flaky" })) };
}

/** Whether it may fail as it did before, and no test fails that passed before, as far as anybody knows. */
async function isNoWorse({ stateDirectory }: CheckRun, { base, inherits }: Asked, { runs: [run] }: Ran) {
  if (!inherits || run?.state !== "red_before") return false;
  const compared = await compareRun({ stateDirectory, base }, run);
  return compared === null || compared.newlyFailing.length === 0;
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
  { stateDirectory }: CheckRun,
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

const LIST_BYTES_MAX = 64 * 1024 * 1024;

/** Removes ignored build output from the place, so that nothing old decides a check. Dependencies stay. */
async function removeOutput({ place, config }: CheckRun): Promise<void> {
  const isOutput = compileAllowed(config.ignored_writable_globs);
  const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const around = { ...place.repository, root: place.tree };
  const ignored = await listGitPaths(around, { args, outputBytesMax: LIST_BYTES_MAX });
  const output = ignored
    .filter((path) => isOutput(path.endsWith("/") ? `${path}x` : path) !== null)
    .filter((path) => !isDependency({ path: path.replace(/\/$/u, ""), standing: "ignored" }))
    .filter((path) => !`${path}/`.startsWith(`${config.workspace_dir}/`));
  if (output.length > 0) removeTrees(output.map((path) => Buffer.from(join(place.tree, path.replace(/\/$/u, "")))));
}
