import { join } from "node:path";
import { unreachable, MeasurementError } from "../base/errors.ts";
import { REPORT_LIMITS, type VerificationRun } from "../records/report.ts";
import { takeLastLines } from "../records/last-lines.ts";
import { shorten } from "../base/words.ts";
import type { Check } from "./pure/verification-plan.ts";
import { appendText } from "../system/write-files.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import { nameTickMarker } from "../process/reap-session.ts";
import { type SessionEnd, supervise } from "../process/supervise.ts";
import type { Enclosure } from "../process/enclosure.ts";
import type { Config } from "../config/config.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { SandboxPrograms } from "../sandbox/bubblewrap.ts";
import type { Candidate, ChangeView, Place } from "../place/workplace.ts";
import { HELD_OUT_LOG } from "../workspace/held-out-lines.ts";
import { openCheckSandbox } from "../place/tick-sandbox.ts";
import { isDependency } from "../records/dependencies.ts";
import { compileAllowed } from "../base/globs.ts";
import { removeTrees } from "../system/remove-files.ts";
import { listGitPaths } from "../workspace/read-project.ts";
import { checkSideEffects } from "../judge/pure/check-side-effects.ts";
import { toBytePath } from "../system/byte-path.ts";
import { findOwnGitPrefix } from "../evidence/pure/own-git-prefix.ts";
import { isSameIndex } from "../evidence/index-changes.ts";

/** Runs one check in a place. Only its exit status counts. */

/** What a check needs of the tick that it belongs to, or of another command that runs checks. */
export interface CheckContext {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly runId: string;
  readonly runDirectory: string;
  readonly config: Config;
  readonly place: Place;
  readonly change: ChangeView;
  readonly sandbox: SandboxPrograms | null;
  readonly store: ContentStore;
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
}

const LOG_BYTES_MAX = 2 * 1024 * 1024;
/** A check that prints more is stopped. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** Of each stream, to read which tests ran. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;

/** A check that adds more to the repository than a tick may add is stopped. */
export async function runWatched(context: CheckContext, check: Check, deadlineMs: number) {
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

async function runCheck(context: CheckContext, check: Check, deadlineMs: number): Promise<SessionEnd> {
  const isPrivate = check.heldOut?.isShared === false;
  const path = join(context.runDirectory, isPrivate ? HELD_OUT_LOG : "verify.log");
  const command = JSON.stringify([check.cmd, ...check.args]);
  await appendText(path, `=== ${check.phase} ${JSON.stringify(check.templateId)}: ${command}\n`);
  const { enclosure, close } = await openCheckSandbox(context, check.network ?? false);
  const end = await superviseCheck(context, check, { path, enclosure, deadlineMs }).finally(close);
  await appendText(path, `\n=== ${describeEnd(end)}\n\n`);
  if (isPrivate) {
    const result = findFailure(end) === null ? "passed" : "failed";
    const line = `=== held out ${JSON.stringify(check.templateId)}: ${result}\n\n`;
    await appendText(join(context.runDirectory, "verify.log"), line);
  }
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
  { repository, runId, runDirectory, config, signal, place }: CheckContext,
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
    stdoutBytesMax: KEPT_BYTES_MAX,
    stderrBytesMax: KEPT_BYTES_MAX,
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

export function describeRun(check: Check, end: SessionEnd, isOffline: boolean): VerificationRun {
  const { templateId, phase, cmd, args, heldOut } = check;
  const run: VerificationRun = {
    template_id: templateId,
    phase,
    cmd,
    args: args.map((arg) => shorten(arg, REPORT_LIMITS.argChars)),
    exit_code: end.kind === "exited" ? end.status : -1,
    duration_ms: Math.round(end.durationMs),
    timed_out: end.kind === "timed-out",
  };
  if (heldOut?.isShared === false) return { ...run, exit_code: Math.min(run.exit_code, 1), held_out: true };
  const own = heldOut === undefined ? {} : { held_out: true as const };
  return { ...run, ...own, ...pickLastLines(end, isOffline ? templateId : null) };
}

/** The last output of a failed check mostly explains it. One that seems to miss the network gets a hint. */
function pickLastLines(end: SessionEnd, offline: string | null): Pick<VerificationRun, "last_lines"> {
  const tail = end.tail.toString("utf8");
  const lines = findFailure(end) === null ? [] : takeLastLines(tail);
  const hint = lines.length > 0 && offline !== null && missesNetwork(end) ? [hintNetwork(offline)] : [];
  const all = [...lines, ...hint].slice(-REPORT_LIMITS.lastLines);
  return all.length === 0 ? {} : { last_lines: all };
}

/** Whether the last output of a program complains about the network. */
export function missesNetwork({ tail }: Pick<SessionEnd, "tail">): boolean {
  return MISSES_NETWORK.test(tail.toString("utf8"));
}

const MISSES_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|Could(?: not|n't) resolve host|Temporary failure in name resolution|Name or service not known|Network is unreachable|getaddrinfo|no such host/iu;

const hintNetwork = (id: string): string =>
  shorten(
    `relais: the check ran without a network; to allow it, set "network": true in its template ${id}.`,
    REPORT_LIMITS.lastLineChars,
  );

/** Null for a check that passed. */
export function findFailure(end: SessionEnd): string | null {
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

const LIST_BYTES_MAX = 64 * 1024 * 1024;

/** Removes ignored build output from the place, so that nothing old decides a check. Dependencies stay. */
export async function removeOutput({ place, config }: Pick<CheckContext, "place" | "config">): Promise<void> {
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

/** What changed since the candidate was observed, split into findings and tolerated paths. */
export async function listSideEffects(
  { place, change, store, config }: Pick<CheckContext, "place" | "change" | "store" | "config">,
  candidate: Candidate & { readonly isStill?: boolean },
): Promise<ReturnType<typeof checkSideEffects>> {
  const changed = await change.changedSince(candidate);
  if (changed.length === 0) return { findings: [], tolerated: [] };
  const { evidence: now, observation } = await change.collect(candidate.evidence.rules);
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
