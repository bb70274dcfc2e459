import { join } from "node:path";
import type { VerificationRun } from "../records/report.ts";
import { type InstallCommand, listInstallCommands } from "./pure/config-text.ts";
import type { Check } from "./pure/verification-plan.ts";
import { isFolder } from "../system/read-files.ts";
import { readClockMs } from "../system/clock.ts";
import {
  type CheckContext,
  describeRun,
  findFailure,
  missesNetwork,
  runWatched,
  listSideEffects,
} from "./run-check.ts";
import type { CodeOf } from "../base/codes.ts";
import type { Finding } from "../records/judgement.ts";
import type { Excess } from "../base/manifest.ts";
import { describeExcess, nameExcess } from "../judge/pure/growth-gate.ts";
import { watchReads } from "../store/read-watch.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import type { Candidate } from "../place/workplace.ts";
import { findIgnoredReads, listIgnoredFiles } from "./pure/read-ignored.ts";
import { toBytePath } from "../system/byte-path.ts";
import { compareTests } from "./compare-tests.ts";
import { type ChecksEnd, runAllChecks, SETUP_FAILED } from "./run-all-checks.ts";
import { runHeldOut, runNewTests } from "./candidate-tests.ts";
import { asksForFewerTests } from "../judge/pure/asked-work.ts";
import { runWithOldOracle } from "./run-old-oracle.ts";
import type { VerifyRequest } from "./verify-request.ts";

export type InstallEnd =
  | { readonly kind: "installed"; readonly ms: number }
  /** The network or the program is missing, so nothing is known. */
  | { readonly kind: "impossible"; readonly note: string }
  /** The lockfile is not one that can be installed. */
  | { readonly kind: "failed"; readonly run: VerificationRun };

/** Makes dependencies anew in the place, from their lockfiles, with the network. A folder that is not there is not made. */
export async function installAnew(context: CheckContext, commands: readonly InstallCommand[]): Promise<InstallEnd> {
  let ms = 0;
  for (const command of commands) {
    if (!isFolder(join(context.place.tree, command.makes))) continue;
    const end = await installOne(context, command);
    if (end.kind !== "installed") return end;
    ms += end.ms;
  }
  return { kind: "installed", ms };
}

async function installOne(context: CheckContext, { cmd, args }: InstallCommand): Promise<InstallEnd> {
  const timeoutSeconds = context.config.verification.timeout_slow_seconds;
  const own = { templateId: "install", phase: "fast", stopCode: "STOP_VERIFY_FAILED_FAST" } as const;
  const check: Check = { ...own, cmd, args, network: true, timeoutSeconds };
  const remainingMs = context.deadlineAt - readClockMs();
  const { end } = await runWatched(context, check, Math.min(timeoutSeconds * 1000, remainingMs));
  const failure = findFailure(end);
  if (failure === null) return { kind: "installed", ms: Math.round(end.durationMs) };
  if (end.kind === "exited" && !missesNetwork(end)) return { kind: "failed", run: describeRun(check, end, false) };
  const why = missesNetwork(end) ? "there is no network" : failure;
  const command = [cmd, ...args].join(" ");
  return {
    kind: "impossible",
    note: `The checks ran with the dependencies of the builder: \`${command}\` could not run (${why}).`,
  };
}

/**
 * Runs the checks on the change that was judged.
 *
 * The runner starts them itself; only their exit status counts. They see what would be committed: what the builder wrote
 * where git ignores it is reverted for them. Where the change touches the files that decide the checks, they run again
 * with these files as they were before, and both runs must pass. When all pass the tree is observed again: a check that
 * changed what it was to verify has verified something else.
 */

