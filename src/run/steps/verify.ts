/**
 * Runs the checks on the change that was judged.
 *
 * The runner starts them itself, one after the other; only their exit status counts. The first one that fails
 * ends it. When all pass the tree is observed again: a check that changed what it was to verify has verified
 * something else.
 */
import { join } from "node:path";
import type { CodeOf } from "../../contract/values/codes.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import type { Change } from "../../contract/evidence/evidence.ts";
import type { Finding } from "../../contract/evidence/judgement.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { REPORT_LIMITS, type VerificationRun } from "../../contract/documents/report.ts";
import type { Excess } from "../../contract/evidence/manifest.ts";
import { describeExcess, nameExcess } from "../../core/judge/growth.ts";
import { takeLastLines } from "../../core/words/last-lines.ts";
import { shorten } from "../../core/words/shorten.ts";
import type { Check } from "../../core/checks/verification-plan.ts";
import { appendText } from "../../io/files/append-text.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { makeChildEnvironment } from "../../io/machine/environment.ts";
import { watchReads } from "../../io/observe/read-watch.ts";
import { nameTickMarker } from "../../io/process/reap-session.ts";
import { type SessionEnd, supervise } from "../../io/process/supervise.ts";
import type { Enclosure } from "../../io/process/enclosure.ts";
import type { Candidate } from "../evidence/workplace.ts";
import { openCheckSandbox } from "../sandbox/tick-sandbox.ts";
import type { TickContext } from "../session/tick-session.ts";
import { findIgnoredReads, listIgnoredFiles } from "../../core/checks/read-ignored.ts";
import { checkSideEffects } from "../../core/checks/check-side-effects.ts";
import { toBytePath } from "../../io/files/byte-path.ts";
import { findOwnGitPrefix } from "../evidence/own-git-prefix.ts";
import { isSameIndex } from "../evidence/same-index.ts";

interface VerifyRequest {
  readonly context: Pick<
    TickContext,
    "repository" | "runId" | "runDirectory" | "config" | "place" | "sandbox" | "store" | "signal" | "deadlineAt"
  >;
  readonly checks: readonly Check[];
  readonly candidate: Candidate;
  /** Whether the tick continues after a failed check, so that the files of the checks must be known. */
  readonly outlivesRed: boolean;
}

/** `aborted` and `tick-timed-out` end the tick and say nothing about the work. */
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
  | { readonly kind: "aborted" | "tick-timed-out"; readonly runs: readonly VerificationRun[] };

const LOG_BYTES_MAX = 2 * 1024 * 1024;
/** A check that prints more is stopped. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export async function runChecks(request: VerifyRequest): Promise<VerificationResult> {
  const { context, checks, candidate } = request;
  const runs: VerificationRun[] = [];
  const readIgnored = watchIgnoredReads(context, candidate);
  for (const check of checks) {
    const remainingMs = context.deadlineAt - readClockMs();
    const timeoutMs = check.timeoutSeconds * 1000;
    const { end, excess } = await runWatched(context, check, Math.min(timeoutMs, remainingMs));
    if (end.kind === "aborted" && excess === null) return { kind: "aborted", runs };
    if (end.kind === "timed-out" && remainingMs <= timeoutMs) return { kind: "tick-timed-out", runs };
    runs.push(describeRun(check, end, context.sandbox !== null && check.network !== true));
    if (excess !== null) return { ...NOTHING_LEFT, ...refuseExcess(excess), runs };
    const cause = findFailure(end);
    if (cause === null) continue;
    if (request.outlivesRed) return checkLeftovers(request, { code: check.stopCode, cause, runs, ...readIgnored() });
    return { ...NOTHING_LEFT, code: check.stopCode, cause, runs };
  }
  return checkLeftovers(request, { code: null, cause: null, runs, ...readIgnored() });
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
  { place, config }: VerifyRequest["context"],
  { evidence: { changes } }: Candidate,
): () => ReturnType<typeof findIgnoredReads> {
  const { oracle } = config.verification;
  const files = oracle === "allow" ? [] : listIgnoredFiles(changes);
  const listStates = watchReads(
    toBytePath(place.tree),
    files.map((change) => encodePath(change)),
  );
  return () => {
    const states = listStates();
    const byPath = new Map(files.map((change) => [change.path, states.get(encodePath(change)) ?? "unknown"]));
    const wasRead = (path: string): boolean | undefined =>
      byPath.get(path) === "unknown" ? undefined : byPath.get(path) === "read";
    return findIgnoredReads({ changes: files, wasRead }, oracle);
  };
}

function encodePath({ path, path_base64: exact }: Change): string {
  return exact === null ? toBytePath(path) : Buffer.from(exact, "base64").toString("latin1");
}

type CheckedRuns = Omit<Extract<VerificationResult, { kind: "verified" }>, "kind" | "tolerated">;

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

/** A check that adds more to the repository than a tick may add is stopped. */
async function runWatched(context: VerifyRequest["context"], check: Check, deadlineMs: number) {
  const watch = context.place.watchGrowth();
  try {
    const signal = AbortSignal.any([context.signal, watch.signal]);
    const end = await runCheck({ ...context, signal }, check, deadlineMs);
    const isStopped = end.kind === "aborted" && !context.signal.aborted;
    return { end, excess: isStopped ? watch.findExcess() : null };
  } finally {
    watch.end();
  }
}

