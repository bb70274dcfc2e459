/**
 * Runs a series of ticks for a workflow, from the first or from where it was left.
 *
 * The locks are taken once and held until the end, so that nobody comes in between two ticks. What was cut short
 * before is brought to its end first.
 */
import { join } from "node:path";
import { CODES } from "../../contract/values/codes.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import type { SeriesOptions, SeriesSummary } from "../../contract/journal/series.ts";
import { seriesNotification } from "../../core/history/notification.ts";
import { over, type SeriesOver } from "../../core/series/after-tick.ts";
import { type LastSeries, resumableSeries } from "../../core/series/last-series.ts";
import { seriesSummary } from "../../core/series/series-summary.ts";
import { WorkspaceFold } from "../../core/history/workspace-state.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { errorCode } from "../../io/files/error-code.ts";
import { type Journal, openJournal } from "../../io/journal/journal.ts";
import { newRunId } from "../../io/workspace/run-directory.ts";
import { publishLines } from "../recover/bring-to-its-end.ts";
import { cannotGoOn } from "../workspace/cannot-go-on.ts";
import { type Ground, type Unready, unready } from "../workspace/ground.ts";
import { incompleteJournal, lockPathsOf } from "../workspace/incomplete-journal.ts";
import { linesHere } from "../workspace/lines-here.ts";
import { notify } from "../workspace/notify.ts";
import { recoverFirst } from "../recover/recover-first.ts";
import { seriesGround } from "./series-place.ts";
import { recordOfSeries } from "./series-record.ts";
import { type SeriesRequest, type Sitting, sitThrough } from "./series-sitting.ts";
import { tellOpened } from "../tick/tell-recorded.ts";
import { journalUnusable } from "../workspace/unusable-journal.ts";
import { type LockRefusal, type NoteInLocks, withLocks } from "../workspace/with-locks.ts";

/** How it ended; what keeps it from beginning at all is told like that of a single tick. */
export type SeriesAnswer =
  | { readonly kind: "series"; readonly summary: SeriesSummary; readonly problems: readonly string[] }
  | Unready
  | LockRefusal;

export async function runSeries<State>(request: SeriesRequest<State>): Promise<SeriesAnswer> {
  try {
    return await recovered(request);
  } catch (error) {
    const isOfTheWorld = error instanceof MeasurementError || errorCode(error) !== null;
    // Before anything began, a signal is told by whoever called.
    if (!isOfTheWorld || request.signal.aborted) throw error;
    return cannotGoOn(error);
  }
}

async function recovered<State>(request: SeriesRequest<State>): Promise<SeriesAnswer> {
  const cleared = await recoverFirst(request);
  if (cleared.kind !== "cleared") return cleared;
  const ground = await seriesGround(request.cwd, request.environment);
  if (ground.kind === "blocked") return ground;
  const incomplete = await incompleteJournal(ground);
  if (incomplete !== null) return incomplete;
  const runId = newRunId(currentTimeMs());
  const opening = { request, ground, runId, recoveredRunId: cleared.runId };
  const locked = await withLocks({ paths: lockPathsOf(ground), runId }, (noteInLocks) =>
    withJournal({ ...opening, noteInLocks }),
  );
  if (locked.kind !== "done") return locked;
  if (locked.value.kind === "series") await tell(request, ground, locked.value.summary);
  return locked.value;
}

async function tell<State>(
  request: SeriesRequest<State>,
  { config, repository }: Ground,
  summary: SeriesSummary,
): Promise<void> {
  const warning = await notify({ ...request, config }, seriesNotification(summary, repository.root));
  if (warning !== null) request.watch.warned(warning);
}

interface Opening<State> {
  readonly request: SeriesRequest<State>;
  readonly ground: Ground;
  readonly runId: string;
  readonly recoveredRunId: string | null;
  readonly noteInLocks: NoteInLocks;
}

async function withJournal<State>(opening: Opening<State>): Promise<SeriesAnswer> {
  const { ground } = opening;
  const path = join(ground.stateDirectory, "journal.jsonl");
  const opened = await openJournal({ path, ledger: join(ground.workspace, "ledger.jsonl") });
  if (opened.kind !== "open") return journalUnusable(opened);
  try {
    return await begin(opening, opened.journal);
  } finally {
    await opened.journal.close();
  }
}

