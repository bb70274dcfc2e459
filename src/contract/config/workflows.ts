/**
 * The settings of the four workflows.
 *
 * Tree, goal and campaign choose their own work, so each has a scope and limits of its own, much wider than those of a
 * single task. The forbidden globs of `scope` hold for all of them.
 */
import * as v from "valibot";
import { Positive, Seconds } from "../quantity.ts";
import { TaskGlob } from "../repository-path.ts";
import { ReviewerName } from "../review.ts";
import { Argv } from "./argv.ts";

const Model = v.pipe(v.string(), v.minLength(1), v.maxLength(120));

/** How often something may happen in a row before the series is ended: once is no repetition yet. */
const Repetitions = v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(1000));

/** These become a part of every task, so no more is accepted than a task holds; the guard of a tree needs some room. */
const fence = {
  scope: v.exactOptional(
    v.strictObject({
      allowed_globs: v.exactOptional(v.pipe(v.array(TaskGlob), v.minLength(1), v.maxLength(64)), ["**"]),
      forbidden_globs: v.exactOptional(v.pipe(v.array(TaskGlob), v.maxLength(32)), []),
      allow_new_files: v.exactOptional(v.boolean(), true),
      allow_lockfile_changes: v.exactOptional(v.boolean(), false),
    }),
    {},
  ),
  diff_limits: v.exactOptional(
    v.strictObject({
      max_files_touched: v.exactOptional(v.pipe(Positive, v.maxValue(500)), 200),
      max_lines_changed: v.exactOptional(v.pipe(Positive, v.maxValue(20_000)), 20_000),
    }),
    {},
  ),
};

export const Loop = v.strictObject({
  on_stop: v.exactOptional(v.picklist(["halt", "continue"]), "halt"),
  on_rate_limit: v.exactOptional(v.picklist(["wait", "stop"]), "wait"),
  /** Long enough for the usual five hours of a usage limit. */
  max_wait_seconds: v.exactOptional(Seconds, 21_600),
  soft_stop_at_warning: v.exactOptional(v.boolean(), true),
  breakers: v.exactOptional(
    v.strictObject({
      same_task: v.exactOptional(Repetitions, 2),
      same_code: v.exactOptional(Repetitions, 3),
      empty_ticks: v.exactOptional(Repetitions, 2),
      infrastructure_failures: v.exactOptional(Repetitions, 3),
    }),
    {},
  ),
});

const reviewers = v.pipe(
  v.array(ReviewerName),
  v.maxLength(9),
  v.check((names) => new Set(names).size === names.length, "a reviewer is named twice"),
  v.metadata({ uniqueItems: true }),
);

export const Review = v.pipe(
  v.strictObject({
    /** None is no review. */
    reviewers: v.exactOptional(reviewers, []),
    /** Null is every reviewer. */
    quorum: v.exactOptional(v.nullable(Positive), null),
    /** For every workflow that has none of its own. */
    blocker_threshold: v.exactOptional(Repetitions, 3),
  }),
  v.forward(
    v.partialCheck(
      [["reviewers"], ["quorum"]],
      ({ reviewers: { length }, quorum }) => quorum === null || length === 0 || quorum <= length,
      "a quorum cannot be larger than the number of reviewers",
    ),
    ["quorum"],
  ),
);

export const Tree = v.strictObject({
  guard: v.exactOptional(Argv, ["just", "ci"]),
  max_attempts: v.exactOptional(Positive, 3),
  max_iterations: v.exactOptional(Positive, 50),
  max_log_bytes: v.exactOptional(
    v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(1_073_741_824)),
    1_048_576,
  ),
  max_depth: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(32)), 6),
  max_children: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)), 12),
  /** Shared by the agent and the guard. */
  iteration_timeout_seconds: v.exactOptional(Seconds, 1800),
  max_consecutive_decompose: v.exactOptional(Positive, 5),
  ...fence,
});

const LEAST_THRESHOLD = 2;
const USUAL_QUORUM = 2;

/**
 * A threshold above the number of turns could never be reached, and no quorum is larger than the number of reviewers.
 * An explicit one is refused. A default gives way, that of the threshold only once the number of turns is known for good.
 */
export const Goal = v.pipe(
  v.strictObject({
    max_turns: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 10),
    reviewers: v.exactOptional(v.pipe(reviewers, v.minLength(1)), ["completion", "evidence", "risk"]),
    review_quorum: v.exactOptional(v.pipe(Positive, v.metadata({ default: USUAL_QUORUM }))),
    /** That of the review where there is none. */
    blocker_threshold: v.exactOptional(Repetitions),
    /** The templates that are run in each turn; null is every template that needs no parameter. */
    checks: v.exactOptional(v.nullable(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(64)))), null),
    ...fence,
  }),
  v.forward(
    v.partialCheck(
      [["reviewers"], ["review_quorum"]],
      (goal) => (goal.review_quorum ?? 1) <= goal.reviewers.length,
      "a quorum cannot be larger than the number of reviewers",
    ),
    ["review_quorum"],
  ),
  v.forward(
    v.partialCheck(
      [["max_turns"], ["blocker_threshold"]],
      ({ max_turns, blocker_threshold = LEAST_THRESHOLD }) =>
        blocker_threshold <= Math.max(LEAST_THRESHOLD, max_turns),
      "a threshold above goal.max_turns could never be reached",
    ),
    ["blocker_threshold"],
  ),
  v.transform((goal) => ({
    ...goal,
    review_quorum: goal.review_quorum ?? Math.min(USUAL_QUORUM, goal.reviewers.length),
  })),
);

export const Campaign = v.strictObject({
  max_iterations: v.exactOptional(Positive, 100),
  mode: v.exactOptional(v.picklist(["agent", "tmux"]), "agent"),
  verify_mode: v.exactOptional(v.picklist(["per-story", "batch"]), "per-story"),
  worker_model: v.exactOptional(Model, "sonnet"),
  verifier_model: v.exactOptional(Model, "opus"),
  /** What a worker is given once a breaker asks for more. */
  upgrade_model: v.exactOptional(Model, "opus"),
  /** Where there are two, both have to say that it passes. */
  verifiers: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2)), 1),
  iteration_timeout_seconds: v.exactOptional(Seconds, 600),
  poll_interval_seconds: v.exactOptional(Seconds, 5),
  heartbeat_stale_seconds: v.exactOptional(Seconds, 120),
  idle_nudge_seconds: v.exactOptional(Seconds, 30),
  max_nudges: v.exactOptional(Positive, 3),
  max_restarts: v.exactOptional(Positive, 3),
  breakers: v.exactOptional(
    v.strictObject({
      same_criterion: v.exactOptional(Repetitions, 2),
      distinct_criteria: v.exactOptional(Repetitions, 3),
      context_unchanged: v.exactOptional(Repetitions, 3),
      request_info: v.exactOptional(Repetitions, 2),
    }),
    {},
  ),
  ...fence,
});
