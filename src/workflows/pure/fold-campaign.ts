import { HELD } from "../../records/suspicions.ts";
import { WAS_HELD } from "./held-twice.ts";
import { type CampaignSettings, EVERY_STORY } from "../../records/campaign.ts";
import { type CampaignIssue, CampaignVerdict, WorkerWords } from "../../records/campaign-messages.ts";
import { unreachable } from "../../base/errors.ts";
import type { Review } from "../../records/review.ts";
import { parseWith } from "../../base/schema-error.ts";
import { describeCheckEnd, isGreenRun } from "../../tick/pure/decisive-words.ts";
import { shorten, shortenList } from "../../base/words.ts";
import {
  findBase,
  findReview,
  findReviewing,
  findVerification,
  findBuilt,
  findJudgement,
  findSettled,
  findOutcome,
  findTask,
} from "../../tick/pure/tick-facts.ts";
import type { TickState } from "../../tick/pure/tick-state.ts";
import { type CampaignState, openStories, nameWorkerStory, withSettings, NEW_CAMPAIGN } from "./campaign-state.ts";
import {
  type EndedCampaignTick,
  failCampaign,
  failByInfrastructure,
  describeTickEnd,
  listSortedIssues,
  listTouchedSince,
  listUntracedPaths,
} from "./campaign-tick-end.ts";
import { combineVerdicts, countFailures, isTooManyRequests, isContextStuck } from "./verdict-rules.ts";
import { describeRejection } from "../../tick/pure/rejection-words.ts";
import { findUnfinishedWork, findFinishedWork } from "./left-work.ts";
import type { JournalLine, TickEvent } from "../../records/event.ts";
import { isCutShort } from "./cut-short.ts";
import { foldSeries, NO_TICKS, type UnendedTick } from "./series-tick.ts";
import { FINISHED_WORK_LOST } from "./workflow.ts";
import type { FoldedLines } from "../../records/folded-lines.ts";
import { findLastSeries } from "./last-series.ts";
import { writeCampaignCommand } from "./campaign-names.ts";

/** Keeps the answers of an interrupted verification; these verifiers are not asked again. */
export function withAnswers(state: CampaignState, tick: TickState): CampaignState {
  const base = findBase(tick);
  if (base === null) return state;
  const isSame = state.known?.base === base.base_commit;
  const answers = findReview(tick)?.reviews ?? findReviewing(tick)?.answers ?? [];
  const heard = [...(isSame ? (state.known?.reviews ?? []) : []), ...answers];
  const byName = new Map(heard.filter(({ vote }) => vote !== "none").map((review) => [review.name, review]));
  return { ...state, known: { base: base.base_commit, reviews: [...byName.values()] } };
}

export function evolveVerification(ended: EndedCampaignTick): CampaignState {
  const { state, tick, outcome, settings } = ended;
  const reviewed = findReview(tick);
  if (reviewed === null) {
    const issue = findRunnerIssue(ended);
    if (issue === null) return failByInfrastructure(ended, describeTickEnd(outcome, tick));
    const unheard = { ...ended, state: { ...state, messages: { ...state.messages, verdicts: [] } } };
    const conclusion = { verdict: "fail", issues: [issue], summary: issue.description, questions: [] } as const;
    return concludeVerification(unheard, conclusion);
  }
  const verdicts = reviewed.reviews.flatMap((review) => readCountedVerdict(review) ?? []);
  if (verdicts.length < settings.verifiers.length)
    return failByInfrastructure(
      { ...ended, state: withAnswers(state, tick) },
      `a verifier left no verdict: ${reviewed.reviews.map(({ cause, explanation }) => cause ?? explanation).join(", ")}`,
    );
  const messages = { ...state.messages, verdicts };
  return concludeVerification(
    { ...ended, state: { ...state, messages } },
    {
      verdict: combineVerdicts(verdicts.map(({ verdict }) => verdict)),
      issues: verdicts.flatMap(({ issues }) => issues),
      questions: verdicts.flatMap(({ questions }) => questions),
      summary: verdicts.map(({ blocker, summary }) => blocker ?? summary).join(" "),
    },
  );
}

/** A dropped vote is no verdict, whatever its document says. */
function readCountedVerdict({ vote, decision }: Review): CampaignVerdict | null {
  const parsed = parseWith(CampaignVerdict, decision);
  return vote !== "none" && parsed.kind === "valid" ? parsed.value : null;
}

