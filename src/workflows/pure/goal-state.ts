import type {
  BlockerObservation,
  GoalSettings,
  GoalStatus,
  LifecycleEvent,
  ReducerDecision,
  ReviewRecord,
} from "../../records/goal.ts";
import type { KnownReviews } from "../../checks/pure/review-plan.ts";
import { NO_TICKS, type SeriesTicks } from "./series-tick.ts";
import { shorten } from "../../base/words.ts";
import type { FinishedWork, UnfinishedWork } from "./left-work.ts";

export interface GoalState {
  readonly settings: GoalSettings | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly status: GoalStatus;
  /** Turns that a worker has finished or failed. */
  readonly turns: number;
  readonly receipts: readonly GoalReceiptText[];
  readonly reviews: readonly ReviewRecord[];
  readonly blockers: readonly BlockerObservation[];
  /** Blockers up to this turn no longer count, because a person has seen them. */
  readonly blockersSeen: number;
  /** Turns whose checks were red, so that no reviewer was asked: they say nothing about a blocker. */
  readonly unreviewed: readonly number[];
  readonly decisions: readonly ReducerDecision[];
  readonly lifecycle: readonly LifecycleEvent[];
  readonly isReviewDue: boolean;
  /** What the runner found wrong in the last turn. */
  readonly objection: string | null;
  /** Answers of an interrupted tick. */
  readonly known: KnownReviews | null;
  /** The finished work of an interrupted tick. */
  readonly finished: FinishedWork | null;
  /** The work of a session that a limit ended. */
  readonly unfinished: UnfinishedWork | null;
  readonly touched: readonly string[];
  readonly series: SeriesTicks;
}

interface GoalReceiptText {
  readonly turn: number;
  readonly text: string;
}

export const NEW_GOAL: GoalState = {
  settings: null,
  createdAt: null,
  updatedAt: null,
  status: "active",
  turns: 0,
  receipts: [],
  reviews: [],
  blockers: [],
  blockersSeen: 0,
  unreviewed: [],
  decisions: [],
  lifecycle: [],
  isReviewDue: false,
  objection: null,
  known: null,
  finished: null,
  unfinished: null,
  touched: [],
  series: NO_TICKS,
};

const SUMMARY_CHARS = 4000;

export function noteInGoal(
  state: GoalState,
  at: string,
  { turn, event, summary }: Pick<LifecycleEvent, "turn" | "event" | "summary">,
): GoalState {
  const entry = { turn, event, status: state.status, at, summary: shorten(summary, SUMMARY_CHARS) };
  return { ...state, updatedAt: at, lifecycle: [...state.lifecycle, entry] };
}
