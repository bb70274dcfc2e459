/**
 * Tries small mutations of a judged change: what no check notices is not tested.
 *
 * The checks run first without a mutation, because a check that fails anyway notices nothing.
 */
import { InvariantError } from "../../contract/values/invariant.ts";
import type { MutationReport, Survivor } from "../../contract/answers/mutation-report.ts";
import type { Config } from "../../contract/config/config.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { listPlainChecks } from "../../core/checks/chosen-checks.ts";
import { type Check, planChecks } from "../../core/checks/verification-plan.ts";
import { chooseMutations } from "../../core/mutation/choose-mutations.ts";
import { applyMutation, listMutations, type Mutation } from "../../core/mutation/list-mutations.ts";
import { compileForbidden } from "../../core/paths/globs.ts";
import { isTestName } from "../../core/weakening/changed-file.ts";
import { takeLastLines } from "../../core/words/last-lines.ts";
import { toBytePath } from "../../io/files/byte-path.ts";
import { withTemporaryFolder } from "../../io/files/temporary-folder.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { makeChildEnvironment } from "../../io/machine/environment.ts";
import { type PlacedFile, writePlaced } from "../../io/place/write-placed.ts";
import { type SessionEnd, supervise } from "../../io/process/supervise.ts";
import type { SandboxPrograms } from "../../io/sandbox/bubblewrap.ts";
import { chooseSandbox, openCheckSandbox } from "../sandbox/tick-sandbox.ts";
import { type MutationPlace, withMutationPlace } from "./mutation-place.ts";
import type { ChangedSource } from "./mutation-sources.ts";
import type { MutationLimits } from "./judge-request.ts";

export interface MutationRequest {
  readonly repository: Repository;
  readonly config: Config;
  readonly limits: MutationLimits;
  readonly sources: readonly ChangedSource[];
  /** What the working tree has otherwise than the judged change. */
  readonly placed: readonly PlacedFile[];
  readonly signal: AbortSignal | undefined;
}

interface MutationRun extends MutationRequest {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  readonly possible: number;
  readonly place: MutationPlace;
  readonly sandbox: SandboxPrograms | null;
  readonly endsAtMs: number;
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** A mutation can make a loop endless, so a check gets this many times its usual time, and a while to start. */
const TIMES_LONGER = 4;
const START_MS = 5000;

export async function runMutations(request: MutationRequest): Promise<MutationReport> {
  const { config, limits, repository } = request;
  const found = findMutations(request);
  const checks = planMutationChecks(config, limits.checks);
  const known = { checks: checks.map(({ templateId }) => templateId), possible: found.length };
  if (found.length === 0) return skipMutations("no changed line of JavaScript or TypeScript allows one", known);
  if (checks.length === 0) return skipMutations("relais.config.json has no check without parameters", known);
  const sandbox = await chooseSandbox({ repository, config });
  if (sandbox === null && config.sandbox === "required")
    return skipMutations("the sandbox is required and does not work", known);
  const endsAtMs = readClockMs() + limits.seconds * 1000;
  const mutations = chooseMutations(found, limits.count);
  const run = { ...request, checks, mutations, possible: found.length, sandbox, endsAtMs };
  const answer = await withTemporaryFolder(repository.environment, (folder) =>
    withMutationPlace({ repository, config, folder }, (place) => tryAll({ ...run, place })),
  );
  return typeof answer === "string" ? skipMutations(answer, known) : answer;
}

function findMutations({ sources, config }: MutationRequest): readonly Mutation[] {
  const tests = compileForbidden(config.verification.oracle_globs);
  return sources
    .filter(({ path }) => tests(path) === null && !isTestName(path))
    .flatMap(({ path, text, lines }) =>
      listMutations(path, text).filter(({ line }) => lines === null || lines.has(line)),
    );
}

/** Those that are named, or all quick ones. They have the time of a fast check. */
function planMutationChecks({ verification }: Config, named: readonly string[]): readonly Check[] {
  const quick = new Set(verification.templates.filter(({ once }) => once !== true).map(({ id }) => id));
  const ids = named.length > 0 ? named : listPlainChecks(verification).filter((id) => quick.has(id));
  const plan = planChecks(verification, { fast: ids, slow: [] });
  return plan.kind === "ready" ? plan.checks : [];
}

export function skipMutations(
  reason: string,
  known: Pick<MutationReport, "checks" | "possible"> = { checks: [], possible: 0 },
): MutationReport {
  return { skipped: reason, ...known, tried: 0, out_of_time: false, survivors: [] };
}

async function tryAll(run: MutationRun): Promise<MutationReport | string> {
  for (const file of run.placed) writePlaced(run.place.tree, file);
  const usual = await runUnchanged(run);
  if (typeof usual === "string") return usual;
  const survivors: Survivor[] = [];
  let tried = 0;
  for (const mutation of run.mutations) {
    const answer = await tryMutation(run, mutation, usual);
    if (answer === "out of time") break;
    tried += 1;
    const { path, line, column, operator, before, after } = mutation;
    if (answer === "survived") survivors.push({ path, line, column, operator, before, after });
  }
  return {
    skipped: null,
    checks: run.checks.map(({ templateId }) => templateId),
    possible: run.possible,
    tried,
    out_of_time: tried < run.mutations.length,
    survivors: survivors.toSorted(comparePlaces),
  };
}

function comparePlaces(one: Survivor, other: Survivor): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}