/** What the commands found, so that no verifier was asked; null if they did not come to an end. */
function findRunnerIssue({ tick, outcome }: EndedCampaignTick): CampaignIssue | null {
  const verified = findVerification(tick);
  if (verified === null || verified.code === null) return null;
  const red = verified.runs.find((run) => !isGreenRun(run));
  if (red !== undefined) {
    const words = `The runner ran \`${[red.cmd, ...red.args].join(" ")}\`: it ${describeCheckEnd(red)}.`;
    return makeRunnerIssue(`command ${red.template_id}`, words);
  }
  if (verified.findings.length === 0) return null;
  const words = `The commands changed what they should only check: ${describeTickEnd(outcome, tick)}`;
  return makeRunnerIssue("commands", words);
}

function makeRunnerIssue(criterion: string, description: string): CampaignIssue {
  return { criterion, severity: "critical", description: shorten(description, 1000), fix_hint: null };
}

interface Conclusion {
  readonly verdict: CampaignVerdict["verdict"];
  readonly issues: readonly CampaignIssue[];
  readonly questions: readonly string[];
  readonly summary: string;
}

function concludeVerification({ state, settings }: EndedCampaignTick, conclusion: Conclusion): CampaignState {
  const [story = EVERY_STORY] = state.due;
  const { verdict, issues, questions, summary } = conclusion;
  const known = { ...state, known: null, restarts: 0, lastResult: verdict, message: summary };
  const next = { ...known, records: withVerification(state, { story, verdict, summary, issues }) };
  switch (verdict) {
    case "pass":
      return passStory(next, settings, story);
    case "fail":
      return failCampaign(next, settings, { issues });
    case "request_info":
      return requestInfo(next, settings, questions);
    case "blocked":
      return { ...next, due: [], status: "blocked" };
    default:
      return unreachable(verdict);
  }
}

function withVerification(
  { records }: CampaignState,
  verification: CampaignState["records"][number]["verifications"][number],
): CampaignState["records"] {
  return records.map((record, index) =>
    index === records.length - 1 ? { ...record, verifications: [...record.verifications, verification] } : record,
  );
}

function passStory(state: CampaignState, settings: CampaignSettings, story: string): CampaignState {
  const ids = settings.stories.map(({ id }) => id);
  const verified = story === EVERY_STORY ? ids : [...new Set([...state.verified, story])];
  const next: CampaignState = {
    ...state,
    verified,
    due: state.due.slice(1),
    chain: [],
    failures: countFailures(state.failures, "pass"),
    isLastTry: false,
    requests: 0,
    contract: null,
  };
  if (story === EVERY_STORY) return { ...next, status: "complete" };
  const isAllVerified = next.due.length === 0 && openStories(next, settings).length === 0;
  return isAllVerified ? { ...next, due: [EVERY_STORY] } : next;
}

/** The next worker answers the questions and claims again. */
function requestInfo(state: CampaignState, { limits }: CampaignSettings, questions: readonly string[]): CampaignState {
  const requests = state.requests + 1;
  const next: CampaignState = { ...state, requests, due: [], contract: { kind: "info", questions } };
  if (!isTooManyRequests(requests, limits)) return next;
  const message = `The verifier asked for information ${requests} times in a row: ${questions.join(" ")}`;
  return { ...next, status: "blocked", message: shorten(message, 2000) };
}

export function evolveWorker(ended: EndedCampaignTick): CampaignState {
  const { tick, outcome, settings } = ended;
  const words = readWorkerWords(tick);
  if (words?.kind !== "valid")
    return continueAfterLimit(ended) ?? failByInfrastructure(ended, `the worker failed: ${describeFailure(ended)}`);
  const isGreen = outcome.code === "SUCCESS";
  const isRefused = !isGreen && wasRefused(outcome.code, findJudgement(tick)?.code);
  if (!isGreen && !isRefused) return failByInfrastructure(ended, describeTickEnd(outcome, tick));
  const noted = recordIteration(ended, words.value.signal);
  return isRefused ? refuseChange(ended, noted) : applySignal(takeNotes(noted, words.value), settings, words.value);
}

/** By the judge or by a person, or for a person to decide. */
function wasRefused(code: string, judged: string | undefined): boolean {
  return code === "STOP_REJECTED" || code === HELD || code === judged;
}

function readWorkerWords(tick: EndedCampaignTick["tick"]) {
  const built = findBuilt(tick);
  return built?.failure === null ? parseWith(WorkerWords, built.data) : null;
}

function refuseChange({ state, outcome, tick }: EndedCampaignTick, noted: CampaignState): CampaignState {
  const objection =
    outcome.code === "STOP_REJECTED"
      ? describeRejection(outcome.message)
      : `${outcome.code === HELD ? WAS_HELD : "The change broke a rule and was reverted"}: ${describeTickEnd(outcome, tick)}`;
  return { ...noted, objection, unchanged: state.unchanged + 1, lastResult: "refused", message: objection };
}

