/**
 * A goal as the fold of its journal lines. A turn is two ticks: in one a worker builds and a checkpoint is committed,
 * in the other checks and reviewers look at it. So a crash during a review never costs the work, and no reviewer is
 * asked twice.
 */
import { HELD } from "../../records/suspicions.ts";
import { WAS_HELD } from "./held-twice.ts";
import type { JournalLine } from "../../records/event.ts";
import { isCutShort } from "./cut-short.ts";
import { foldSeries, NO_TICKS, type EndedTick, type UnendedTick } from "./series-tick.ts";
import { type GoalState, noteInGoal } from "./goal-state.ts";
import { CODES } from "../../base/codes.ts";
import type { GoalSettings } from "../../records/goal.ts";
import { describeCheckEnd, isGreenRun } from "../../tick/pure/decisive-words.ts";
import { describeRejection } from "../../tick/pure/rejection-words.ts";
import { shortenList } from "../../base/words.ts";
import { findFinishedWork, findUnfinishedWork } from "./left-work.ts";
import {
  findBase,
  findBuilt,
  findFindings,
  findJudgement,
  findOutcome,
  findReview,
  findReviewing,
  findSettled,
  findTask,
  findVerification,
} from "../../tick/pure/tick-facts.ts";
import type { Outcome, Reviewing, TickState } from "../../tick/pure/tick-state.ts";
import { FINISHED_WORK_LOST } from "./workflow.ts";
import { reduceTurn, type TurnOutcome } from "./goal-reducer.ts";
import { reviewRecord } from "./read-goal-decision.ts";

export function foldGoal(state: GoalState, line: JournalLine): GoalState {
  const { open } = state.series;
  const next = { ...state, series: foldSeries(state.series, line) };
  const { event, at } = line;
  if (event.type === "tick_started") return startGoal({ ...next, settings: event.series?.goal ?? next.settings }, at);
  if (event.type === "build_started" && event.kept === undefined)
    return noteInGoal(next, at, {
      turn: next.turns + 1,
      event: "work_turn_started",
      summary: "A worker has begun.",
    });
  if (event.type === "series_resumed") return resumeGoal(next, at);
  return event.type === "tick_ended" && open !== null ? evolveGoal(next, open, at) : next;
}

function startGoal(state: GoalState, at: string): GoalState {
  if (state.createdAt !== null) return state;
  return noteInGoal({ ...state, createdAt: at }, at, {
    turn: 0,
    event: "created",
    summary: "The goal was set.",
  });
}

/** A person resumes: every earlier decision is open again, except completion. */
function resumeGoal(state: GoalState, at: string): GoalState {
  if (state.status === "complete") return state;
  // An interruption is no decision, so its blockers still count.
  const blockersSeen = state.status === "active" ? state.blockersSeen : state.turns;
  const open = { ...state, status: "active", blockersSeen, series: NO_TICKS } as const;
  return noteInGoal(open, at, {
    turn: state.turns,
    event: "resumed",
    summary: "The goal was resumed.",
  });
}

/** An interrupted tick, or one that never started, leaves the goal as it is. */
function evolveGoal(state: GoalState, open: UnendedTick, at: string): GoalState {
  const { settings } = state;
  const tick = open.state;
  const [outcome, task] = [findOutcome(tick), findTask(tick)];
  if (settings === null || outcome === null || task === null) return state;
  const ended = { state, tick, outcome, settings, at };
  if (task.task_kind === "execute") return isCutShort(outcome) ? withFinished(state, open) : evolveWork(ended);
  return isCutShort(outcome) ? withAnswers(state, tick) : evolveReview(ended);
}

type EndedGoalTick = EndedTick<GoalState, GoalSettings>;

/** The worker is not called again if recovery kept all of its finished work. */
function withFinished(state: GoalState, { runId, state: tick }: UnendedTick): GoalState {
  const finished = findFinishedWork(runId, tick);
  return typeof finished?.built.data?.["receipt"] === "string" ? { ...state, finished } : state;
}

/** A reviewer that has answered is not asked again about the same commit. */
function withAnswers(state: GoalState, tick: TickState): GoalState {
  const base = findBase(tick);
  if (base === null) return state;
  const earlier = state.known?.base === base.base_commit ? state.known.reviews : [];
  const byName = new Map([...earlier, ...listAnswers(tick)].map((review) => [review.name, review]));
  return { ...state, known: { base: base.base_commit, reviews: [...byName.values()] } };
}

/** If several ran at once and something changed, nobody knows who wrote, so no answer counts. */
function listAnswers(tick: TickState): Reviewing["answers"] {
  const [reviewed, settled] = [findReview(tick), findSettled(tick)];
  const { answers = [], hasUnmeasured = false } = findReviewing(tick) ?? {};
  if (reviewed !== null) return reviewed.reviews;
  const isUntouched = settled?.whole === true && settled.salvage === null;
  return hasUnmeasured && !isUntouched ? [] : answers;
}

function evolveWork(ended: EndedGoalTick): GoalState {
  const { tick, outcome, settings, at } = ended;
  const state = { ...ended.state, finished: null, unfinished: null };
  // The finished work is lost: nobody worked, so this is no turn.
  if (outcome.cause === FINISHED_WORK_LOST) return state;
  const turn = state.turns + 1;
  const text = findReceipt(ended);
  if (text === null) return continueAfterLimit(ended) ?? failWithoutReceipt({ ...ended, state });
  const receipts = [...state.receipts, { turn, text }];
  const touched = findJudgement(tick)?.touched_paths ?? [];
  const next = noteInGoal({ ...state, turns: turn, receipts, touched, known: null, objection: null }, at, {
    turn,
    event: "receipt_recorded",
    summary: "The receipt of the worker was recorded.",
  });
  if (outcome.code === "SUCCESS") return { ...next, isReviewDue: true };
  const objection =
    outcome.code === "STOP_REJECTED"
      ? describeRejection(outcome.message)
      : `${outcome.code === HELD ? WAS_HELD : "The change broke a rule and was reverted"}: ${describeOutcome(outcome)}${describeFindings(tick)}`;
  return recordDecision(
    { ...next, objection, isReviewDue: false },
    reduceTurn(collectTurnFacts(next, settings, objection)),
    at,
  );
}