async function begin<State>(opening: Opening<State>, journal: Journal): Promise<SeriesAnswer> {
  const { request, ground, runId, noteInLocks, recoveredRunId } = opening;
  const { options, watch } = request;
  const last = lastOf(request, ground, journal);
  const refusal = last === null ? nothingToResume(request) : otherBranch(last, ground, options);
  if (refusal !== null) return refusal;
  const seriesId = last?.seriesId ?? runId;
  const bound = options.max_ticks ?? last?.options.max_ticks ?? null;
  const sitting = { request, ground, journal, noteInLocks, runId, seriesId };
  tellOpened(request.emit, { seriesId, lines: journal.lines() });
  if (last !== null) await recordOfSeries(sitting, { type: "series_resumed" });
  watch.begun({ seriesId, resumed: last !== null, recoveredRunId });
  const whole = { ...sitting, options: { ...options, max_ticks: bound } };
  return finish(whole, { recoveredRunId, resumed: last !== null, ended: await sitThrough(whole) });
}

function lastOf<State>(
  { isNew, options, resumes }: SeriesRequest<State>,
  { repository }: Ground,
  journal: Journal,
): LastSeries | null {
  const wanted = {
    ...options,
    worktree: repository.root,
    ...(resumes === undefined ? {} : { resumes }),
  };
  return isNew ? null : resumableSeries(linesHere(journal.lines(), repository), wanted);
}

function nothingToResume<State>({ mustResume = false, options }: SeriesRequest<State>): Unready | null {
  if (!mustResume) return null;
  return unready("nothing_to_resume", `No ${options.command} can go on here.`, "See `relais status`.");
}

/** A series goes on where its commits are. */
function otherBranch(
  { seriesId, branch }: LastSeries,
  { head }: Ground,
  { command }: SeriesOptions,
): Unready | null {
  if (branch === null || head.text === `ref: refs/heads/${branch}`) return null;
  const message = `The series ${seriesId} is not over, and its commits are on the branch ${branch}.`;
  const instead =
    command === "goal" ? 'another goal with `relais goal "<objective>"`' : "another series with `--new`";
  const remedy = `\`git switch ${branch}\` and go on there, or begin ${instead}.`;
  return { ...unready("other_branch", message, remedy), code: "BLOCKED_PROTECTED_BRANCH" };
}

interface Finish {
  readonly resumed: boolean;
  readonly recoveredRunId: string | null;
  readonly ended: SeriesOver | Unready;
}

async function finish<State>(
  sitting: Sitting<State>,
  { resumed, recoveredRunId, ended }: Finish,
): Promise<SeriesAnswer> {
  const { journal, seriesId, ground, options, request } = sitting;
  const { repository, workspace, config, configText } = ground;
  const first = journal.lines().find(({ series_id }) => series_id === seriesId);
  if (ended.kind === "blocked" && first === undefined) return ended;
  const last = ended.kind === "blocked" ? blockedBy(ended) : ended;
  let problems: readonly string[] = [];
  if (first !== undefined) {
    const { end, reason, message, hint } = last;
    // What the workflow shows of itself comes first, so that a series with an end has nothing old lying about.
    const unpublished = (await request.publish?.(ground, { seriesId, lines: journal.lines() })) ?? [];
    await recordOfSeries(sitting, {
      type: "series_ended",
      end,
      reason,
      message,
      hint,
    });
    problems = [...unpublished, ...(await publishLines({ repository, workspace, journal, config }))];
  }
  const now = currentTimeMs();
  const startedAt = first?.at ?? new Date(now).toISOString();
  const state = journal.fold(WorkspaceFold).state(config.budgets);
  const summary = seriesSummary({
    lines: journal.lines(),
    state,
    seriesId,
    workflow: request.workflow({
      config,
      configText,
      options,
      warnings: [],
      seriesId,
      lines: journal.lines(),
    }).name,
    options,
    over: last,
    resumed,
    recoveredRunId,
    startedAt,
    endedAt: new Date(now).toISOString(),
    durationMs: Math.max(0, now - Date.parse(startedAt)),
  });
  return { kind: "series", summary, problems };
}

/** Something that a tick needs was gone before the next one could begin. */
function blockedBy({ code, message, problems, remedy = CODES[code].remedy }: Unready): SeriesOver {
  const whole = [message, ...problems].join(" ");
  return { ...over("blocked", { reason: code, message: whole, hint: remedy }), exit: CODES[code].exit };
}
