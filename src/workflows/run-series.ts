/**
 * Starts or continues a series of ticks for a workflow.
 *
 * The locks are taken once and held until the end, so that no other relais runs between two ticks. An interrupted
 * tick is recovered first.
 */
import { findProtectedBranch, nameOwnBranch, nameSeries } from "../workspace/series-branch.ts";
import type { Config } from "../config/config.ts";
import { CODES } from "../base/codes.ts";
import type { JournalLine } from "../records/event.ts";
import type { LastSeries, SeriesOptions, SeriesSummary } from "../records/series.ts";
import { makeSeriesNotification } from "../journal/pure/make-notification.ts";
import { foldSeries, NO_TICKS } from "./pure/series-tick.ts";
import { endSeries, type SeriesOver, describeMaxTicks } from "./pure/after-tick.ts";
import { findResumableSeries } from "./pure/last-series.ts";
import { summariseSeries } from "./pure/series-summary.ts";
import { HeldFold } from "../journal/pure/held-work.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { findCommit, isAncestor } from "../git/find-commit.ts";
import { readClockMs } from "../system/clock.ts";
import { type CommandFailure, type NotReady, refuseNotReady } from "../records/command-failure.ts";
import type { LockedWorkspace, Workspace } from "../workspace/workspace.ts";
import { findUnfinishedTick } from "../workspace/journal-state.ts";
import { publishLines } from "../workspace/publish.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { foldOfRepository } from "../workspace/lines-of-repository.ts";
import { notify } from "../workspace/notify.ts";
import { recoverFirst } from "../decide/recover.ts";
import type { Misuse } from "../workspace/misuse.ts";
import { chooseSeriesConfig } from "./series-config.ts";
import { recordSeriesEvent } from "./series-wait.ts";
import { type SeriesRequest, runSeriesTicks, type SeriesRun } from "./series-loop.ts";
import { emitOpened, listShownLines } from "../tick/emit-recorded.ts";

export type SeriesAnswer =
  | { readonly kind: "series"; readonly summary: SeriesSummary; readonly problems: readonly string[] }
  | CommandFailure
  | Misuse;

export async function runSeries<State>(asked: SeriesRequest<State>): Promise<SeriesAnswer> {
  const cleared = await recoverFirst(asked);
  if (cleared.kind !== "cleared") return cleared;
  const chosen = asked.chosen ?? (await chooseSeriesConfig(asked));
  if ("kind" in chosen && chosen.kind !== "complete") return chosen;
  const request = { ...asked, chosen: "kind" in chosen ? chosen.chosen : chosen };
  const answer = await withWorkspace(
    request,
    "series",
    (workspace) =>
      // Another relais may have been killed since the recovery, before this one took the locks.
      findUnfinishedTick(workspace.journal, workspace.runId) ??
      beginSeries({ request, workspace, recoveredRunId: cleared.runId }),
  );
  if (answer.kind !== "finished") return answer;
  const { kind: _, config, root, ...ended } = answer;
  const warning = await notify({ ...request, config }, makeSeriesNotification(ended.summary, root));
  if (warning !== null) request.watch.warned(warning);
  return { kind: "series", ...ended };
}

interface SeriesOpening<State> {
  readonly request: SeriesRequest<State>;
  readonly workspace: LockedWorkspace;
  readonly recoveredRunId: string | null;
}

/** With what the notification needs once the locks are released. */
interface FinishedSeries {
  readonly kind: "finished";
  readonly summary: SeriesSummary;
  readonly problems: readonly string[];
  readonly config: Config;
  readonly root: string;
}

async function beginSeries<State>({
  request,
  workspace,
  recoveredRunId,
}: SeriesOpening<State>): Promise<FinishedSeries | NotReady> {
  const { options, watch } = request;
  const last = findLast(request, workspace);
  const refusal = last === null ? refuseNothingToResume(request) : await refuseOtherBranch(last, workspace, options);
  if (refusal !== null) return refusal;
  // What the series has spent is not in the summary of the journal.
  if (last !== null) workspace.journal.lines();
  const seriesId = last?.seriesId ?? workspace.runId;
  const series = { request, workspace, seriesId };
  const { journal } = workspace;
  emitOpened(request.emit, { seriesId, lines: listShownLines(journal, seriesId) });
  if (last !== null) await recordSeriesEvent(series, { type: "series_resumed" });
  const bound = countAllowedTicks(options, last, journal.linesOfSeries(seriesId));
  watch.begun({ seriesId, resumed: last !== null, recoveredRunId, branch: await findOwnBranch(series) });
  const parallel = options.parallel ?? last?.options.parallel;
  const asked = { ...options, max_ticks: bound, ...(parallel === undefined ? {} : { parallel }) };
  const whole = { ...series, options: { ...asked, ...recordConfig(request, workspace) } };
  const ended = withAskedTicks(await runSeriesTicks(whole), options);
  return finishSeries(whole, { recoveredRunId, resumed: last !== null, ended });
}

/** A tree refuses a protected branch by itself. */
async function findOwnBranch<State>({ request: { options }, workspace, seriesId }: SeriesHead<State>) {
  const { repository, config } = workspace;
  if (options.command === "tree" || (await findProtectedBranch(repository, config)) === null) return null;
  return nameOwnBranch(config, nameSeries(options), seriesId);
}

type SeriesHead<State> = Pick<SeriesRun<State>, "request" | "workspace" | "seriesId">;

