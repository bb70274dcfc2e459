import { nameSeries } from "../workspace/series-branch.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { archiveMilestones } from "../decide/next-milestone.ts";
import type { Workspace, LockedWorkspace, CommandContext } from "../workspace/workspace.ts";
import type { SeriesBeginning, SeriesPause } from "../records/dry-run.ts";
import type { Choices } from "../config/choices.ts";
import type { Config } from "../config/config.ts";
import { SERIES_ENDS, type SeriesEnd } from "../base/codes.ts";
import type { JournalLine } from "../records/event.ts";
import { MeasurementError } from "../base/errors.ts";
import type { SeriesOptions } from "../records/series.ts";
import { isCapReached, listBudgetWarnings } from "../tick/pure/budget.ts";
import { makeTickNotification } from "../journal/pure/make-notification.ts";
import { endSeries, type SeriesOver } from "./pure/after-tick.ts";
import { findHeldEnd, foldHeld, type HeldTicks, NOTHING_HELD } from "./pure/held-twice.ts";
import type { NextWork, Work, Workflow } from "./pure/workflow.ts";
import { readClockMs } from "../system/clock.ts";
import { createRunId } from "../journal/run-directory.ts";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import type { Attempt } from "../records/attempts.ts";
import type { RoundPort } from "../tick/running-tick.ts";
import { landAttempt } from "../landing/land-attempt.ts";
import { openSeriesWorkspace } from "../workspace/open-workspace.ts";
import type { ChosenConfig } from "../workspace/read-project.ts";
import { notify } from "../workspace/notify.ts";
import { type OpenedSession, openSession } from "../tick/open-session.ts";
import { JournalFailure } from "../workspace/journal-failure.ts";
import { type TickEnding, runWork } from "../tick/run-work.ts";
import { takePause } from "../workspace/pause-runner.ts";
import { beginPause, beginWait, waitOut } from "./series-wait.ts";

/**
 * The loop of a series: decide, wait or work, repeat.
 *
 * Every decision rests on the journal. After a kill, the next process continues
 * in the same way, the wait for a limit included. The configuration is read again for each tick, which records its hash.
 */

interface SeriesCircumstances {
  readonly config: Config;
  /** Before the choices of the command line. */
  readonly baseText: string;
  readonly options: SeriesOptions;
  /** The counters near their caps; none once a cap is reached, which blocks the next tick. */
  readonly warnings: readonly string[];
  readonly seriesId: string;
  /** Those of the series. */
  readonly lines: readonly JournalLine[];
}

export interface SeriesWatch {
  readonly begun: (series: SeriesBeginning) => void;
  readonly ticked: (tick: TickEnding) => void;
  /** Something failed that changes nothing. */
  readonly warned: (warning: string) => void;
  /** Called repeatedly while the series waits. */
  readonly waiting: (wait: SeriesPause) => void;
}

export interface SeriesRequest<State> extends CommandContext {
  readonly options: SeriesOptions;
  /** Of this command; those of a resumed series are added. */
  readonly choices: Choices;
  /** Absent where the series has to choose. */
  readonly chosen?: ChosenConfig;
  /** Whether to start a new series even if an older one is not over. */
  readonly isNew: boolean;
  /** Called for each tick, with the configuration as it is then. */
  readonly workflow: (known: SeriesCircumstances) => Workflow<State>;
  readonly watch: SeriesWatch;
  /** The ends after which the series can be resumed; absent are the usual ones. */
  readonly resumes?: readonly SeriesEnd[];
  /** Whether to refuse where there is nothing to resume. */
  readonly mustResume?: boolean;
  /** Called before each tick, to write in the repository before it is observed. */
  readonly beforeTick?: (work: Work) => void;
  /** How several tasks are worked on side by side, with the choices of the series; absent where none are. */
  readonly makeRound?: (choices: Choices) => RoundPort;
  /** Writes the workflow's files after each tick; answers with what could not be written. */
  readonly publish?: (workspace: Workspace, series: PublishedSeries) => Promise<readonly string[]>;
}

export interface PublishedSeries {
  readonly seriesId: string;
  readonly lines: readonly JournalLine[];
}

