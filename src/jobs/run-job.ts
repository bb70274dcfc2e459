import { join } from "node:path";
import type { JournalLine } from "../records/event.ts";
import { foldLines, type GrowingLines } from "../records/folded-lines.ts";
import type { Claim, Engine } from "../queue/pure/engine.ts";
import type { JobSpent, JobSpec } from "../queue/pure/job.ts";
import { type JobProgress, readProgress, subtractSpent } from "../journal/pure/rate-limit.ts";
import { followJournal } from "../journal/follow-journal.ts";
import { readJournal } from "../journal/read-journal.ts";
import { readClockMs } from "../system/clock.ts";
import { readJobNote, settleJobBase, type JobNote, findPlaceLimit, findRaisedCap } from "./job-base.ts";
import { type JobPlace, locateJobState, clearJobPlace, locateJobPlace, prepareJobPlace } from "./job-workspace.ts";
import { type Code, CODES } from "../base/codes.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { CONTEXT_VARIABLE, type Environment } from "../base/environment.ts";
import { isSingleTick, listJobCommands } from "../queue/pure/job-arguments.ts";
import { describeJobEnd, type JobEnd, writeLine } from "../queue/pure/job-result.ts";
import { SETBACK_FILE } from "../queue/pure/job-row.ts";
import { findOwnAddress, refuseSharedJob } from "../queue/pure/shared-job.ts";
import type { WorkerTrust } from "../queue/pure/user-settings.ts";
import type { TeamBudget } from "../queue/pure/team-budget.ts";
import { removeLeftLocks } from "../journal/job-folder.ts";
import { type BudgetedClaim, reserveForClaim } from "../fleet/budgeted-claim.ts";
import { requestPause, withdrawPause } from "../workspace/pause-runner.ts";
import { collectJob } from "./collect-job.ts";
import type { Queue } from "./decide-job.ts";
import { type Insist, recordPatiently } from "./patience.ts";
import { locateOutput, runChild } from "./run-child.ts";
import {
  FENCED,
  findKeptResult,
  finishJob,
  type JobEnding,
  releaseJob,
  releaseLimited,
  releaseOverBudget,
} from "./settle-job.ts";

/** Copies the journal of a job to its queue while it grows, and counts what was spent. */

interface Recording {
  readonly claim: Pick<Claim, "append" | "spend" | "spent">;
  readonly place: JobPlace;
  readonly onLine: (line: JournalLine) => void;
}

export interface JobRecorder {
  /** The whole journal, of all attempts. */
  readonly known: GrowingLines;
  /** What the journal says now, also about lines that were not copied yet. */
  readonly readNow: () => Promise<JobProgress>;
  /** By all attempts so far. */
  readonly spent: () => JobSpent;
  /** Ends the copying, with the last lines. */
  readonly close: () => Promise<void>;
}

const NOTHING_SPENT: JobSpent = { ticks: 0, sessions: 0, dollars: 0, seconds: 0 };

export async function openRecorder(recording: Recording): Promise<JobRecorder> {
  const { claim, place, onLine } = recording;
  const path = join(await locateJobState(place), "journal.jsonl");
  const readAll = async (): Promise<GrowingLines> => {
    const read = await readJournal(path);
    return foldLines(read.kind === "read" ? read.lines : []);
  };
  const known = await readAll();
  const spent = openAccount(recording, known);
  const over = new AbortController();
  let reported = claim.spent;
  let turn: Promise<unknown> = Promise.resolve();
  const record = async (texts: readonly string[]): Promise<void> => {
    const now = spent();
    const since = subtractSpent(now, reported);
    reported = now;
    // A worker that was fenced learns it from its claim.
    if (texts.length > 0) await claim.append(texts);
    if (Object.values(since).some((value) => value > 0)) await claim.spend(since);
  };
  const onLines = (lines: readonly JournalLine[]): void => {
    for (const line of lines) {
      known.push(line);
      onLine(line);
    }
    turn = turn.then(() => record(lines.map((line) => JSON.stringify(line))));
    turn.catch(() => null);
  };
  const lines = [...known.lines()];
  const followed = followJournal({ path, lines, signal: over.signal, onLines, onTrouble: () => {} });
  const close = async (): Promise<void> => {
    over.abort();
    await followed;
    await turn;
    await record([]);
  };
  return { known, readNow: async () => readProgress(await readAll()), spent, close };
}

