/**
 * Every way a tick can end.
 *
 * One table: the type, the schemas' enum, the exit status, docs/troubleshooting.md and `relais explain` derive from it. A code is
 * a contract with scripts and is never renamed; what went wrong in one particular tick is said by its `cause`.
 */
type Verdict = "success" | "stop" | "blocked";

interface CodeEntry {
  readonly verdict: Verdict;
  /** The status of the process. Signals override it: 129 for SIGHUP, 130 for SIGINT, 143 for SIGTERM. */
  readonly exit: 0 | 10 | 11 | 12 | 13 | 14;
  readonly meaning: string;
  readonly remedy: string;
}

const stop = (meaning: string, remedy: string) => ({ verdict: "stop", exit: 10, meaning, remedy }) as const;
const blocked = (meaning: string, remedy: string) => ({ verdict: "blocked", exit: 11, meaning, remedy }) as const;

export const CODES = {
  SUCCESS: {
    verdict: "success",
    exit: 0,
    meaning: "All rules passed, and no check failed.",
    remedy: "Nothing to fix.",
  },

  STOP_HEAD_MOVED: stop(
    "HEAD or its branch moved during the tick.",
    "Only relais commits. Tell the builder not to commit, switch, reset or rebase.",
  ),
  STOP_GIT_METADATA_MUTATION: stop(
    "Git's own data changed: refs, stash, config, hooks, info, index flags, worktrees, submodules or an unfinished operation.",
    "Make that change yourself between ticks, or tell the builder to leave git's data alone.",
  ),
  STOP_RUNNER_OWNED_MUTATION: stop(
    "A file of relais or its configuration was changed.",
    "Edit the workspace or the configuration yourself, between ticks.",
  ),
  STOP_QUESTION_SIDE_EFFECTS: stop(
    "A question must change nothing, but something changed.",
    "Ask again; if you want the change, make it an execute task.",
  ),
  STOP_VERIFY_ONLY_SIDE_EFFECTS: stop(
    "A verify_only task must change nothing, but something changed.",
    "Find out which check or builder writes; if you want the change, make it an execute task.",
  ),
  STOP_UNSAFE_PATH: stop(
    "A changed path is unsafe: its name, type, links, mode or target.",
    "Rename or remove the entry; a link must be relative and stay inside the allowed paths.",
  ),
  STOP_SCOPE_VIOLATION_FORBIDDEN: stop(
    "A changed file matches a forbidden glob.",
    "Name a CI or an instruction file in your own sentence, change another one yourself, or remove the glob from relais.config.json.",
  ),
  STOP_CHECKS_WEAKENED: stop(
    "The change weakens the checks. The cause is the rule, such as `tests_removed` or `tests_skipped`.",
    "Remove the named places; if fewer tests are wanted, name them in the task.",
  ),
  STOP_SUSPECT: {
    verdict: "stop",
    exit: 14,
    meaning:
      "The change is held for you: it breaks no rule, and something in it may be wrong. The cause is the rule, such as `suppression`, `test_literals`, `no_effect` or `starts_programs`.",
    remedy: "Look at it with `relais diff`; `relais accept RUN` keeps it, `relais reject RUN` does not.",
  },
  STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED: stop(
    "A changed file is outside the allowed paths.",
    "Allow the path (`--allow GLOB`, or allowed_globs in the task), or make the task smaller.",
  ),
  STOP_SCOPE_VIOLATION_NEW_FILE: stop(
    "A new file was created, and new files are not allowed.",
    "Allow new files if the task needs them: `--new-files`, or allow_new_files in the task.",
  ),
  STOP_LOCKFILE_CHANGE_FORBIDDEN: stop(
    "A lockfile changed, and lockfile changes are not allowed.",
    "Set allow_lockfile_changes in the task if its dependencies must change.",
  ),
  STOP_IGNORED_MUTATION: stop(
    "A protected ignored file was changed.",
    "Add build output to ignored_writable_globs, or relax `ignored`. Files that a check loads, secrets and dependencies stay protected: let the check build them.",
  ),
  STOP_DIFF_TOO_LARGE: stop(
    "The change is larger than its limits.",
    "Split the task, or raise its limit: `--max-lines N` for lines, diff_limits in the task for files (at most those of the configuration).",
  ),
  STOP_NO_CHANGE: stop(
    "The task asks for a change, but nothing changed.",
    "Read the agent's answer; make the task clearer, or set allow_no_change if there may be nothing to do.",
  ),
  STOP_PATCH_INVALID: stop(
    "The patch has a link, a submodule, an odd mode, or an unsafe or ignored path.",
    "Remove that part of the patch.",
  ),
  STOP_PATCH_APPLY_FAILED: stop(
    "Git could not apply the patch.",
    "Make the patch against the current working tree, with the prefixes a/ and b/.",
  ),
  STOP_BUILDER_OUTPUT_INVALID: stop(
    "The agent's summary was unreadable.",
    "Read the transcript; set strict_builder_json to false to check the change anyway.",
  ),
  STOP_BUILDER_TIMEOUT: stop(
    "The builder ran past its time limit and was stopped.",
    "Make the task smaller or raise the builder's timeout.",
  ),
  STOP_OUTPUT_LIMIT: stop(
    "A process printed too much and was stopped.",
    "Look for repeated lines in its log; make the command quieter.",
  ),
  STOP_VERIFY_TAINTED: stop(
    "A check could not be run safely: an unknown template, or a parameter that is missing, extra or not allowed.",
    "Use template ids and parameters from relais.config.json; nothing was run.",
  ),
  STOP_VERIFY_FAILED_FAST: stop(
    "A fast check failed or timed out.",
    "Fix what the check reports; the change is kept in salvage.",
  ),
  STOP_VERIFY_FAILED_SLOW: stop(
    "A slow check failed or timed out.",
    "Fix what the check reports; the change is kept in salvage.",
  ),
  STOP_VERIFY_SIDE_EFFECTS: stop(
    "A check changed the files it was checking.",
    "List what checks may write in verification.scratch_globs, or fix the check.",
  ),
  STOP_MAIN_TREE_CHANGED: stop(
    "The main tree changed while the tick worked in its own copy.",
    "The change is in salvage: apply it with `relais salvage apply`.",
  ),
  STOP_PROOF_MISSING: stop(
    "A commit carries no valid proof that relais judged it.",
    "Let relais make that commit with `journal.sign`, or add the key of its signer to the allowed signers of the base.",
  ),
  STOP_TICK_TIMEOUT: stop("The tick reached runner.max_tick_seconds.", "Make the task smaller or raise the limit."),
  STOP_QUESTION: {
    verdict: "stop",
    exit: 14,
    meaning: "An agent has a question for you.",
    remedy: 'Answer it with `relais answer "<text>"`.',
  },
  STOP_NO_PROGRESS: stop("The last ticks changed nothing.", "Say in GOAL.md what to do next, or end the milestone."),
  STOP_REVIEW_REFUSED: stop(
    "The reviewers did not approve.",
    "Read their findings in the report; the change is kept in salvage.",
  ),
  STOP_REJECTED: stop(
    "You rejected the change.",
    "Run again with a clearer task; a series tells its next attempt your reason. The change is kept in salvage.",
  ),
  STOP_UNDECIDED: {
    verdict: "stop",
    exit: 14,
    meaning: "Nobody accepted or rejected the change in time (ask_timeout_seconds).",
    remedy: "The change is kept in salvage: apply it, or run again.",
  },
  STOP_GUARD_FAILED: stop(
    "The guard command failed after the work was reported as done.",
    "Read the guard's log; the next attempt gets the reason.",
  ),
  STOP_RATE_LIMITED: {
    verdict: "stop",
    exit: 13,
    meaning: "The agent's service refused the call: rate or usage limit.",
    remedy: "Wait until the time shown, then run again; the tick was not counted.",
  },
  STOP_BREAKER: stop(
    "The series repeated itself without progress.",
    "Read the reason; change the task, the goal or the configuration before you continue.",
  ),
  STOP_INTERRUPTED: stop(
    "The tick was interrupted: a signal, a failed session or a failed measurement.",
    "Fix the cause shown, then run again.",
  ),

  BLOCKED_MISSING_CONFIG: blocked(
    "No usable configuration, or no git repository.",
    "Fix what the message names; `relais doctor` checks it again.",
  ),
  BLOCKED_LOCK_HELD: blocked(
    "Another relais is running in this repository.",
    "Wait for it; if the lock file is damaged, make sure that no relais runs and remove the file.",
  ),
  BLOCKED_DIRTY_WORKTREE: blocked(
    "The working tree has uncommitted changes.",
    'Commit them, or `git stash -u`; `relais run "..." --dirty` begins with them.',
  ),
  BLOCKED_BASELINE_RED: blocked(
    "A check fails before any work.",
    "Fix it first, or let the work fix it: `--fixes CHECK`, or `fixes` in the task. With `verification.inherited: compare` it may fail as before.",
  ),
  BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED: blocked(
    "The history is larger than history.max_mb.",
    "Delete old runs with `relais history prune`, or raise history.max_mb.",
  ),
  BLOCKED_CRASH_RECOVERY_REQUIRED: blocked(
    "A tick was interrupted, or the files of relais are damaged.",
    "Run `relais recover`.",
  ),
  BLOCKED_BUDGET_EXHAUSTED: {
    verdict: "blocked",
    exit: 12,
    meaning: "The remaining budget cannot pay for a whole tick.",
    remedy: "Raise the cap that the message names, or open the next milestone: `relais milestone next`.",
  },
  BLOCKED_BUDGET_CAP: {
    verdict: "blocked",
    exit: 12,
    meaning: "A budget cap is reached.",
    remedy: "Raise the cap that the message names, or open the next milestone: `relais milestone next`.",
  },
  BLOCKED_ORCHESTRATOR_OUTPUT_INVALID: blocked(
    "The orchestrator gave no valid task.",
    "Read the schema errors in the report; fix the prompt or the goal.",
  ),
  BLOCKED_ROLLBACK_FAILED: blocked(
    "The repository could not be restored exactly.",
    "Run `relais recover` first; the report lists what still differs, `relais salvage list` what was kept.",
  ),
  BLOCKED_SANDBOX_UNAVAILABLE: blocked(
    "A sandbox is required, and none works on this machine.",
    "Run `relais doctor`; install bubblewrap or relax `sandbox`.",
  ),
  BLOCKED_BUILDER_COMMAND_NOT_FOUND: blocked(
    "The builder's program was not found or cannot be run.",
    "Install it, or correct its command in relais.config.json.",
  ),
  BLOCKED_QUEUE_UNAVAILABLE: blocked(
    "The queue cannot be used now: its server does not answer, its folder cannot be written, or its records are damaged.",
    "Do what the message names; `relais doctor` looks at the server of a shared queue.",
  ),
  BLOCKED_PROTECTED_BRANCH: blocked(
    "This workflow commits, and the current branch is protected.",
    "Switch to another branch first.",
  ),
} as const satisfies Record<string, CodeEntry>;