export interface SeriesRun<State> {
  readonly request: SeriesRequest<State>;
  readonly workspace: LockedWorkspace;
  readonly seriesId: string;
  readonly options: SeriesOptions;
}

export async function runSeriesTicks<State>(series: SeriesRun<State>): Promise<SeriesOver | NotReady> {
  const { request, workspace: first } = series;
  const folded: FoldedSeries<State> = {
    state: openWorkflow(series, first).start,
    held: NOTHING_HELD,
    lines: 0,
    first: null,
  };
  let { runId } = first;
  while (await waitOut(series)) {
    const now = await openAgain(first, request);
    if (now.kind === "blocked") return now;
    const workspace = { ...first, ...now, runId };
    const step = await chooseStep(series, workspace, folded);
    if (step.kind === "end") return step;
    if (step.kind === "wait") continue;
    request.beforeTick?.(step.work);
    const stopped = await runStep(series, workspace, step);
    if (stopped !== null) return stopped;
    runId = createRunId(readClockMs());
  }
  return endInterrupted(request.signal, series.options);
}

/** The state and how many lines of the series are folded: each line is folded once, however long the series is. */
interface FoldedSeries<State> {
  state: State;
  held: HeldTicks;
  lines: number;
  /** The state before the first tick of this process. */
  first: { readonly state: State } | null;
}

interface WorkStep {
  readonly kind: "work";
  readonly workflow: Workflow<unknown>["name"];
  readonly work: Work;
  readonly lands?: Attempt;
}

async function chooseStep<State>(
  series: SeriesRun<State>,
  workspace: LockedWorkspace,
  folded: FoldedSeries<State>,
): Promise<WorkStep | SeriesOver | { readonly kind: "wait" }> {
  const { signal } = series.request;
  const workflow = openWorkflow(series, workspace);
  foldNewLines(series, workflow, folded);
  folded.first ??= { state: folded.state };
  const next = workflow.next(folded.state, folded.first.state);
  if (next.kind === "end") return endByWorkflow(next);
  const over = findHeldEnd(folded.held, workspace.config.loop);
  if (over !== null) return over;
  if (signal.aborted) return endInterrupted(signal, series.options);
  if (await takePause(workspace)) return endPaused(series.options);
  if (next.kind === "work") return { ...next, workflow: workflow.name };
  if (next.ms !== undefined) return beginPause(series, next.ms);
  return (await beginWait(series, workspace.config)) ?? next;
}

function openWorkflow<State>(
  { request, options, seriesId }: SeriesRun<State>,
  workspace: LockedWorkspace,
): Workflow<State> {
  const { config, baseText, journal } = workspace;
  const warnings = listWarnings(workspace);
  return request.workflow({ config, baseText, options, warnings, seriesId, lines: journal.linesOfSeries(seriesId) });
}

/** If a cap will block the next tick, the block says more than a warning. */
function listWarnings({ journal, config: { budgets } }: LockedWorkspace): readonly string[] {
  const state = journal.fold(WorkspaceFold).state(budgets);
  return isCapReached(state, budgets) ? [] : listBudgetWarnings(state, budgets);
}

function foldNewLines<State>(
  { workspace: { journal }, seriesId }: SeriesRun<State>,
  workflow: Workflow<State>,
  folded: FoldedSeries<State>,
): void {
  const lines = journal.linesOfSeries(seriesId);
  for (const line of lines.slice(folded.lines)) {
    folded.state = workflow.reduce(folded.state, line);
    folded.held = foldHeld(folded.held, line);
  }
  folded.lines = lines.length;
}

function endByWorkflow(next: Extract<NextWork, { kind: "end" }>): SeriesOver {
  const { end, reason = end, message = SERIES_ENDS[end].meaning, hint, exit } = next;
  const why = { reason, message, ...(typeof hint === "string" ? { hint } : {}) };
  return { ...endSeries(end, why), ...(exit === undefined ? {} : { exit }) };
}