/** Answers with what all attempts have spent up to now. */
function openAccount({ claim, place }: Recording, known: GrowingLines): () => JobSpent {
  const before = readJobNote(place)?.spent ?? NOTHING_SPENT;
  const begun = readClockMs();
  return () => {
    const { ticks, sessions, dollars, tokens } = readProgress(known).spent;
    return {
      ticks: before.ticks + ticks,
      sessions: before.sessions + sessions,
      dollars: before.dollars + dollars,
      tokens: (before.tokens ?? 0) + tokens,
      seconds: claim.spent.seconds + Math.max(0, Math.round((readClockMs() - begun) / 1000)),
    };
  };
}

/**
 * One attempt at a job: what earlier attempts left running is ended, the place is made or recovered, the command runs as
 * a process of its own, and its result is recorded with the token of the claim.
 */

export interface JobRun {
  readonly claim: Claim;
  readonly engine: Pick<Engine, "limits" | "find" | "readAttachment">;
  /** The folder of this job, and that of any other. */
  readonly locateFolder: Queue["locateFolder"];
  /** What the worker's owner allows jobs of others; null in a queue of one user. */
  readonly trust: WorkerTrust | null;
  /** What the team may spend; absent without one. */
  readonly budget?: TeamBudget;
  /** How to start relais. */
  readonly relais: readonly [node: string, executable: string];
  readonly environment: Environment;
  /** Whether agents and checks must run in a sandbox. */
  readonly isSandboxed: boolean;
  /** Waits where the disk is full. */
  readonly insist: Insist;
  /** The worker ends: the job waits again. */
  readonly stop: AbortSignal;
  readonly onLine?: (line: JournalLine) => void;
}

const NO_END: JobEnd = { status: null, signal: null, document: null, log: [] };
const NO_BRANCH = { branch: null, commit: null } as const;

export async function runJob(asked: JobRun): Promise<JobEnding> {
  const refusal = asked.trust === null ? null : refuseSharedJob(asked.claim.spec, asked.trust);
  if (refusal !== null) return refuseToRun(asked.claim, refusal);
  const { stop, engine } = asked;
  const budgeted = await asked.insist(() => reserveForClaim(useOwnAddress(asked), asked.budget));
  const claim = recordPatiently(budgeted.claim, asked.insist);
  const run = { ...asked, claim };
  const place = locateJobPlace(run.locateFolder(claim.job, claim.spec.repository), claim.job, run.environment);
  const over = new AbortController();
  const asks = watchAsks(run, place, over.signal, budgeted.over);
  try {
    await clearLeftovers(run, place);
    const kept = await findKeptResult(engine, claim);
    if (kept !== null) return await finishJob(claim, kept);
    return (await releaseOverBudget(claim, budgeted)) ?? (await work({ ...run, place, asks, budgeted }));
  } catch (error) {
    if (claim.lost.aborted) return FENCED;
    if (stop.aborted) return await releaseJob(claim, STOPPED, null);
    if (!(error instanceof MeasurementError)) throw error;
    const end = { ...NO_END, document: { message: describeError(error) } };
    return await finishJob(claim, { ...describeJobEnd(end, asks.isCancelled()), ...NO_BRANCH, spent: claim.spent });
  } finally {
    over.abort();
  }
}

function refuseToRun(claim: Claim, why: string): Promise<JobEnding> {
  const end = { ...NO_END, document: { message: `Refused: ${why}` } };
  return finishJob(claim, { ...describeJobEnd(end, false), ...NO_BRANCH, spent: claim.spent });
}

/** A URL in a job only names a repository: the worker uses the address that its owner wrote down. */
function useOwnAddress({ claim, trust }: JobRun): Claim {
  const { repository } = claim.spec;
  const url = trust === null || repository.kind !== "url" ? null : findOwnAddress(repository.url, trust);
  return url === null ? claim : { ...claim, spec: { ...claim.spec, repository: { kind: "url", url } } };
}

const STOPPED = "Its worker was stopped.";