export type Code = keyof typeof CODES;
/** A gate cannot answer with a `BLOCKED_` code. */
export type CodeOf<V extends Verdict> = {
  [C in Code]: (typeof CODES)[C]["verdict"] extends V ? C : never;
}[Code];

export function isCode(name: string): name is Code {
  return Object.hasOwn(CODES, name);
}

/** A new end also needs its words in `src/cards/series-card.ts` and a sample in `test/support/summaries.ts`. */
export const SERIES_ENDS = {
  complete: { exit: 0, meaning: "The work is done: the orchestrator stopped, the root passes or the goal is reached." },
  max_ticks: { exit: 0, meaning: "Reached the number of ticks you asked for (--max-ticks)." },
  milestone_changed: { exit: 0, meaning: "The next task belongs to another milestone." },
  stopped: { exit: 10, meaning: "A tick stopped, and the series with it (loop.on_stop)." },
  breaker: { exit: 10, meaning: "The series repeated itself without progress." },
  timeout: { exit: 10, meaning: "The series reached its limit of iterations, or a tick its time limit." },
  blocked: { exit: 11, meaning: "A tick was blocked." },
  budget_warning: { exit: 12, meaning: "The budget reached its warning mark (soft stop)." },
  needs_human: { exit: 14, meaning: "You must answer or decide." },
  stuck: { exit: 14, meaning: "All attempts at one task failed." },
  paused: {
    exit: 0,
    meaning: "You asked for a pause: the series ended after its tick, and the same command continues it.",
  },
  interrupted: { exit: 130, meaning: "A signal stopped the series." },
} as const satisfies Record<string, { exit: number; meaning: string }>;
export type SeriesEnd = keyof typeof SERIES_ENDS;