/** A check, or a command of the setup, with the time that it needed. */
interface TimedCommand extends Pick<Check, "cmd" | "args" | "network"> {
  readonly name: string;
  readonly deadlineMs: number;
}

/** The commands, the quickest checks first, or why they say nothing about a mutation. */
async function runUnchanged(run: MutationRun): Promise<readonly TimedCommand[] | string> {
  const { setup, timeout_slow_seconds: setupSeconds } = run.config.verification;
  const prepared = setup.map((command) => ({ ...command, name: command.cmd, deadlineMs: setupSeconds * 1000 }));
  const checks = run.checks.map(({ templateId, timeoutSeconds, ...check }) => ({
    ...check,
    name: templateId,
    deadlineMs: timeoutSeconds * 1000,
  }));
  const usual: (TimedCommand & { readonly usualMs: number })[] = [];
  for (const command of [...prepared, ...checks]) {
    const end = await runCommand(run, command);
    if (!hasPassed(end)) return explainRed(run, command, end);
    const usualMs = end.durationMs;
    usual.push({ ...command, usualMs, deadlineMs: Math.min(command.deadlineMs, usualMs * TIMES_LONGER + START_MS) });
  }
  const first = usual.slice(0, prepared.length);
  return [...first, ...usual.slice(prepared.length).toSorted((one, other) => one.usualMs - other.usualMs)];
}

function explainRed(run: MutationRun, { name }: TimedCommand, end: SessionEnd): string {
  if (readClockMs() >= run.endsAtMs) return `${name} takes longer than ${run.limits.seconds} s (--mutate-seconds)`;
  const [last = ""] = takeLastLines(end.tail.toString("utf8")).slice(-1);
  return `${name} fails without a mutation${last === "" ? "" : `: ${last}`}`;
}

async function tryMutation(
  run: MutationRun,
  mutation: Mutation,
  commands: readonly TimedCommand[],
): Promise<"survived" | "noticed" | "out of time"> {
  const source = run.sources.find(({ path }) => path === mutation.path);
  if (source === undefined) throw new InvariantError("a mutation of an unknown file");
  const path = toBytePath(mutation.path);
  const put = (text: string): void => writePlaced(run.place.tree, { path, content: Buffer.from(text) });
  put(applyMutation(source.text, mutation));
  try {
    for (const command of commands) {
      const end = await runCommand(run, command);
      if (readClockMs() >= run.endsAtMs && end.kind === "timed-out") return "out of time";
      if (!hasPassed(end)) return "noticed";
    }
    return "survived";
  } finally {
    put(source.text);
  }
}

const hasPassed = (end: SessionEnd): boolean => end.kind === "exited" && end.status === 0;

async function runCommand(run: MutationRun, command: TimedCommand): Promise<SessionEnd> {
  const { place, repository, config, signal } = run;
  const { enclosure, close } = await openCheckSandbox(run, command.network ?? false);
  const end = await supervise({
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
    ...(signal === undefined ? {} : { signal }),
    log: null,
    stdoutBytesMax: 0,
    stderrBytesMax: 0,
  }).finally(close);
  if (end.kind === "aborted") throw new MeasurementError("the mutations", "stopped by a signal");
  return end;
}