/** The locks were taken by the first configuration, so their paths must not change. */
async function openAgain<State>(first: Workspace, request: SeriesRequest<State>): Promise<Workspace | NotReady> {
  const workspace = await openSeriesWorkspace(request);
  if (workspace.kind === "blocked") return workspace;
  const isSame =
    workspace.folder === first.folder &&
    workspace.stateDirectory === first.stateDirectory &&
    workspace.config.runner.lockfile === first.config.runner.lockfile;
  if (isSame) return workspace;
  const message = "`workspace_dir` or `runner.lockfile` changed while the series was running.";
  return refuseNotReady("workspace_moved", message, "Start the series again.");
}

const STATUS_OF_SIGNALS: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

const RESUME_HINTS: Readonly<Record<string, string>> = {
  goal: "`relais goal resume` continues it.",
  campaign: "The same command continues it.",
};
const USUAL_HINT = "The same command continues the series; `--new` starts another.";

function hintAt(command: string): string {
  return RESUME_HINTS[command.split(" ")[0] ?? ""] ?? USUAL_HINT;
}

function endPaused({ command }: SeriesOptions): SeriesOver {
  const message = "Paused with `relais pause`; nothing was interrupted.";
  return endSeries("paused", { reason: "pause", message, hint: hintAt(command) });
}

function endInterrupted({ reason }: AbortSignal, { command }: SeriesOptions): SeriesOver {
  const name = typeof reason === "string" ? reason : "a signal";
  const message = name === "SIGINT" ? "Stopped with Ctrl-C." : `Stopped by ${name}.`;
  const end = endSeries("interrupted", { reason: name.toLowerCase(), message, hint: hintAt(command) });
  return { ...end, exit: STATUS_OF_SIGNALS[name] ?? end.exit };
}

function refuseInPlace(): NotReady {
  return refuseNotReady(
    "parallel_in_place",
    "Several tasks at once need places of their own, and ticks work in place here (`isolation`), where there is room for one.",
    "Leave out --parallel, or see `relais doctor` about an overlay or a clone.",
  );
}

interface StepOpening {
  readonly step: WorkStep;
  readonly seriesId: string;
  readonly choices: Choices;
}

/** What was made beside is put on top of what is there now. */
async function openStep<State>(
  request: SeriesRequest<State>,
  workspace: LockedWorkspace,
  { step: { work: chosen, lands }, seriesId, choices }: StepOpening,
): Promise<(Extract<OpenedSession, { kind: "session" }> & { readonly work: Work }) | NotReady> {
  const landing = lands === undefined ? {} : { landing: await landAttempt(workspace, lands, request.signal) };
  const isNoted = workspace.config.loop.on_suspicion === "note";
  const suspicions = isNoted ? { suspicions: "note" as const } : {};
  const work = { ...chosen, ...landing, ...suspicions, fixes: choices.fixes };
  const round = work.tasksMax === undefined ? null : (request.makeRound?.(choices) ?? null);
  const opened = await openSession({
    ...request,
    workspace,
    seriesId,
    work,
    round,
    title: nameSeries(request.options),
  });
  if (opened.kind === "blocked") return opened;
  return round !== null && opened.session.where.place.isolation === "in_place" ? refuseInPlace() : { ...opened, work };
}

async function runStep<State>(
  { request, seriesId, options }: SeriesRun<State>,
  workspace: LockedWorkspace,
  step: WorkStep,
): Promise<SeriesOver | NotReady | null> {
  const { journal, config, repository } = workspace;
  try {
    const opened = await openStep(request, workspace, { step, seriesId, choices: options.choices ?? {} });
    if (opened.kind === "blocked") return opened;
    const { work } = opened;
    const ended = await runWork(opened.session, {
      workflow: step.workflow,
      work,
      relaisVersion: request.relaisVersion,
      series: options,
    });
    const problems = [
      ...(await archiveMilestones(workspace, journal)),
      ...((await request.publish?.(workspace, { seriesId, lines: journal.linesOfSeries(seriesId) })) ?? []),
    ];
    request.watch.ticked({ ...ended, problems: [...ended.problems, ...problems] });
    const warning = await notify({ ...request, config }, makeTickNotification(ended.report, repository.root));
    if (warning !== null) request.watch.warned(warning);
    return null;
  } catch (error) {
    const isCutShort = request.signal.aborted && error instanceof MeasurementError;
    if (!isCutShort || error instanceof JournalFailure) throw error;
    return endInterrupted(request.signal, options);
  }
}