export type VerificationResult =
  | {
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
  | Exclude<ChecksEnd, { kind: "ran" }>;

type Verified = Extract<VerificationResult, { kind: "verified" }>;
type Ran = Extract<ChecksEnd, { kind: "ran" }>;

export async function runChecks(request: VerifyRequest): Promise<VerificationResult> {
  const { context, candidate } = request;
  const commands = request.checks.length === 0 ? [] : listInstallCommands(candidate.evidence);
  if (commands.length === 0) return runOnCandidate(request);
  const kept = candidate.observation;
  try {
    const end = await installAnew(context, commands);
    if (end.kind === "installed") {
      const observation = await context.change.observe();
      const result = await runOnCandidate({ ...request, candidate: { ...candidate, observation } });
      return addSetupTime(dropTolerated(result), end.ms);
    }
    if (end.kind === "failed")
      return { ...NOTHING_LEFT, code: "STOP_VERIFY_FAILED_FAST", cause: "install_failed", runs: [end.run] };
    await context.change.bringBack(kept);
    return addNote(await runOnCandidate(request), end.note);
  } finally {
    await context.change.bringBack(kept);
  }
}

function addSetupTime(result: VerificationResult, ms: number): VerificationResult {
  const [first, ...others] = result.runs;
  if (first === undefined) return result;
  return { ...result, runs: [{ ...first, setup_ms: (first.setup_ms ?? 0) + ms }, ...others] };
}

function addNote(result: VerificationResult, note: string): VerificationResult {
  return result.kind === "verified" ? { ...result, tolerated: [], notes: [...result.notes, note] } : result;
}

async function runOnCandidate(request: VerifyRequest): Promise<VerificationResult> {
  const main = await runWithNewOracle(request);
  if (!isPassed(main)) return main;
  const isPinned = request.pinned.oracle.length > 0;
  const second = isPinned ? addRuns(main, await runWithOldOracle(request), "base_oracle_red") : main;
  if (!isPassed(second)) return second;
  const third = isPinned ? await judgeNewTests(request, second, main.runs) : second;
  if (!isPassed(third) || request.heldOut.checks.length === 0) return third;
  return addRuns(third, await runHeldOut(request), "held_out_red");
}

async function runWithNewOracle(request: VerifyRequest): Promise<VerificationResult> {
  const { pinned, context } = request;
  const isAsItIs = pinned.ignored.length === 0 && context.config.verification.setup.length === 0;
  const first = isAsItIs ? await runInPlace(request) : await runWithoutIgnored(request);
  return isPassed(first) ? judgeTests(request, first) : first;
}

function isPassed(result: VerificationResult): result is Verified {
  return result.kind === "verified" && result.code === null;
}

async function judgeNewTests(
  request: VerifyRequest,
  earlier: Verified,
  runs: Verified["runs"],
): Promise<VerificationResult> {
  const answer = await runNewTests(request, runs);
  if (answer.kind !== "ran") return { ...answer, runs: earlier.runs };
  const { finding, note, ms } = answer;
  const notes = note === null ? earlier.notes : [...earlier.notes, note];
  const [first, ...others] = earlier.runs;
  const timed = first === undefined || ms === 0 ? earlier.runs : [{ ...first, old_code_ms: ms }, ...others];
  if (finding === null) return { ...earlier, notes, runs: timed };
  return {
    ...earlier,
    notes,
    runs: timed,
    code: finding.code,
    cause: "passes_without_change",
    findings: [...earlier.findings, finding],
  };
}

/** A later run decides where the earlier ones passed. */
function addRuns(
  earlier: Verified,
  later: Awaited<ReturnType<typeof runWithOldOracle | typeof runHeldOut>>,
  cause: string,
): VerificationResult {
  const runs = [...earlier.runs, ...later.runs];
  if (later.kind !== "ran") return { ...later, runs };
  if (later.excess !== null) return { ...earlier, ...refuseExcess(later.excess), runs };
  if (later.finding === null || later.failed === null) return { ...earlier, runs };
  const { check, cause: own } = later.failed;
  const findings = [later.finding];
  return { ...earlier, code: check.stopCode, cause: own === SETUP_FAILED ? own : cause, runs, findings };
}

/** A check that passes with fewer tests, or without its runner's end, says less than before. */
async function judgeTests(request: VerifyRequest, main: Verified): Promise<Verified> {
  const { context, candidate, base, wantsOtherTests } = request;
  const { weakening } = candidate.evidence.rules;
  if (weakening === undefined) return main;
  const { rules: given, task_text: task = "" } = weakening;
  const rules =
    wantsOtherTests && asksForFewerTests(task)
      ? { tests_removed: "note" as const, tests_skipped: "note" as const, ...given }
      : given;
  const { findings, notes } = await compareTests({ ...context, runs: main.runs, base, rules });
  const known = { ...main, notes: [...main.notes, ...notes] };
  const [worst] = findings;
  if (worst === undefined) return known;
  const stops = findings.map(({ cause: _cause, ...finding }) => finding);
  return { ...known, code: "STOP_CHECKS_WEAKENED", cause: worst.cause, findings: [...main.findings, ...stops] };
}

async function runInPlace(request: VerifyRequest): Promise<VerificationResult> {
  const readIgnored = watchIgnoredReads(request.context, request.candidate);
  const end = await runAllChecks(request);
  return end.kind === "ran" ? finishRun(request, end, readIgnored) : end;
}

/** The checks do not see what the builder wrote where git ignores it. */
async function runWithoutIgnored(request: VerifyRequest): Promise<VerificationResult> {
  const { context, candidate, pinned } = request;
  const { evidence, observation: kept } = candidate;
  const isLeft = new Set(pinned.ignored.map(({ path }) => path));
  const changes = evidence.changes.filter(({ path }) => !isLeft.has(path));
  const answer = await context.change.trial({ kept, rewound: pinned.ignored }, (observation) =>
    runInPlace({ ...request, candidate: { evidence: { ...evidence, changes }, observation } }),
  );
  if (answer.kind !== "verified" || answer.code === null) return dropTolerated(answer);
  return explainIgnored(request, answer);
}

/** What the checks left is gone with the trial. */
function dropTolerated(answer: VerificationResult): VerificationResult {
  return answer.kind === "verified" ? { ...answer, tolerated: [] } : answer;
}

/** A check that passes only with ignored files of the builder says which command is missing. */
async function explainIgnored({ context, checks, candidate, pinned }: VerifyRequest, answer: Verified) {
  const failed = answer.runs.at(-1);
  const check = checks.find(({ templateId }) => templateId === failed?.template_id);
  if (check === undefined || failed?.timed_out === true || answer.findings.length > 0) return answer;
  const kept = candidate.observation;
  const act = () => runAllChecks({ context, checks: [check], base: null, inherits: false });
  const again = await context.change.trial({ kept }, act);
  if (again.kind !== "ran" || again.failed !== null) return answer;
  const finding: Finding = {
    gate: "ignored-oracle",
    code: check.stopCode,
    subject: check.templateId,
    rule: `It passes only with ignored files of the builder, such as ${pinned.ignored[0]?.path ?? ""}. Name the command that makes them in verification.setup.`,
    glob: null,
  };
  return { ...answer, cause: "ignored_oracle", findings: [finding] };
}

async function finishRun(
  request: VerifyRequest,
  { runs, failed, excess }: Ran,
  readIgnored: () => ReturnType<typeof findIgnoredReads>,
): Promise<VerificationResult> {
  if (excess !== null) return { ...NOTHING_LEFT, ...refuseExcess(excess), runs };
  if (failed === null) return checkLeftovers(request, { code: null, cause: null, runs, ...readIgnored() });
  const { check, cause } = failed;
  if (request.outlivesRed) return checkLeftovers(request, { code: check.stopCode, cause, runs, ...readIgnored() });
  return { ...NOTHING_LEFT, code: check.stopCode, cause, runs };
}

const NOTHING_LEFT = { kind: "verified", findings: [], tolerated: [], notes: [] } as const;

/** A check that was stopped for what it wrote verified nothing. */
function refuseExcess(excess: Excess) {
  const code = "STOP_VERIFY_SIDE_EFFECTS" as const;
  const rule = describeExcess(excess);
  const finding = { gate: "verify-side-effects", code, subject: "the files of the checks", rule, glob: null };
  return { code, cause: nameExcess(excess), findings: [finding] };
}

/** The answer says which ignored files of the builder the checks have read by then. */
function watchIgnoredReads(
  { place, config }: CheckContext,
  { evidence: { changes } }: Candidate,
): () => ReturnType<typeof findIgnoredReads> {
  const policy = config.verification.oracle;
  const files = policy === "off" ? [] : listIgnoredFiles(changes);
  const listStates = watchReads(
    toBytePath(place.tree),
    files.map((change) => decodeChangePath(change)),
  );
  return () => {
    const states = listStates();
    const byPath = new Map(files.map((change) => [change.path, states.get(decodeChangePath(change)) ?? "unknown"]));
    const wasRead = (path: string): boolean | undefined =>
      byPath.get(path) === "unknown" ? undefined : byPath.get(path) === "read";
    return findIgnoredReads({ changes: files, wasRead }, policy);
  };
}

type CheckedRuns = Omit<Verified, "kind" | "tolerated">;

/** A tree that the checks changed is not the one that they verified. */
async function checkLeftovers(
  { context, candidate }: VerifyRequest,
  checked: CheckedRuns,
): Promise<VerificationResult> {
  const { findings, tolerated } = await listSideEffects(context, candidate);
  const [steered] = checked.findings;
  // A check that read what it must not says nothing, whether it passed or not.
  const known =
    steered === undefined
      ? checked
      : { ...checked, code: "STOP_SCOPE_VIOLATION_FORBIDDEN" as const, cause: "ignored_oracle" };
  const code = findings.length === 0 ? known.code : "STOP_VERIFY_SIDE_EFFECTS";
  return { kind: "verified", ...known, code, findings: [...checked.findings, ...findings], tolerated };
}
