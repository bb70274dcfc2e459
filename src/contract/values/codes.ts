/**
 * Every way a tick can end.
 *
 * One table: the type, the schemas' enum, the exit status, docs/codes.md and `relais explain` derive from it. A code is
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
const blocked = (meaning: string, remedy: string) =>
  ({ verdict: "blocked", exit: 11, meaning, remedy }) as const;

export const CODES = {
  SUCCESS: {
    verdict: "success",
    exit: 0,
    meaning: "Every gate passed and every check was green.",
    remedy: "Nothing to mend.",
  },

  STOP_HEAD_MOVED: stop(
    "HEAD, or the ref it names, is not what it was when the work began.",
    "Only the runner commits. Tell the builder not to commit, switch, reset or rebase.",
  ),
  STOP_GIT_METADATA_MUTATION: stop(
    "Git's own data changed: refs, stash, config, hooks, info, index flags, worktrees, submodules or an unfinished operation.",
    "Make that change yourself, outside a tick, or tell the builder to leave git's data alone.",
  ),
  STOP_RUNNER_OWNED_MUTATION: stop(
    "A file that belongs to the runner or its configuration was changed.",
    "Edit the workspace or the configuration yourself, between ticks.",
  ),
  STOP_QUESTION_SIDE_EFFECTS: stop(
    "A question must change nothing, yet something changed.",
    "Ask the question again; if the change was wanted, make it an execute task.",
  ),
  STOP_VERIFY_ONLY_SIDE_EFFECTS: stop(
    "A verify_only task must change nothing, yet something changed.",
    "Look for a check or a builder that writes; if the change was wanted, make it an execute task.",
  ),
  STOP_UNSAFE_PATH: stop(
    "A changed path is unsafe: its name, its type, its links, its mode or the place it points to.",
    "Rename or remove the entry; a link must be relative and stay inside the allowed scope.",
  ),
  STOP_SCOPE_VIOLATION_FORBIDDEN: stop(
    "A changed path matches a forbidden glob.",
    "Leave that path alone, or lift the glob in relais.config.json if it should not be protected.",
  ),
  STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED: stop(
    "A changed path matches no allowed glob.",
    "Widen the task's allowed_globs if the path belongs to the task; otherwise make the task smaller.",
  ),
  STOP_SCOPE_VIOLATION_NEW_FILE: stop(
    "A file was created where new files are not allowed.",
    "Set allow_new_files for the task if it needs new files.",
  ),
  STOP_LOCKFILE_CHANGE_FORBIDDEN: stop(
    "A lockfile changed where lockfile changes are not allowed.",
    "Set allow_lockfile_changes for the task if its dependencies must change.",
  ),
  STOP_IGNORED_MUTATION: stop(
    "An ignored file that is protected was changed.",
    "Add build output to ignored_writable_globs, or relax `ignored`; secrets and dependencies stay protected.",
  ),
  STOP_DIFF_TOO_LARGE: stop(
    "The change is larger than its limits.",
    "Split the task, or raise its diff_limits up to those of the configuration.",
  ),
  STOP_NO_CHANGE: stop(
    "The task asks for a change, and nothing was changed.",
    "Read what the agent says; make the task clearer, or set allow_no_change in the task if nothing may be left to do.",
  ),
  STOP_PATCH_INVALID: stop(
    "The patch would create something that a patch may not create.",
    "Remove the offending section: links, submodules, odd modes, unsafe and ignored paths are refused.",
  ),
  STOP_PATCH_APPLY_FAILED: stop(
    "Git refused to apply the patch.",
    "Make the patch against the files as they lie in the working tree, and without other prefixes than a/ and b/.",
  ),
  STOP_BUILDER_OUTPUT_INVALID: stop(
    "The builder's result is not the JSON object that was asked for.",
    "See the transcript; set strict_builder_json to false to judge the change all the same.",
  ),
  STOP_BUILDER_TIMEOUT: stop(
    "The builder ran past its time limit and was stopped.",
    "Make the task smaller or raise the builder's timeout.",
  ),
  STOP_OUTPUT_LIMIT: stop(
    "A process printed more than it may.",
    "See the log for what it repeats; make the command quieter.",
  ),
  STOP_VERIFY_TAINTED: stop(
    "A check could not be run safely: an unknown template, or a parameter that is missing, extra or not allowed.",
    "Use the template ids and parameters of relais.config.json; nothing was executed.",
  ),
  STOP_VERIFY_FAILED_FAST: stop(
    "A fast check failed or ran out of time.",
    "Read verify.log; the work is kept in salvage.",
  ),
  STOP_VERIFY_FAILED_SLOW: stop(
    "A slow check failed or ran out of time.",
    "Read verify.log; the work is kept in salvage.",
  ),
  STOP_VERIFY_SIDE_EFFECTS: stop(
    "A check changed the tree that it was to verify.",
    "List what checks may write in verification.scratch_globs, or mend the check.",
  ),
  STOP_MAIN_TREE_CHANGED: stop(
    "The main tree changed while the tick worked in its own place.",
    "The result waits in salvage: apply it with `relais salvage apply`.",
  ),
  STOP_TICK_TIMEOUT: stop(
    "The tick reached runner.max_tick_seconds.",
    "Make the task smaller or raise the limit.",
  ),
  STOP_QUESTION: {
    verdict: "stop",
    exit: 14,
    meaning: "The orchestrator asks a question that a person must answer.",
    remedy: 'Answer it with `relais answer "<text>"`.',
  },
  STOP_NO_PROGRESS: stop(
    "The last ticks in a row changed nothing.",
    "Say what is to be done next in GOAL.md, or end the milestone.",
  ),
  STOP_REVIEW_REFUSED: stop(
    "The reviewers did not approve.",
    "Read their findings in the report; the work is kept in salvage.",
  ),
  STOP_GUARD_FAILED: stop(
    "The guard command failed after the work was reported as done.",
    "Read the guard's log; the next attempt is told why.",
  ),
  STOP_RATE_LIMITED: {
    verdict: "stop",
    exit: 13,
    meaning: "The agent's service refused the call because of a rate or usage limit.",
    remedy: "Wait for the time shown and run again; the tick was not counted.",
  },
  STOP_BREAKER: stop(
    "A breaker ended the series because it repeated itself without progress.",
    "The report names the breaker; change the task, the goal or the configuration before going on.",
  ),
  STOP_INTERRUPTED: stop(
    "The work was cut short: a signal, a failed session or a measurement that could not be finished.",
    "The cause says what failed; run again once it is mended.",
  ),

  BLOCKED_MISSING_CONFIG: blocked(
    "There is no usable configuration, or no git repository to work on.",
    "Mend what the message names; where there is no configuration yet, `relais init` writes one.",
  ),
  BLOCKED_LOCK_HELD: blocked(
    "Another relais works on this repository.",
    "Wait for it; if the lock file is damaged, make sure that none runs and remove the file.",
  ),
  BLOCKED_DIRTY_WORKTREE: blocked(
    "The working tree has changes that no tick made.",
    "Commit or stash them first.",
  ),
  BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED: blocked(
    "The history is larger than history.max_mb.",
    "Run `relais history prune`, or raise the cap.",
  ),
  BLOCKED_CRASH_RECOVERY_REQUIRED: blocked(
    "The runner's own files are damaged, or a tick was cut short.",
    "Run `relais recover`.",
  ),
  BLOCKED_BUDGET_EXHAUSTED: {
    verdict: "blocked",
    exit: 12,
    meaning: "What is left of the budget cannot pay for a whole tick.",
    remedy: "Raise the budget, or start the next milestone.",
  },
  BLOCKED_BUDGET_CAP: {
    verdict: "blocked",
    exit: 12,
    meaning: "A cap of the budget is reached.",
    remedy: "Raise the cap, or start the next milestone.",
  },
  BLOCKED_ORCHESTRATOR_OUTPUT_INVALID: blocked(
    "None of the orchestrator's answers was a valid task.",
    "The report shows the schema errors and an excerpt; mend the prompt or the goal.",
  ),
  BLOCKED_ROLLBACK_FAILED: blocked(
    "The repository could not be put back exactly.",
    "Run `relais recover` before anything else: the report lists what is not back yet, and `relais salvage list` what was kept.",
  ),
  BLOCKED_SANDBOX_UNAVAILABLE: blocked(
    "A sandbox is required and none works on this machine.",
    "Run `relais doctor`; install bubblewrap or relax `sandbox`.",
  ),
  BLOCKED_BUILDER_COMMAND_NOT_FOUND: blocked(
    "The builder's program was not found or cannot be executed.",
    "Install it, or correct its command in relais.config.json.",
  ),
  BLOCKED_PROTECTED_BRANCH: blocked(
    "This workflow commits, and the current branch is protected.",
    "Switch to another branch first.",
  ),
} as const satisfies Record<string, CodeEntry>;

export type Code = keyof typeof CODES;
/** The codes of one verdict, so that a gate cannot answer with a `BLOCKED_` code. */
export type CodeOf<V extends Verdict> = {
  [C in Code]: (typeof CODES)[C]["verdict"] extends V ? C : never;
}[Code];

/** How a series of ticks can end, with the status of the process. */
export const SERIES_ENDS = {
  complete: { exit: 0, meaning: "The work is done: control.stop, a passed root, a reached goal." },
  max_ticks: { exit: 0, meaning: "The number of ticks that was asked for is reached." },
  milestone_changed: { exit: 0, meaning: "The next task belongs to another milestone." },
  stopped: { exit: 10, meaning: "A tick stopped, and the series halts on a stop." },
  breaker: { exit: 10, meaning: "A breaker saw repetition without progress." },
  timeout: {
    exit: 10,
    meaning: "The series reached its limit of iterations, or one of its ticks its time limit.",
  },
  blocked: { exit: 11, meaning: "A tick was blocked." },
  budget_warning: { exit: 12, meaning: "The budget reached its warning mark: a soft stop." },
  needs_human: { exit: 14, meaning: "A person must answer or decide." },
  stuck: { exit: 14, meaning: "The attempts at one piece of work are used up." },
  interrupted: { exit: 130, meaning: "A signal ended the series." },
} as const satisfies Record<string, { exit: number; meaning: string }>;
export type SeriesEnd = keyof typeof SERIES_ENDS;
