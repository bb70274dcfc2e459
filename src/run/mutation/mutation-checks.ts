/**
 * The checks of mutations. They run without a mutation first: a check that fails anyway notices nothing, and a mutation
 * can make a loop endless, so the usual time of each is measured.
 */
import type { Excess } from "../../contract/evidence/manifest.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import type { Check } from "../../core/checks/verification-plan.ts";
import { takeLastLines } from "../../core/words/last-lines.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { makeChildEnvironment } from "../../io/machine/environment.ts";
import { watchGrowth } from "../../io/observe/watch-growth.ts";
import { type SessionEnd, supervise } from "../../io/process/supervise.ts";
import { readGrowthCaps } from "../evidence/growth-caps.ts";
import { openCheckSandbox } from "../sandbox/tick-sandbox.ts";
import type { MutationRun } from "./mutation-request.ts";

/** A check, or a command of the setup, with the time that it gets. */
export interface TimedCommand extends Pick<Check, "cmd" | "args" | "network"> {
  readonly name: string;
  readonly deadlineMs: number;
}

interface CommandEnd {
  readonly end: SessionEnd;
  /** Why nothing more can be tried; null where it can. */
  readonly reason: string | null;
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** Of its usual time, and a while to start. */
const TIMES_LONGER = 4;
const START_MS = 5000;

/** The commands, the quickest checks first, or why they say nothing about a mutation. */
export async function runUnchanged(run: MutationRun): Promise<readonly TimedCommand[] | string> {
  const { setup, timeout_slow_seconds: setupSeconds } = run.config.verification;
  const prepared = setup.map((command) => ({ ...command, name: command.cmd, deadlineMs: setupSeconds * 1000 }));
  const checks = run.checks.map(({ templateId, timeoutSeconds, ...check }) => ({
    ...check,
    name: templateId,
    deadlineMs: timeoutSeconds * 1000,
  }));
  const usual: (TimedCommand & { readonly usualMs: number })[] = [];
  for (const command of [...prepared, ...checks]) {
    const { end, reason } = await runCommand(run, command);
    if (reason !== null) return reason;
    if (!hasSucceeded(end)) return explainRed(run, command, end);
    const usualMs = end.durationMs;
    usual.push({ ...command, usualMs, deadlineMs: Math.min(command.deadlineMs, usualMs * TIMES_LONGER + START_MS) });
  }
  const first = usual.slice(0, prepared.length);
  return [...first, ...usual.slice(prepared.length).toSorted((one, other) => one.usualMs - other.usualMs)];
}

function explainRed({ endsAtMs, limits }: MutationRun, { name }: TimedCommand, end: SessionEnd): string {
  if (readClockMs() >= endsAtMs)
    return `${name} takes longer than ${Math.ceil(limits.seconds)} s (${limits.words.seconds})`;
  const [last = ""] = takeLastLines(end.tail.toString("utf8")).slice(-1);
  return `${name} fails without a mutation${last === "" ? "" : `: ${last}`}`;
}

export const hasSucceeded = (end: SessionEnd): boolean => end.kind === "exited" && end.status === 0;

export async function runCommand(run: MutationRun, command: TimedCommand): Promise<CommandEnd> {
  const watch = watchGrowth([run.place.written], readGrowthCaps(run));
  try {
    const end = await superviseCommand(run, command, AbortSignal.any([run.signal, watch.signal]));
    if (run.signal.aborted) throw new MeasurementError("the mutations", "stopped by a signal");
    const [stuck] = end.undead;
    if (stuck !== undefined) return { end, reason: `a process of ${command.name} cannot be stopped: ${stuck.pid}` };
    const excess = watch.findExcess();
    return { end, reason: excess === null ? null : explainExcess(command, excess) };
  } finally {
    watch.end();
  }
}

function explainExcess({ name }: TimedCommand, { kind }: Excess): string {
  return `${name} writes more than a tick may add (runner.${kind === "files" ? "max_new_files" : "max_new_mb"})`;
}

async function superviseCommand(run: MutationRun, command: TimedCommand, signal: AbortSignal): Promise<SessionEnd> {
  const { place, repository, config, marker } = run;
  const { enclosure, close } = await openCheckSandbox(run, command.network ?? false);
  return supervise({
    program: command.cmd,
    args: command.args,
    cwd: place.cwd,
    enclosure,
    env: makeChildEnvironment({
      inherit: repository.environment,
      names: config.env.checks,
      set: { PYTHONDONTWRITEBYTECODE: "1" },
    }),
    input: null,
    deadlineMs: Math.min(command.deadlineMs, run.endsAtMs - readClockMs()),
    outputBytesMax: OUTPUT_BYTES_MAX,
    signal,
    marker,
    log: null,
    stdoutBytesMax: 0,
    stderrBytesMax: 0,
  }).finally(close);
}