/** The next turn starts from this work; null if the session made no progress. */
function continueAfterLimit({ state, tick, outcome, settings, at }: EndedGoalTick): GoalState | null {
  const unfinished = findUnfinishedWork(tick);
  if (unfinished === null || unfinished.size === state.unfinished?.size) return null;
  const turn = state.turns + 1;
  const reason = `A limit ended the worker, and the next one continues its work: ${describeOutcome(outcome)}`;
  const decision = {
    turn,
    decision: "continue",
    reason,
    complete_votes: 0,
    review_quorum: settings.review_quorum,
  } as const;
  const next = { ...state, finished: null, unfinished, turns: turn, isReviewDue: false };
  return recordDecision(next, { status: "active", observation: null, decision }, at);
}

function failWithoutReceipt({ state, outcome, settings, at }: EndedGoalTick): GoalState {
  const turn = state.turns + 1;
  const why = outcome.code === "SUCCESS" ? "it left none" : describeOutcome(outcome);
  const reason = `The worker ended without a report: ${why}`;
  return recordDecision({ ...state, turns: turn, isReviewDue: false }, askPerson(turn, settings, reason), at);
}

/** Only if the session succeeded and its change was judged. */
function findReceipt({ tick, outcome: { code } }: EndedGoalTick): string | null {
  const built = findBuilt(tick);
  const isJudged =
    code === "SUCCESS" || code === "STOP_REJECTED" || code === HELD || code === findJudgement(tick)?.code;
  const text = built?.failure === null ? built.data?.["receipt"] : undefined;
  return isJudged && typeof text === "string" ? text : null;
}

function evolveReview({ state, tick, outcome, settings, at }: EndedGoalTick): GoalState {
  const reviewed = findReview(tick);
  const turn = Math.max(1, state.turns);
  if (reviewed === null) return skipReview({ state, tick, outcome, settings, at });
  const reviews = reviewed.reviews.map((review) => reviewRecord(turn, review));
  const next = noteInGoal({ ...state, known: null, reviews: [...state.reviews, ...reviews] }, at, {
    turn,
    event: "reviews_recorded",
    summary: `${reviews.length} decisions of reviewers were recorded.`,
  });
  const reduced = reduceTurn({ ...collectTurnFacts(next, settings, null), reviews });
  const isUnheard = reviews.every(({ diagnostic }) => diagnostic !== null);
  return recordDecision({ ...next, objection: null, isReviewDue: isUnheard }, reduced, at);
}

/** No reviewer was asked: a check is red or changed something, or the tick did not end well. */
function skipReview({ state, tick, outcome, settings, at }: EndedGoalTick): GoalState {
  const turn = Math.max(1, state.turns);
  if (findVerification(tick) === null) {
    const reason = `The work could not be reviewed: ${describeOutcome(outcome)}`;
    return recordDecision(state, askPerson(turn, settings, reason), at);
  }
  const objection =
    describeRedCheck(tick) ?? `The checks are not right: ${describeOutcome(outcome)}${describeFindings(tick)}`;
  const next = { ...state, objection, isReviewDue: false, unreviewed: [...state.unreviewed, turn] };
  return recordDecision(next, reduceTurn(collectTurnFacts(next, settings, objection)), at);
}

function collectTurnFacts(state: GoalState, settings: GoalSettings, objection: string | null) {
  return {
    turn: Math.max(1, state.turns),
    maxTurns: settings.max_turns,
    quorum: settings.review_quorum,
    blockerThreshold: settings.blocker_threshold,
    reviews: [],
    blockers: state.blockers.filter(({ turn }) => turn > state.blockersSeen),
    unreviewed: state.unreviewed,
    objection,
  };
}

function askPerson(turn: number, { review_quorum }: GoalSettings, reason: string): TurnOutcome {
  const decision = { turn, decision: "needs_human", reason, complete_votes: 0, review_quorum } as const;
  return { status: "needs_human", observation: null, decision };
}

function recordDecision(state: GoalState, { status, decision, observation }: TurnOutcome, at: string): GoalState {
  const blockers = observation === null ? state.blockers : [...state.blockers, observation];
  const next = { ...state, status, blockers, decisions: [...state.decisions, decision] };
  return noteInGoal(next, at, { turn: decision.turn, event: "status_decided", summary: decision.reason });
}

function describeOutcome({ code, cause, message }: Outcome): string {
  return [code, ...(cause === null ? [] : [`(${cause})`]), message ?? CODES[code].meaning].join(" ");
}

function describeFindings(tick: TickState): string {
  const findings = findFindings(tick);
  return findings.length === 0 ? "" : ` ${shortenList([...new Set(findings.map(({ subject }) => subject))])}`;
}

/** The open gap of the turn. */
function describeRedCheck(tick: TickState): string | null {
  const verified = findVerification(tick);
  const red = verified === null || verified.code === null ? undefined : verified.runs.find((run) => !isGreenRun(run));
  return red === undefined ? null : `The check \`${red.template_id}\` ${describeCheckEnd(red)}.`;
}