function describeFailure({ tick, outcome }: EndedCampaignTick): string {
  const built = findBuilt(tick);
  const cause = built?.failure?.cause ?? null;
  const words = built?.summary ?? null;
  return cause === null ? describeTickEnd(outcome, tick) : `${cause}${words === null ? "" : `: ${words}`}`;
}

/** The next iteration starts from this work; null if the session made no progress. */
function continueAfterLimit(ended: EndedCampaignTick): CampaignState | null {
  const unfinished = findUnfinishedWork(ended.tick);
  if (unfinished === null || unfinished.size === ended.state.unfinished?.size) return null;
  const message = `A limit ended the worker, and the next one continues its work: ${describeFailure(ended)}`;
  return { ...recordIteration(ended, null), unfinished, lastResult: "infrastructure", message };
}

function recordIteration(
  { state, tick, outcome, settings, at }: EndedCampaignTick,
  signal: Pick<WorkerWords["signal"], "status" | "summary"> | null,
): CampaignState {
  const iteration = state.iteration + 1;
  const judged = findJudgement(tick);
  const record = {
    iteration,
    at,
    story: nameWorkerStory(state, settings),
    signal: signal === null ? null : { status: signal.status, summary: signal.summary },
    code: outcome.code,
    commit: findSettled(tick)?.commit ?? null,
    touched: judged?.touched_paths ?? [],
    linesAdded: judged?.blast_radius.lines_added ?? 0,
    linesDeleted: judged?.blast_radius.lines_deleted ?? 0,
    verifications: [],
  };
  return { ...state, iteration, restarts: 0, unfinished: null, records: [...state.records, record] };
}

function takeNotes(state: CampaignState, { memory, context, signal, claim }: WorkerWords): CampaignState {
  return {
    ...state,
    objection: null,
    memory: memory ?? state.memory,
    context: context ?? state.context,
    unchanged: context === null ? state.unchanged + 1 : 0,
    messages: { signal, claim, verdicts: [] },
  };
}

function applySignal(
  state: CampaignState,
  settings: CampaignSettings,
  { signal: { status, summary, story }, claim }: WorkerWords,
): CampaignState {
  const next = { ...state, lastResult: status, message: summary };
  if (status === "blocked") return { ...next, status: "blocked" };
  if (status === "continue") return next;
  return failUntracedFix(next, settings, claim) ?? claimStory(next, settings, story);
}

/** Null if each change is for an issue. */
function failUntracedFix(
  state: CampaignState,
  settings: CampaignSettings,
  claim: WorkerWords["claim"],
): CampaignState | null {
  const { contract } = state;
  if (contract?.kind !== "fix") return null;
  const touched = listTouchedSince(state, contract.iteration);
  const untraced = listUntracedPaths(contract.issues.length, claim?.changes ?? [], touched);
  if (untraced.length === 0) return null;
  const issue = makeUntracedIssue(untraced);
  const others = contract.issues.filter(({ criterion }) => criterion !== issue.criterion);
  return failCampaign(state, settings, { issues: [...listSortedIssues(others), issue], found: [issue] });
}

function claimStory(state: CampaignState, settings: CampaignSettings, story: string): CampaignState {
  const isCounted = settings.verify_mode === "batch" && story !== EVERY_STORY;
  const next = isCounted ? { ...state, claimed: [...new Set([...state.claimed, story])] } : state;
  return { ...next, due: listDueAfterClaim(next, settings, story) };
}

function listDueAfterClaim(state: CampaignState, settings: CampaignSettings, story: string): readonly string[] {
  const open = openStories(state, settings);
  if (open.length === 0) return [EVERY_STORY];
  if (settings.verify_mode === "batch") return story === EVERY_STORY ? [EVERY_STORY] : [];
  return settings.iteration_unit === "all" ? open : open.slice(0, 1);
}

/** Its name is always the same, so that a repetition is noticed. */
function makeUntracedIssue(paths: readonly string[]): CampaignIssue {
  return {
    criterion: "traceability",
    severity: "major",
    description: `These paths changed for no listed issue: ${shortenList(paths)}`.slice(0, 1000),
    fix_hint: null,
  };
}

/**
 * A campaign as the fold of its journal lines. An iteration is one tick with a worker, and one tick for each
 * verification, so a crash during a verification never costs the work.
 */

