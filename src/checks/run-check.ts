/** Runs one check in a place. Only its exit status counts. */
import { join } from "node:path";
import { unreachable, MeasurementError } from "../base/errors.ts";
import { REPORT_LIMITS, type VerificationRun } from "../records/report.ts";
import { takeLastLines } from "../records/last-lines.ts";
import { shorten } from "../base/words.ts";
import type { Excess } from "../base/manifest.ts";
import type { Check } from "./pure/verification-plan.ts";
import { appendText } from "../system/write-files.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import { readClockMs } from "../system/clock.ts";
import { type SessionEnd, supervise } from "../process/supervise.ts";
import type { Config } from "../config/config.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { SandboxPrograms } from "../sandbox/bubblewrap.ts";
import type { ChangeView, Place } from "../place/workplace.ts";
import { HELD_OUT_LOG } from "../workspace/held-out-lines.ts";
import { openCheckSandbox } from "../place/tick-sandbox.ts";

/** All that a check needs. */
export interface CheckRun {
  readonly repository: Repository;
  readonly config: Config;
  readonly place: Place;
  readonly change: ChangeView;
  readonly sandbox: SandboxPrograms | null;
  readonly store: ContentStore;
  /** Where logs, byte code and the note of a trial are written. */
  readonly folder: string;
  /** Where reports of tests are kept. */
  readonly stateDirectory: string;
  /** Carried by every program, so that it can be found without supervision. */
  readonly marker: string;
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
}

const LOG_BYTES_MAX = 2 * 1024 * 1024;
/** A check that prints more is stopped. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** Of each stream, to read which tests ran. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;

interface CheckEnd {
  readonly end: SessionEnd;
  /** Set if it was stopped because it added more to the repository than a tick may add. */
  readonly excess: Excess | null;
  /** Whether the tick had no more time than the check. */
  readonly isLast: boolean;
}

export async function runCheck(run: CheckRun, check: Check): Promise<CheckEnd> {
  const { config, folder, place, repository } = run;
  const remainingMs = run.deadlineAt - readClockMs();
  const timeoutMs = check.timeoutSeconds * 1000;
  const isPrivate = check.heldOut?.isShared === false;
  const log = join(folder, isPrivate ? HELD_OUT_LOG : VERIFY_LOG);
  const watch = place.watchGrowth();
  try {
    await appendText(log, `=== ${check.phase} ${JSON.stringify(check.templateId)}: ${quoteCommand(check)}\n`);
    const { enclosure, close } = await openCheckSandbox(run, check.network ?? false);
    const end = await supervise({
      program: check.cmd,
      args: check.args,
      cwd: place.cwd,
      enclosure,
      env: makeChildEnvironment(repository.environment, config.env.checks, {
        PYTHONDONTWRITEBYTECODE: "1",
        PYTHONPYCACHEPREFIX: join(folder, "pycache"),
      }),
      input: null,
      deadlineMs: Math.min(timeoutMs, remainingMs),
      outputBytesMax: OUTPUT_BYTES_MAX,
      signal: AbortSignal.any([run.signal, watch.signal]),
      marker: run.marker,
      log: { path: log, bytesMax: LOG_BYTES_MAX },
      stdoutBytesMax: KEPT_BYTES_MAX,
      stderrBytesMax: KEPT_BYTES_MAX,
    }).finally(close);
    await logEnd(folder, check, end);
    const isStopped = end.kind === "aborted" && !run.signal.aborted;
    return { end, excess: isStopped ? watch.findExcess() : null, isLast: remainingMs <= timeoutMs };
  } finally {
    watch.end();
  }
}

const VERIFY_LOG = "verify.log";

const quoteCommand = ({ cmd, args }: Check): string => JSON.stringify([cmd, ...args]);

async function logEnd(folder: string, { templateId, heldOut }: Check, end: SessionEnd): Promise<void> {
  const isPrivate = heldOut?.isShared === false;
  await appendText(join(folder, isPrivate ? HELD_OUT_LOG : VERIFY_LOG), `\n=== ${describeEnd(end)}\n\n`);
  if (isPrivate) {
    const result = findFailure(end) === null ? "passed" : "failed";
    await appendText(join(folder, VERIFY_LOG), `=== held out ${JSON.stringify(templateId)}: ${result}\n\n`);
  }
  if (end.undead.length === 0) return;
  const pids = end.undead.map(({ pid }) => pid).join(", ");
  throw new MeasurementError(`the check ${templateId}`, `its processes cannot be stopped: ${pids}`);
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