/** What a later process needs to go on with the same configuration. */
function recordConfig<State>(
  { chosen }: SeriesRequest<State>,
  { isFound }: LockedWorkspace,
): Pick<SeriesOptions, "choices" | "config"> {
  const choices = chosen?.choices ?? {};
  return {
    ...(Object.keys(choices).length === 0 ? {} : { choices }),
    ...(isFound ? { config: "found" as const } : {}),
  };
}

function withAskedTicks(ended: SeriesOver | NotReady, { max_ticks: asked }: SeriesOptions): SeriesOver | NotReady {
  if (asked === null || ended.kind !== "end" || ended.reason !== "max_ticks") return ended;
  return { ...ended, message: describeMaxTicks(asked) };
}

/**
 * How many ticks the whole series may have. The number of this command comes on top of the ticks before it; without
 * one, the old limit stays.
 */
function countAllowedTicks(
  { max_ticks: asked }: SeriesOptions,
  last: LastSeries | null,
  own: readonly JournalLine[],
): number | null {
  if (last === null || asked === null) return asked ?? last?.options.max_ticks ?? null;
  const { ticks } = own.reduce(foldSeries, NO_TICKS);
  return asked + ticks.filter(({ isCounted }) => isCounted).length;
}

function findLast<State>(
  { isNew, options, resumes }: SeriesRequest<State>,
  { repository, journal }: LockedWorkspace,
): LastSeries | null {
  const wanted = {
    ...options,
    worktree: repository.root,
    ...(resumes === undefined ? {} : { resumes }),
  };
  return isNew ? null : findResumableSeries(foldOfRepository(journal, repository), wanted);
}

function refuseNothingToResume<State>({ mustResume = false, options }: SeriesRequest<State>): NotReady | null {
  if (!mustResume) return null;
  return refuseNotReady(
    "nothing_to_resume",
    `There is no ${options.command} to continue here.`,
    "See `relais status`.",
  );
}

/** A series goes on where its commits are: on its branch or, once that is deleted, on a branch that has them. */
async function refuseOtherBranch(
  { seriesId, branch, commit }: LastSeries,
  { head, repository }: Workspace,
  { command }: SeriesOptions,
): Promise<NotReady | null> {
  if (branch === null || head.text === `ref: refs/heads/${branch}`) return null;
  const isThere = (await findCommit(`refs/heads/${branch}`, { repository })) !== null;
  if (!isThere && commit !== null && (await isAncestor(commit, head.commit, repository))) return null;
  const message = `The series ${seriesId} is not finished, and its commits are ${isThere ? "" : "not here: they were "}on the branch ${branch}.`;
  const back = isThere ? `git switch ${branch}` : `git switch -c ${branch} ${commit}`;
  const remedy = `\`${back}\` and continue there, or ${describeNewSeries(command)}.`;
  return { ...refuseNotReady("other_branch", message, remedy), code: "BLOCKED_PROTECTED_BRANCH" };
}

/** How a person begins anew with the same command. */
function describeNewSeries(command: string): string {
  if (command === "goal") return 'start another goal with `relais goal "<objective>"`';
  if (!command.startsWith("campaign ")) return "start another series with `--new`";
  const slug = command.slice("campaign ".length);
  return `remove the folder of the campaign and plan it again with \`relais campaign init ${slug}\``;
}

interface SeriesFinish {
  readonly resumed: boolean;
  readonly recoveredRunId: string | null;
  readonly ended: SeriesOver | NotReady;
}

async function finishSeries<State>(
  series: SeriesRun<State>,
  { resumed, recoveredRunId, ended }: SeriesFinish,
): Promise<FinishedSeries | NotReady> {
  const { seriesId, workspace, options, request } = series;
  const { repository, config, baseText, journal } = workspace;
  const lines = journal.linesOfSeries(seriesId);
  const first = lines.at(0);
  if (ended.kind === "blocked" && first === undefined) return ended;
  const last = ended.kind === "blocked" ? endBlocked(ended) : ended;
  let problems: readonly string[] = [];
  if (first !== undefined) {
    const { end, reason, message, hint } = last;
    // The workflow's files first, so that they are current when the series has an end.
    const unpublished = (await request.publish?.(workspace, { seriesId, lines })) ?? [];
    await recordSeriesEvent(series, {
      type: "series_ended",
      end,
      reason,
      message,
      hint,
    });
    problems = [...unpublished, ...(await publishLines(workspace))];
  }
  const now = readClockMs();
  const startedAt = first?.at ?? new Date(now).toISOString();
  const state = journal.fold(WorkspaceFold).state(config.budgets);
  const summary = summariseSeries({
    lines,
    state,
    seriesId,
    workflow: request.workflow({
      config,
      baseText,
      options,
      warnings: [],
      seriesId,
      lines,
    }).name,
    options,
    over: last,
    held: listHeldOfSeries(workspace, seriesId),
    resumed,
    recoveredRunId,
    startedAt,
    endedAt: new Date(now).toISOString(),
    durationMs: Math.max(0, now - Date.parse(startedAt)),
  });
  return { kind: "finished", summary, problems, config, root: repository.root };
}

/** Also where another tick has decided about the rest. */
function listHeldOfSeries({ journal }: LockedWorkspace, seriesId: string) {
  const waiting = journal.fold(HeldFold).list();
  return waiting.filter((work) => work.seriesId === seriesId);
}

/** A tick could not start. */
function endBlocked({ code, message, problems, remedy = CODES[code].remedy }: NotReady): SeriesOver {
  const whole = [message, ...problems].join(" ");
  return { ...endSeries("blocked", { reason: code, message: whole, hint: remedy }), exit: CODES[code].exit };
}