async function runCheck(context: VerifyRequest["context"], check: Check, deadlineMs: number): Promise<SessionEnd> {
  const path = join(context.runDirectory, "verify.log");
  const command = JSON.stringify([check.cmd, ...check.args]);
  await appendText(path, `=== ${check.phase} ${JSON.stringify(check.templateId)}: ${command}\n`);
  const { enclosure, close } = await openCheckSandbox(context, check.network ?? false);
  const end = await superviseCheck(context, check, { path, enclosure, deadlineMs }).finally(close);
  await appendText(path, `\n=== ${describeEnd(end)}\n\n`);
  if (end.undead.length > 0) {
    const pids = end.undead.map(({ pid }) => pid).join(", ");
    throw new MeasurementError(`the check ${check.templateId}`, `its processes cannot be stopped: ${pids}`);
  }
  return end;
}

interface CheckCall {
  readonly path: string;
  readonly enclosure: Enclosure | null;
  readonly deadlineMs: number;
}

function superviseCheck(
  { repository, runId, runDirectory, config, signal, place }: VerifyRequest["context"],
  { cmd, args }: Check,
  { path, enclosure, deadlineMs }: CheckCall,
): Promise<SessionEnd> {
  return supervise({
    program: cmd,
    args,
    cwd: place.cwd,
    enclosure,
    env: makeChildEnvironment({
      inherit: repository.environment,
      names: config.env.checks,
      set: disableByteCode(runDirectory),
    }),
    input: null,
    deadlineMs,
    outputBytesMax: OUTPUT_BYTES_MAX,
    signal,
    marker: nameTickMarker(runId),
    log: { path, bytesMax: LOG_BYTES_MAX },
    stdoutBytesMax: 0,
    stderrBytesMax: 0,
  });
}

/** Python may run old byte code, so checks neither read nor write it beside the sources. */
function disableByteCode(runDirectory: string): Readonly<Record<string, string>> {
  return { PYTHONDONTWRITEBYTECODE: "1", PYTHONPYCACHEPREFIX: join(runDirectory, "pycache") };
}

function describeEnd(end: SessionEnd): string {
  const strays = end.survivors.map(({ pid, command }) => `${pid} ${command}`).join(", ");
  const left = strays === "" ? "" : `; stopped left-over processes: ${strays}`;
  const message = end.kind === "not-started" ? `: ${end.message}` : "";
  return `${findFailure(end) ?? "passed"} after ${Math.round(end.durationMs)} ms${left}${message}`;
}

function describeRun({ templateId, phase, cmd, args }: Check, end: SessionEnd, isOffline: boolean): VerificationRun {
  return {
    template_id: templateId,
    phase,
    cmd,
    args: args.map((arg) => shorten(arg, REPORT_LIMITS.argChars)),
    exit_code: end.kind === "exited" ? end.status : -1,
    duration_ms: Math.round(end.durationMs),
    timed_out: end.kind === "timed-out",
    ...pickLastLines(end, isOffline ? templateId : null),
  };
}

/** The last output of a failed check mostly explains it. One that seems to miss the network gets a hint. */
function pickLastLines(end: SessionEnd, offline: string | null): Pick<VerificationRun, "last_lines"> {
  const tail = end.tail.toString("utf8");
  const lines = findFailure(end) === null ? [] : takeLastLines(tail);
  const hint = lines.length > 0 && offline !== null && MISSES_NETWORK.test(tail) ? [hintNetwork(offline)] : [];
  const all = [...lines, ...hint].slice(-REPORT_LIMITS.lastLines);
  return all.length === 0 ? {} : { last_lines: all };
}

const MISSES_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|Could(?: not|n't) resolve host|Temporary failure in name resolution|Name or service not known|Network is unreachable|getaddrinfo|no such host/iu;

const hintNetwork = (id: string): string =>
  shorten(
    `relais: the check ran without a network; to allow it, set "network": true in its template ${id}.`,
    REPORT_LIMITS.lastLineChars,
  );

/** Null for a check that passed. */
function findFailure(end: SessionEnd): string | null {
  switch (end.kind) {
    case "exited":
      return end.status === 0 ? null : `exit_${end.status}`;
    case "signalled":
      return `signal_${end.signal}`;
    case "not-started":
      return end.reason === "other" ? "not_started" : end.reason.replaceAll("-", "_");
    case "timed-out":
    case "idle":
    case "output-limit":
    case "aborted":
      return end.kind.replaceAll("-", "_");
    default:
      return unreachable(end);
  }
}

/** What changed since the candidate was observed, split into findings and tolerated paths. */
export async function listSideEffects(
  { place, store, config }: Pick<TickContext, "place" | "store" | "config">,
  candidate: Candidate & { readonly isStill?: boolean },
): Promise<ReturnType<typeof checkSideEffects>> {
  const changed = await place.changedSince(candidate);
  if (changed.length === 0) return { findings: [], tolerated: [] };
  const { evidence: now, observation } = await place.collect(candidate.evidence.rules);
  const before = candidate.observation.git;
  const { repository } = place;
  return checkSideEffects({
    changed,
    judged: candidate.evidence,
    now,
    scratchGlobs: config.verification.scratch_globs,
    isStill: candidate.isStill ?? false,
    git: {
      ownPrefix: findOwnGitPrefix(repository),
      isNew: (path) => !before.has(toBytePath(path)),
      isSameIndex: await isSameIndex({ repository, store, before, after: observation.git }),
    },
  });
}
