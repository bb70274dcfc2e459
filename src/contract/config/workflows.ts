/**
 * The settings of the four workflows.
 *
 * Tree, goal and campaign choose their own work, so each has a scope and limits of its own, much wider than those of a
 * single task. The forbidden globs of `scope` hold for all of them.
 */
import * as v from "valibot";
import { Positive, Seconds } from "../values/quantity.ts";
import { ReviewerName } from "../agents/review.ts";
import { Argv } from "../values/argv.ts";
import { fence } from "./fence.ts";
import { key, openKey } from "./key.ts";

const Model = v.pipe(v.string(), v.minLength(1), v.maxLength(120));

/** How often something may happen in a row before the series is ended: once is no repetition yet. */
const Repetitions = v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(1000));

export const Loop = v.strictObject({
  on_stop: key(
    v.picklist(["halt", "continue"]),
    "Whether a loop ends after a tick that was stopped, or goes on, bounded by its breakers.",
    "halt",
  ),
  on_rate_limit: key(
    v.picklist(["wait", "stop"]),
    "Whether a loop waits when a service refuses a session because of a limit, or ends.",
    "wait",
  ),
  max_wait_seconds: key(
    Seconds,
    "How long all waits in a row may take; the default is enough for the usual five hours of a usage limit.",
    21_600,
  ),
  soft_stop_at_warning: key(v.boolean(), "Whether a loop ends at the warning mark of the budget.", true),
  breakers: v.exactOptional(
    v.strictObject({
      same_task: key(
        Repetitions,
        "How often a task that has failed may come again, whatever it is called.",
        2,
      ),
      same_code: key(Repetitions, "How many ticks in a row may end with the same code.", 3),
      empty_ticks: key(Repetitions, "How many ticks in a row may change nothing.", 2),
      infrastructure_failures: key(Repetitions, "How many ticks in a row may fail to be carried out.", 3),
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
    reviewers: key(
      reviewers,
      "Who is asked once the checks are green; nobody where it is empty. `completion`, `evidence`, `risk`, `tests` and `scope` say what they look at.",
      [],
    ),
    quorum: key(v.nullable(Positive), "How many have to approve; null is all of them.", null),
    blocker_threshold: key(Repetitions, "That of a goal that has no `goal.blocker_threshold`.", 3),
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
  guard: key(
    v.nullable(Argv),
    "The program that must be green before a leaf passes; null is the project's own check `ci`, `test` or `check`, of `verification.templates` or as `relais init` finds it.",
    null,
  ),
  max_attempts: key(Positive, "How many attempts a new node has.", 3),
  max_iterations: key(Positive, "How many iterations a series has at most.", 50),
  max_log_bytes: key(
    v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(1_073_741_824)),
    "How much of each log an iteration keeps under its own name.",
    1_048_576,
  ),
  max_depth: key(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(32)),
    "How deep below the root an agent may plan.",
    6,
  ),
  max_children: key(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)),
    "How many children of one node an agent may plan.",
    12,
  ),
  iteration_timeout_seconds: key(
    Seconds,
    "The time of one iteration, the agent's and the guard's together.",
    1800,
  ),
  max_consecutive_decompose: key(Positive, "How often in a row the plan may change and nothing else.", 5),
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
    max_turns: key(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
      "How many turns a goal has.",
      10,
    ),
    reviewers: key(v.pipe(reviewers, v.minLength(1)), "Who looks after each turn.", [
      "completion",
      "evidence",
      "risk",
    ]),
    review_quorum: openKey(
      v.pipe(Positive, v.metadata({ default: USUAL_QUORUM })),
      "How many of them have to agree; of a single reviewer, 1.",
    ),
    blocker_threshold: openKey(
      Repetitions,
      "In how many turns in a row the same blocker must be named, at most `goal.max_turns`; that of the review where it is absent.",
    ),
    checks: key(
      v.nullable(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(64)))),
      "The templates that are run in each turn; null is every one that needs no parameter.",
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
  max_iterations: key(Positive, "How many iterations a campaign has at most.", 100),
  mode: key(
    v.picklist(["agent", "tmux"]),
    "How it is run without `--mode`; `tmux` shows it in panes.",
    "agent",
  ),
  verify_mode: key(
    v.picklist(["per-story", "batch"]),
    "Whether each story is verified, or all of them once at the end.",
    "per-story",
  ),
  worker_model: key(Model, "The model of a worker; one that a person names elsewhere wins.", "sonnet"),
  verifier_model: key(Model, "The model of a verifier; one that a person names elsewhere wins.", "opus"),
  upgrade_model: key(Model, "The model of a worker after a failure.", "opus"),
  verifiers: key(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2)),
    "How many verifiers there are; where there are two, both have to say that it passes.",
    1,
  ),
  iteration_timeout_seconds: key(
    Seconds,
    "How long one session may take; `roles.builder` and `roles.verifier` win.",
    600,
  ),
  poll_interval_seconds: key(
    Seconds,
    "How often a session is looked at, and the first pause before a new start, which doubles.",
    5,
  ),
  heartbeat_stale_seconds: key(Seconds, "After how much silence a session counts as stale.", 120),
  idle_nudge_seconds: key(Seconds, "How long each further look at a stale session waits.", 30),
  max_nudges: key(Positive, "How many of these looks it has before it is ended.", 3),
  max_restarts: key(Positive, "How often in a row sessions without a result are started again.", 3),
  breakers: v.exactOptional(
    v.strictObject({
      same_criterion: key(
        Repetitions,
        "After how many `fail` verdicts in a row about one criterion there is only one more try.",
        2,
      ),
      distinct_criteria: key(
        Repetitions,
        "After how many `fail` verdicts in a row without a criterion in common there is only one more try.",
        3,
      ),
      context_unchanged: key(Repetitions, "In how many iterations in a row the context may stand still.", 3),
      request_info: key(Repetitions, "How many questions in a row are let pass.", 2),
    }),
    {},
  ),
  ...fence,
});