/** Nothing of an earlier attempt may still write. */
async function clearLeftovers({ claim, locateFolder, environment, trust }: JobRun, place: JobPlace): Promise<void> {
  for (const { job, process } of claim.leftovers) {
    const left = locateJobPlace(locateFolder(job, claim.spec.repository), job, environment);
    // A number in a shared record may be that of any process; the marker is only on those of the job.
    await clearJobPlace(left, trust === null ? process : null);
  }
  await clearJobPlace(place, null);
  removeLeftLocks(place);
}

interface PlacedJob extends JobRun {
  readonly place: JobPlace;
  readonly budgeted: Pick<BudgetedClaim, "readOver">;
  readonly asks: Asks;
}

interface Asks {
  readonly stop: AbortSignal;
  readonly isCancelled: () => boolean;
  /** A change waits for a person, and nobody can be asked here. */
  readonly hold: () => void;
  readonly isHeld: () => boolean;
}

/** Obeys what people ask of the running job, until it is over. */
function watchAsks(
  { claim, stop }: JobRun,
  place: JobPlace /** The job is over. */,
  over: AbortSignal /** Nothing of the team's budget is left. */,
  spent: AbortSignal,
): Asks {
  const cancel = new AbortController();
  const held = new AbortController();
  const listen = async (): Promise<void> => {
    const caller = { cwd: place.repo, environment: place.environment, signal: over };
    for await (const what of claim.asked(over)) {
      if (what === "cancel") cancel.abort();
      // It may be too early or too late; the engine knows that the job is paused.
      if (what === "pause") await requestPause(caller).catch(() => null);
      if (what === "resume") await withdrawPause(caller).catch(() => null);
    }
  };
  void listen().catch(() => null);
  return {
    stop: AbortSignal.any([stop, claim.lost, cancel.signal, held.signal, spent]),
    isCancelled: () => cancel.signal.aborted,
    hold: () => held.abort(),
    isHeld: () => held.signal.aborted,
  };
}

interface Attempt extends PlacedJob {
  /** With the commit that the work starts from. */
  readonly spec: JobSpec;
}

async function work(placed: PlacedJob): Promise<JobEnding> {
  const { claim, place, asks } = placed;
  const { stop: signal } = asks;
  const spec = await settleJobBase(claim.spec, place, signal);
  const attempt = { ...placed, spec, place: addContext(place, spec) };
  const note: JobNote = { spent: claim.spent, base: spec.base.commit };
  const branches = placed.trust?.branches ?? null;
  const preparation = { token: String(claim.token), note: JSON.stringify(note), branches, signal };
  const prepared = await placed.insist(() => prepareJobPlace(place, spec, preparation));
  const raised = placed.trust === null ? null : await findRaisedCap(place, spec);
  if (raised !== null) return refuseToRun(claim, raised);
  const limit = await findPlaceLimit(place, spec, placed.engine);
  if (limit !== null) return releaseLimited(placed, limit);
  const recorder = await openRecorder({
    claim,
    place,
    onLine: (line) => {
      if (line.event.type === "asked") asks.hold();
      attempt.onLine?.(line);
    },
  });
  const ended = await runCommands(attempt, recorder, prepared === "resumed").finally(recorder.close);
  return ended === null || claim.lost.aborted ? FENCED : settle(attempt, recorder, ended);
}

function addContext(place: JobPlace, { files }: JobSpec): JobPlace {
  const text = files[SETBACK_FILE];
  if (text === undefined) return place;
  return { ...place, environment: { ...place.environment, [CONTEXT_VARIABLE]: text } };
}

interface EndedCommand {
  readonly end: JobEnd;
  /** Of its output files. */
  readonly name: string;
}

/** Null where the claim is gone. */
async function runCommands(attempt: Attempt, recorder: JobRecorder, isResumed: boolean): Promise<EndedCommand | null> {
  const { claim, spec, place, asks, isSandboxed } = attempt;
  let ended: EndedCommand | null = isResumed ? await recoverFirst(attempt, recorder) : NOTHING_RUN;
  if (ended !== NOTHING_RUN) return ended;
  const { isBegun } = await recorder.readNow();
  for (const [at, args] of listJobCommands(spec, { files: place.files, isBegun, isSandboxed }).entries()) {
    if (asks.stop.aborted) break;
    ended = await runCommand(attempt, args, `${claim.attempt}-${at + 1}`);
    if (ended?.end.status !== 0) break;
  }
  return ended;
}