export function foldCampaign(state: CampaignState, line: JournalLine): CampaignState {
  const next = { ...state, series: foldSeries(state.series, line), updatedAt: line.at };
  const { event } = line;
  if (event.type === "tick_started")
    return withSettings({ ...next, hasWaited: false }, event.series?.campaign ?? next.settings);
  if (event.type === "series_waiting") return { ...next, hasWaited: true };
  if (event.type === "series_resumed") return resumeCampaign(next);
  if (event.type === "series_ended") return recordEnd(next, event);
  const { open } = state.series;
  return event.type === "tick_ended" && open !== null ? evolveEndedTick(next, open, line.at) : next;
}

/** Neither a signal nor a pause ends a campaign. */
function recordEnd(state: CampaignState, { end, message }: Extract<TickEvent, { type: "series_ended" }>) {
  return end === "interrupted" || end === "paused" ? state : { ...state, isEndRecorded: true, message };
}

/**
 * Resuming after a recorded end is a decision and resets the breakers; otherwise the campaign continues where it was.
 * Pending verifications stay, because their work is paid for.
 */
function resumeCampaign(state: CampaignState): CampaignState {
  const next = { ...state, restarts: 0, hasWaited: false };
  if (!state.isEndRecorded || state.status === "complete") return next;
  const fresh = { status: "active", isEndRecorded: false, series: NO_TICKS } as const;
  return { ...next, ...fresh, chain: [], failures: 0, isLastTry: false, requests: 0, unchanged: 0 };
}

function evolveEndedTick(state: CampaignState, open: UnendedTick, at: string): CampaignState {
  const { settings } = state;
  const { state: tick } = open;
  const [outcome, task] = [findOutcome(tick), findTask(tick)];
  if (settings === null || outcome === null || task === null) return state;
  const known = { state, tick, outcome, settings, at };
  if (task.task_kind !== "execute")
    return isCutShort(outcome) ? withAnswers(state, tick) : blockIfStuck(evolveVerification(known));
  // The worker is not called again if recovery kept all of its finished work.
  if (isCutShort(outcome)) return { ...state, finished: findFinishedWork(open.runId, tick) ?? state.finished };
  // The finished work is lost, so the next tick calls a worker.
  if (outcome.cause === FINISHED_WORK_LOST) return { ...state, finished: null };
  return blockIfStuck({ ...evolveWorker(known), finished: null });
}

const MESSAGE_CHARS = 2000;

function blockIfStuck(state: CampaignState): CampaignState {
  const isWorkersTurn = state.status === "active" && state.due.length === 0;
  if (!isWorkersTurn || !isContextStuck(state.unchanged)) return state;
  const stuck = `context-latest.md has not changed in ${state.unchanged} iterations in a row.`;
  const message = state.objection === null ? stuck : `${stuck} ${state.objection}`;
  return { ...state, status: "blocked", lastResult: "blocked", message: shorten(message, MESSAGE_CHARS) };
}

interface CampaignQuery {
  readonly slug: string;
  /** Linked worktrees share a journal. */
  readonly worktree: string;
  /** Lines up to this one do not count; -1 counts all. */
  readonly from: number;
}

export interface KnownCampaign {
  readonly seriesId: string;
  readonly state: CampaignState;
  readonly lines: readonly JournalLine[];
}

/** Null before its first series. */
export function findKnownCampaign(journal: FoldedLines, { slug, worktree, from }: CampaignQuery): KnownCampaign | null {
  const last = findLastSeries(journal, { command: writeCampaignCommand(slug), worktree });
  if (last === null) return null;
  const { seriesId } = last;
  const own = journal.linesOfSeries(seriesId).filter(({ seq }) => seq > from);
  if (!own.some(({ event }) => event.type === "tick_started")) return null;
  return { seriesId, state: own.reduce(foldCampaign, NEW_CAMPAIGN), lines: own };
}

/** Null if the task is not of a campaign. */
export function nameLog(taskId: string, settings: CampaignSettings): string | null {
  const parts = /^(?<kind>iter|verify)-(?<iteration>\d+)-(?<story>.+)$/u.exec(taskId)?.groups;
  if (parts === undefined) return null;
  const { kind, iteration, story = "" } = parts;
  return kind === "iter"
    ? `iter-${iteration}.worker-prompt.md`
    : `iter-${iteration}.verifier-prompt${chooseSuffix(story, settings)}.md`;
}

/** An iteration may have several verifications, and each keeps its prompt. */
function chooseSuffix(story: string, settings: CampaignSettings): string {
  if (settings.verify_mode === "batch") return "";
  if (story === EVERY_STORY) return ".final";
  return settings.iteration_unit === "all" ? `.${story}` : "";
}
