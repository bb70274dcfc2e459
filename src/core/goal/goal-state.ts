import type {
  BlockerObservation,
  GoalSettings,
  GoalStatus,
  LifecycleEvent,
  ReducerDecision,
  ReviewRecord,
} from "../../contract/workflows/goal.ts";
import type { KnownReviews } from "../review/review-plan.ts";
import { NO_TICKS, type SeriesTicks } from "../series/series-tick.ts";
import { shorten } from "../words/shorten.ts";
import type { FinishedWork, UnfinishedWork } from "../series/left-work.ts";

/** What is known of a goal after some of its lines. */
export interface GoalState {
  readonly settings: GoalSettings | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly status: GoalStatus;
  /** How many turns a worker has finished or failed. */
  readonly turns: number;
  readonly receipts: readonly GoalReceiptText[];
  readonly reviews: readonly ReviewRecord[];
  readonly blockers: readonly BlockerObservation[];
  /** Blockers of this turn and those before do not count any more, because a person has looked at them. */
  readonly blockersSeen: number;
  readonly decisions: readonly ReducerDecision[];
  readonly lifecycle: readonly LifecycleEvent[];
  /** Whether the work of the last turn is committed and waits for its reviewers. */
  readonly isReviewDue: boolean;
  /** What the runner itself found wrong in the last turn. */
  readonly objection: string | null;
  /** Who has answered in a tick that was cut short. */
  readonly known: KnownReviews | null;
  /** What a worker had finished in a tick that was cut short before its checkpoint. */
  readonly finished: FinishedWork | null;
  /** What the last worker had done when a limit ended its session. */
  readonly unfinished: UnfinishedWork | null;
  /** The paths that the last checkpoint touched. */
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

/** Adds a line to the life of the goal. */
export function noteInGoal(
  state: GoalState,
  at: string,
  { turn, event, summary }: Pick<LifecycleEvent, "turn" | "event" | "summary">,
): GoalState {
  const entry = { turn, event, status: state.status, at, summary: shorten(summary, SUMMARY_CHARS) };
  return { ...state, updatedAt: at, lifecycle: [...state.lifecycle, entry] };
}