const NOTHING_RUN: EndedCommand = { end: NO_END, name: "none" };

/** Restores what a killed attempt left. Answers with an end where there is nothing else to do. */
async function recoverFirst(attempt: Attempt, { readNow }: JobRecorder): Promise<EndedCommand | null> {
  const recovered = await runCommand(attempt, ["recover", "--yes", "--json"], "recover");
  if (recovered?.end.status !== 0) return recovered;
  const { lastCode } = await readNow();
  if (!isSingleTick(attempt.claim.spec.command) || lastCode === null || !isDecided(lastCode)) return NOTHING_RUN;
  // A kill between the end of the tick and its record.
  return { ...recovered, end: { ...NO_END, status: CODES[lastCode].exit, document: { code: lastCode } } };
}

/** Whether the tick of this code came to its own end. */
function isDecided(code: Code): boolean {
  return CODES[code].verdict !== "blocked" && code !== "STOP_INTERRUPTED" && code !== "STOP_RATE_LIMITED";
}

async function runCommand(
  { claim, relais, place, asks }: Attempt,
  args: readonly string[],
  name: string,
): Promise<EndedCommand | null> {
  const onStarted = async (process: Parameters<Claim["started"]>[0]): Promise<boolean> =>
    (await claim.started({ pid: process.pid, birth: process.birth, boot: process.boot })) === "recorded";
  const end = await runChild({ relais, args, place, name, onStarted, stop: asks.stop, leash: claim.leash });
  return end === null ? null : { end, name };
}

const LIMITED_STATUS = CODES.STOP_RATE_LIMITED.exit;

async function settle(attempt: Attempt, recorder: JobRecorder, { end, name }: EndedCommand): Promise<JobEnding> {
  const { claim, spec, place, asks, insist } = attempt;
  const released = asks.isCancelled() || asks.isHeld() ? null : await releaseUnfinished(attempt, recorder, end);
  if (released !== null) return released;
  const finished = {
    place,
    spec,
    claim,
    lines: recorder.known.lines(),
    outputs: { out: locateOutput(place, name, "out"), log: locateOutput(place, name, "log") },
    signal: claim.lost,
  };
  const collected = await insist(() => collectJob(finished)).catch(holdMeasurementError);
  if (collected === "fenced") return FENCED;
  if (collected instanceof MeasurementError) return await releaseUncollected(claim, collected);
  const { problems, ...branch } = collected;
  const { summary, ...described } = describeJobEnd(asks.isHeld() ? HELD : end, asks.isCancelled());
  const words = writeLine([summary, ...problems].join(" "));
  const followed = spec.base.follows === undefined ? {} : { base: spec.base.commit };
  return finishJob(claim, { ...described, summary: words, ...followed, ...branch, spent: recorder.spent() });
}

const COLLECT_AGAIN_MS = 5 * 60 * 1000;

function holdMeasurementError(error: unknown): MeasurementError {
  if (error instanceof MeasurementError) return error;
  throw error;
}

/** Its work is done and paid for, and stays in its place until something of this machine is mended. */
function releaseUncollected(claim: Claim, error: MeasurementError): Promise<JobEnding> {
  const again = new Date(readClockMs() + COLLECT_AGAIN_MS).toISOString();
  return releaseJob(claim, `Its result could not be collected: ${describeError(error)}.`, again);
}

/** The job waits again where its command was only interrupted; null where it came to its end. */
async function releaseUnfinished(attempt: Attempt, { known }: JobRecorder, end: JobEnd): Promise<JobEnding | null> {
  const { claim, stop } = attempt;
  if (stop.aborted && end.status !== 0) return releaseJob(claim, STOPPED, null);
  const overspent = end.status === 0 ? null : await releaseOverBudget(claim, attempt.budgeted);
  if (overspent !== null) return overspent;
  if (end.document?.["end"] === "paused") return releaseJob(claim, "A person paused it.", null);
  return end.status === LIMITED_STATUS ? releaseLimited(attempt, readProgress(known).limit) : null;
}

/** `settle: ask` of the repository's own configuration. */
const HELD: JobEnd = {
  ...NO_END,
  document: {
    code: "STOP_UNDECIDED",
    message: "Question: keep this change? A job has nobody to ask (settle: ask); the change is in its salvage.",
  },
};
