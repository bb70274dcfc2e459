/**
 * The settings of the four workflows. Tree, goal and campaign choose their own work, so each has its own scope and
 * limits, wider than those of a single task. The forbidden globs of `scope` apply to all of them.
 */
import * as v from "valibot";
import { Argv, Iterations, Positive, Seconds } from "../base/quantity.ts";
import { ReviewerName } from "../base/identifier.ts";
import { AgentChoice } from "./roles.ts";
import { key, openKey } from "./key.ts";
import { TaskGlob } from "../base/repository-path.ts";

/**
 * The scope of a workflow. It becomes part of every task, so it accepts no more than a task does; the guard of a tree
 * needs some room.
 */
const fence = {
  scope: v.exactOptional(
    v.strictObject({
      allowed_globs: key(
        v.pipe(v.array(TaskGlob), v.minLength(1), v.maxLength(64)),
        "What may change in one step of this workflow.",
        ["**"],
      ),
      forbidden_globs: key(
        v.pipe(v.array(TaskGlob), v.maxLength(32)),
        "What may not, besides the forbidden globs of `scope`.",
        [],
      ),
      allow_new_files: key(v.boolean(), "Whether files may be created.", true),
      allow_lockfile_changes: key(v.boolean(), "Whether lockfiles may change.", false),
    }),
    {},
  ),
  diff_limits: v.exactOptional(
    v.strictObject({
      max_files_touched: key(v.pipe(Positive, v.maxValue(500)), "How many files one step may touch.", 200),
      max_lines_changed: key(
        v.pipe(Positive, v.maxValue(20_000)),
        "How many lines one step may add and delete.",
        20_000,
      ),
    }),
    {},
  ),
};

const Model = v.pipe(v.string(), v.minLength(1), v.maxLength(120));

/** How often in a row something may happen before the series ends: once is no repetition. */
const Repetitions = v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(1000));

export const Loop = v.strictObject({
  on_stop: key(
    v.picklist(["halt", "continue"]),
    "After a stopped tick a loop ends (`halt`) or continues until a breaker ends it (`continue`).",
    "halt",
  ),
  on_suspicion: key(
    v.picklist(["hold", "stop", "note"]),
    "What a suspicion does in a series, whatever `on_stop` says: its change is held and the series goes on (`hold`), it is held and the series ends (`stop`), or it is only noted (`note`; not for paths that start programs).",
    "hold",
  ),
  on_rate_limit: key(v.picklist(["wait", "stop"]), "At a rate limit a loop waits or stops.", "wait"),
  max_wait_seconds: key(
    Seconds,
    "Longest wait, all retries included. The default covers the usual limit of five hours.",
    21_600,
  ),
  soft_stop_at_warning: key(v.boolean(), "End a loop at the budget warning.", true),
  breakers: v.exactOptional(
    v.strictObject({
      same_task: key(Repetitions, "How often a failed task may come back, under any name.", 2),
      same_code: key(Repetitions, "Most ticks in a row with the same code.", 3),
      empty_ticks: key(Repetitions, "Most ticks in a row without a change.", 2),
      infrastructure_failures: key(Repetitions, "Most ticks in a row that could not run.", 3),
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

export const ReviewSection = v.pipe(
  v.strictObject({
    reviewers: key(
      reviewers,
      "The reviewers to ask after the checks pass; empty is none. `completion`, `evidence`, `risk`, `tests` and `scope` name their subject.",
      [],
    ),
    quorum: key(v.nullable(Positive), "Approvals needed; null is all reviewers.", null),
    blocker_threshold: key(Repetitions, "Used by goals without `goal.blocker_threshold`.", 3),
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

export const TreeSection = v.strictObject({
  guard: key(
    v.nullable(Argv),
    "The command that must pass before a leaf passes. Null: the project's own check `ci`, `test` or `check`.",
    null,
  ),
  max_attempts: key(Positive, "Attempts of a new node.", 3),
  max_iterations: key(Positive, "Most iterations of a series.", 50),
  iteration_timeout_seconds: key(Seconds, "Time limit of one iteration, agent and guard together.", 1800),
  max_consecutive_decompose: key(Positive, "Most iterations in a row that only change the plan.", 5),
  ...fence,
});

const LEAST_THRESHOLD = 2;
const USUAL_QUORUM = 2;

/**
 * A threshold above the number of turns could never be reached, and no quorum is larger than the number of reviewers.
 * An explicit one is refused. A default gives way, that of the threshold only once the number of turns is known for good.
 */
export const GoalSection = v.pipe(
  v.strictObject({
    max_turns: key(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), "Most turns of a goal.", 10),
    reviewers: key(v.pipe(reviewers, v.minLength(1)), "The reviewers of each turn.", [
      "completion",
      "evidence",
      "risk",
    ]),
    review_quorum: openKey(
      v.pipe(Positive, v.metadata({ default: USUAL_QUORUM })),
      "Reviewers that must agree; with a single reviewer, 1.",
    ),
    blocker_threshold: openKey(
      Repetitions,
      "Turns in a row with the same blocker that make a goal blocked, at most `goal.max_turns`. Default: `review.blocker_threshold`.",
    ),
    checks: key(
      v.nullable(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(64)))),
      "Checks to run in each turn; null is every check without parameters.",
      null,
    ),
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
      ({ max_turns, blocker_threshold = LEAST_THRESHOLD }) => blocker_threshold <= Math.max(LEAST_THRESHOLD, max_turns),
      "a threshold above goal.max_turns could never be reached",
    ),
    ["blocker_threshold"],
  ),
  v.transform((goal) => ({
    ...goal,
    review_quorum: goal.review_quorum ?? Math.min(USUAL_QUORUM, goal.reviewers.length),
  })),
);

export const CampaignSection = v.strictObject({
  max_iterations: key(Iterations, "Most iterations of a campaign.", 100),
  mode: key(v.picklist(["agent", "tmux"]), "Default of `--mode`; `tmux` shows the run in panes.", "agent"),
  worker_model: key(Model, "Model of the workers; `--worker-model` and `roles.builder.model` win.", "sonnet"),
  verifier_model: key(Model, "Model of the verifiers; `--verifier-model` and `roles.verifier.model` win.", "opus"),
  upgrade_model: key(Model, "Model of a worker after a failure.", "opus"),
  verifiers: key(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2)),
    "Number of verifiers; with two, both must pass it.",
    1,
  ),
  second_verifier: openKey(AgentChoice, "Agent of the second verifier. Default: as the first."),
  iteration_timeout_seconds: key(Seconds, "Time limit of a session; `roles.builder` and `roles.verifier` win.", 600),
  poll_interval_seconds: key(
    Seconds,
    "Interval between looks at a session; also the first pause before a restart, which then doubles.",
    5,
  ),
  heartbeat_stale_seconds: key(Seconds, "Silence after which a session is stale.", 120),
  idle_nudge_seconds: key(Seconds, "Wait between notices about a stale session.", 30),
  max_nudges: key(Positive, "Notices before a stale session is ended.", 3),
  max_restarts: key(Positive, "Most restarts in a row of sessions without a result.", 3),
  breakers: v.exactOptional(
    v.strictObject({
      request_info: key(Repetitions, "Most questions in a row.", 2),
    }),
    {},
  ),
  ...fence,
});
