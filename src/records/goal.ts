/**
 * The documents of a goal. A goal is named by its series. Its ledger is a projection of the journal and can be written
 * again at any time.
 */
import * as v from "valibot";
import { Count, limitedText, Positive } from "../base/quantity.ts";
import { CommitId, ReviewerName, SeriesId, Timestamp } from "../base/identifier.ts";

export const GOAL_LIMITS = {
  objectiveChars: 16_000,
  receiptChars: 20_000,
  summaryChars: 600,
  itemChars: 600,
  items: 40,
  maxTurns: 1000,
} as const;

const Words = v.pipe(v.string(), v.maxLength(4000));
/** Blanks say nothing, so evidence of blanks would be none. */
const makeWords = (maxLength: number) => v.pipe(v.string(), v.maxLength(maxLength), v.regex(/\S/, "it says nothing"));
const Items = v.pipe(v.array(makeWords(GOAL_LIMITS.itemChars)), v.maxLength(GOAL_LIMITS.items));

/** Only the number of turns can change once the goal has started. */
export const GoalSettings = v.strictObject({
  objective: limitedText(GOAL_LIMITS.objectiveChars),
  /** Null if the objective says it all. */
  criteria: v.nullable(limitedText(GOAL_LIMITS.objectiveChars)),
  max_turns: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(GOAL_LIMITS.maxTurns)),
  review_quorum: Positive,
  reviewers: v.pipe(v.array(ReviewerName), v.minLength(1), v.maxLength(9)),
  blocker_threshold: v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(GOAL_LIMITS.maxTurns)),
  /** The commit is pinned, because a branch may move meanwhile. */
  base: v.strictObject({ ref: limitedText(400), commit: CommitId }),
});
export type GoalSettings = v.InferOutput<typeof GoalSettings>;

/** The same blocker has the same id in every turn, whatever its words. */
const BlockerId = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9-]{0,59}$/, "a blocker is named in lower case, like `no-database-access`"),
);

const decisionEntries = {
  decision: v.picklist(["complete", "continue", "blocked"]),
  evidence: Items,
  gaps: Items,
  blocker: v.nullable(makeWords(GOAL_LIMITS.itemChars)),
  blocker_id: v.nullable(BlockerId),
  confidence_score: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  explanation: makeWords(1200),
};

/** A decision needs evidence, gaps or a blocker. */
export const GoalDecision = v.pipe(
  v.strictObject(decisionEntries),
  v.forward(
    v.partialCheck(
      [["decision"], ["evidence"]],
      ({ decision, evidence }) => decision !== "complete" || evidence.length > 0,
      "`complete` needs evidence",
    ),
    ["evidence"],
  ),
  v.forward(
    v.partialCheck(
      [["decision"], ["gaps"]],
      ({ decision, gaps }) => decision !== "complete" || gaps.length === 0,
      "`complete` leaves no gaps",
    ),
    ["gaps"],
  ),
  v.forward(
    v.partialCheck(
      [["decision"], ["blocker"], ["blocker_id"]],
      ({ decision, blocker, blocker_id }) => {
        if (decision === "complete") return blocker === null && blocker_id === null;
        return decision !== "blocked" || (blocker !== null && blocker_id !== null);
      },
      "`blocked` names its blocker with `blocker` and `blocker_id`, and `complete` has none",
    ),
    ["blocker"],
  ),
);
export type GoalDecision = v.InferOutput<typeof GoalDecision>;

export const GoalReceipt = v.strictObject({
  receipt: limitedText(GOAL_LIMITS.receiptChars),
});

const GoalStatus = v.picklist(["active", "complete", "blocked", "needs_human"]);
export type GoalStatus = v.InferOutput<typeof GoalStatus>;

const Receipt = v.strictObject({
  turn: Positive,
  stage: v.string(),
  artifact_path: v.string(),
  summary: v.pipe(v.string(), v.maxLength(GOAL_LIMITS.summaryChars)),
});

export const ReviewRecord = v.strictObject({
  turn: Positive,
  reviewer: ReviewerName,
  ...decisionEntries,
  explanation: Words,
  raw_text: v.string(),
  /** Why this is no vote; null if it is one. A reviewer without a vote counts as `continue`. */
  diagnostic: v.nullable(Words),
});
export type ReviewRecord = v.InferOutput<typeof ReviewRecord>;

export const BlockerObservation = v.strictObject({
  turn: Positive,
  blocker_id: BlockerId,
  blocker: v.string(),
  reviewers: v.array(ReviewerName),
});
export type BlockerObservation = v.InferOutput<typeof BlockerObservation>;

export const ReducerDecision = v.strictObject({
  turn: Positive,
  decision: v.picklist(["complete", "continue", "blocked", "needs_human"]),
  reason: Words,
  complete_votes: Count,
  review_quorum: Positive,
  blocker: v.exactOptional(v.string()),
  blocker_id: v.exactOptional(BlockerId),
});
export type ReducerDecision = v.InferOutput<typeof ReducerDecision>;

const LifecycleEvent = v.strictObject({
  turn: Count,
  event: v.picklist([
    "created",
    "work_turn_started",
    "receipt_recorded",
    "reviews_recorded",
    "status_decided",
    "resumed",
  ]),
  status: GoalStatus,
  at: Timestamp,
  summary: Words,
});
export type LifecycleEvent = v.InferOutput<typeof LifecycleEvent>;

export const GoalLedger = v.strictObject({
  goal_id: SeriesId,
  objective: v.string(),
  status: GoalStatus,
  turns: Count,
  created_at: Timestamp,
  updated_at: Timestamp,
  settings: v.omit(GoalSettings, ["objective"]),
  receipts: v.array(Receipt),
  reviews: v.array(ReviewRecord),
  blockers: v.array(BlockerObservation),
  decisions: v.array(ReducerDecision),
  lifecycle: v.array(LifecycleEvent),
});
export type GoalLedger = v.InferOutput<typeof GoalLedger>;

/** What `relais goal` prints about a goal with `--json`, in its last line. */
export const GoalSummary = v.strictObject({
  kind: v.literal("goal_summary"),
  result: v.string(),
  status: GoalStatus,
  approved: v.boolean(),
  goal_id: SeriesId,
  objective: v.string(),
  ledger_path: v.string(),
  turns_completed: Count,
  iterations_completed: Count,
  receipts: v.array(Receipt),
  remaining_work: v.string(),
  review_report: v.string(),
  branch: v.nullable(v.string()),
  commits: v.array(CommitId),
  /** How the command ended, perhaps before the goal was decided. */
  end: v.nullable(v.string()),
  reason: v.nullable(v.string()),
  message: v.nullable(v.string()),
  /** What a person can do next, with the command. */
  hint: v.nullable(v.string()),
  exit_status: Count,
});
export type GoalSummary = v.InferOutput<typeof GoalSummary>;
