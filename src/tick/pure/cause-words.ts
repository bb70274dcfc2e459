import { CODES, type Code } from "../../base/codes.ts";
import { type CauseWords, findAgentCause, NOT_LOGGED_IN } from "./agent-causes.ts";

const NO_ORCHESTRATOR: CauseWords = {
  meaning: "The orchestrator's program was not found or cannot be run.",
  remedy: 'Install it, name another in `roles.orchestrator`, or say one task: `relais run "say what to change"`.',
};

const describeMissingReviewer = (role: "reviewer" | "verifier"): CauseWords => ({
  meaning: `The ${role}'s program was not found or cannot be run.`,
  remedy: `Install it, or name another driver in \`roles.${role}\`.`,
});

const BY_SIGNAL: CauseWords = {
  meaning: "A signal stopped the tick.",
  remedy: "Run the same command again to continue.",
};

const giveBack = (meaning: string): CauseWords => ({
  meaning,
  remedy: 'Answer it with `relais answer "<text>"`; the next builder is told. What was changed is kept in salvage.',
});

const describeOperation = (operation: string): CauseWords => ({
  meaning: `A ${operation} is in progress, and a tick would be mixed up with it.`,
  remedy: `End it with \`git ${operation} --continue\`, or give it up with \`git ${operation} --abort\`.`,
});

const TOO_MUCH_NEW: Readonly<Record<string, CauseWords>> = {
  too_many_files: {
    meaning: "It made more files than a tick may add.",
    remedy: "Find out what makes so many files; if you want them, raise `runner.max_new_files`.",
  },
  too_many_bytes: {
    meaning: "It wrote more data than a tick may add.",
    remedy: "Find out what writes so much; if you want it, raise `runner.max_new_mb`.",
  },
};

const BY_CAUSE: Readonly<Partial<Record<Code, Readonly<Record<string, CauseWords>>>>> = {
  STOP_DIFF_TOO_LARGE: TOO_MUCH_NEW,
  STOP_VERIFY_FAILED_FAST: {
    ...TOO_MUCH_NEW,
    install_failed: {
      meaning: "The dependencies could not be installed from the changed lockfile, so no check could run.",
      remedy:
        "Fix the lockfile: install the dependencies again with the package manager; the change is kept in salvage.",
    },
    setup_failed: {
      meaning: "A command of `verification.setup` failed, so no check could run.",
      remedy: "Fix what it reports, or correct `verification.setup`; the change is kept in salvage.",
    },
  },
  STOP_SCOPE_VIOLATION_FORBIDDEN: {
    credential: {
      meaning: "The change adds a credential, such as a key of a provider or a private key.",
      remedy:
        "Let the code read it from the environment, and revoke it if it is real. Write `example` into one that documents show, or keep it among the tests.",
    },
  },
  STOP_CHECKS_WEAKENED: {
    no_effect: {
      meaning: "The change has only text or tests, and the task asks for more.",
      remedy:
        "Say in the task what is wanted and run again, or allow the rule: `allows` in your task, or verification.rules in relais.config.json.",
    },
  },
  STOP_VERIFY_FAILED_SLOW: {
    ...TOO_MUCH_NEW,
    held_out_red: {
      meaning: "A held-out check failed.",
      remedy: "Read its output with `relais log`; the change is kept in salvage.",
    },
  },
  STOP_PATCH_INVALID: {
    patch_mode_not_allowed: {
      meaning: "Patches are not allowed here.",
      remedy: "Set `builder.allow_patch_mode` to true in relais.config.json, or use another builder.",
    },
    patch_attempts_used_up: {
      meaning: "This milestone has used all its patch attempts.",
      remedy:
        "Raise `builder.patch.max_patch_attempts_per_milestone`, start another milestone, or apply it yourself: `relais run --patch FILE`.",
    },
    symlink: {
      meaning: "The patch changes a link.",
      remedy: "Remove that section from the patch, and make the link yourself.",
    },
    submodule: {
      meaning: "The patch changes a submodule.",
      remedy: "Remove that section from the patch, and update the submodule yourself.",
    },
    mode: {
      meaning: "The patch sets an invalid file mode.",
      remedy: "Use mode 100644 or 100755 in the patch.",
    },
    too_large: {
      meaning: "The patch makes files that are too large.",
      remedy: "Split the patch, or add the large files yourself.",
    },
    ignored_path: {
      meaning: "The patch changes an ignored file.",
      remedy: "Remove that section from the patch, or the file from .gitignore.",
    },
    unsafe_path: {
      meaning: "The patch creates an unsafe file name.",
      remedy: "Rename that file in the patch.",
    },
    patch_has_nul: {
      meaning: "The patch contains a NUL character.",
      remedy: "Make it again with `git diff --binary`.",
    },
    patch_not_text: {
      meaning: "The patch is not valid Unicode text.",
      remedy: "Make it again with `git diff --binary`.",
    },
  },
  STOP_PATCH_APPLY_FAILED: {
    landing_conflict: {
      meaning: "The change conflicts with what landed before it.",
      remedy: "A loop tries the task once more; `relais land RUN` lands saved work by hand.",
    },
    cannot_be_written: {
      meaning: "The patch applies, but a file is in the way.",
      remedy: "Move that file away, or take ownership of it, and run again.",
    },
  },
  STOP_INTERRUPTED: {
    orchestrator_not_found: NO_ORCHESTRATOR,
    crash: {
      meaning: "relais was killed during the tick.",
      remedy: "Run the same command again; salvage has the unfinished change, if there is one.",
    },
    measurement_failed: {
      meaning: "The files of the repository could not be measured or saved.",
      remedy: "Fix what the message names (a full disk, a file without permissions), then run again.",
    },
    signing_failed: {
      meaning: "The proof of the commit could not be signed, so nothing was committed.",
      remedy: "Look at the key with `relais doctor`, then take the change back with `relais salvage apply`.",
    },
    sigint: BY_SIGNAL,
    sigterm: BY_SIGNAL,
    sighup: BY_SIGNAL,
  },
  STOP_QUESTION: {
    unanswered: {
      meaning: "A question of an earlier tick is still open; no agent was started.",
      remedy: "Answer it with `relais answer`, or close it with `relais answer --drop`.",
    },
    cannot: giveBack("The builder says that it cannot do the task."),
    test_is_wrong: giveBack("The builder says that a test is wrong."),
    needs_decision: giveBack("The builder needs a decision from you."),
    no_attempt_passed: giveBack("No attempt passed, and a builder has a question."),
  },
  STOP_RATE_LIMITED: {
    still_limited: {
      meaning: "The agent's service is still rate limited; no agent was started.",
      remedy:
        "Wait until then, or name another driver, model or fallback in relais.config.json: with a changed configuration it is tried again.",
    },
  },
  BLOCKED_LOCK_HELD: {
    git_lock: {
      meaning: "A lock file of git is in the way: another git is at work here, or one was killed.",
      remedy: "Wait for that git; if none runs, remove the lock file that the message names.",
    },
  },
  STOP_SUSPECT: {
    dirty_path: {
      meaning: "The change is held: it touches files that you had changed and not committed.",
      remedy: "Commit yours, then keep it with `relais accept RUN`.",
    },
    needs_uncommitted: {
      meaning: "The change is held: its checks pass only with what you have not committed.",
      remedy: "Commit yours, then keep it with `relais accept RUN`.",
    },
  },
  BLOCKED_DIRTY_WORKTREE: {
    dirty_in_place: {
      meaning: "What is not committed can be the base of a tick only where it works in a copy.",
      remedy: "Put it away with `git stash -u`, or set `isolation` to `clone`.",
    },
    merge_in_progress: describeOperation("merge"),
    rebase_in_progress: describeOperation("rebase"),
    cherry_pick_in_progress: describeOperation("cherry-pick"),
    revert_in_progress: describeOperation("revert"),
    bisect_in_progress: {
      meaning: "A bisect is in progress, so HEAD is not on your branch.",
      remedy: "End it with `git bisect reset`.",
    },
    change_waits: {
      meaning: "The change of the last tick waits for your decision.",
      remedy: "Commit it with `relais accept`, or discard it with `relais undo`; then run again.",
    },
    config_uncommitted: {
      meaning: "The configuration of relais is not committed yet.",
      remedy: "Commit it with `relais init --commit`, which commits nothing else.",
    },
    packages_not_ignored: {
      meaning: "Git does not ignore the installed packages, so the working tree is never clean.",
      remedy: "Add `node_modules/` to .gitignore, and commit that file.",
    },
    workspace_not_ignored: {
      meaning: "Git does not ignore the files that relais writes, so the working tree is never clean.",
      remedy:
        "Write the missing .gitignore with `relais eject .gitignore`; `git rm --cached` removes tracked ones. Do not commit them.",
    },
  },
  BLOCKED_MISSING_CONFIG: {
    repository_not_writable: {
      meaning: "This user cannot write what relais and git have to write in the repository.",
      remedy:
        'If another user worked here, give it back from the root of the repository: `sudo chown -R "$(id -u):$(id -g)" .`. Otherwise make it writable.',
    },
    filter_not_found: {
      meaning: "Git needs a filter for files of this repository, and its program is missing.",
      remedy: "Install that program, or take the filter out of .gitattributes.",
    },
    held_out_missing: {
      meaning: "A file of a held-out check does not exist.",
      remedy: "Make it, or correct `verification.held_out` in relais.config.json.",
    },
    held_out_inside: {
      meaning: "A file of a held-out check lies where agents can read it.",
      remedy: "Move it out of the repository, and correct `verification.held_out` in relais.config.json.",
    },
    signing_key_unusable: {
      meaning: "The key of `journal.sign` cannot sign.",
      remedy:
        "Correct the path, add the key to your agent with `ssh-add`, or set `journal.sign` to null in relais.config.json.",
    },
    check_not_found: {
      meaning: "The program of a check was not found, so every change would be reverted.",
      remedy: "Install it, or correct `verification.templates` in relais.config.json.",
    },
    goal_empty: {
      meaning: "There is no goal to plan for.",
      remedy:
        'Create it with `relais eject GOAL.md`, write into it what is to be reached, and commit it; or say one task: `relais run "say what to change"`.',
    },
    not_logged_in: NOT_LOGGED_IN,
    branch_in_the_way: {
      meaning: "Git cannot create the branch for the commits.",
      remedy:
        "Rename the conflicting branch, set another `git.branch_prefix`, or switch to a branch that is not protected.",
    },
    orchestrator_not_found: NO_ORCHESTRATOR,
    reviewer_not_found: describeMissingReviewer("reviewer"),
    verifier_not_found: describeMissingReviewer("verifier"),
  },
  STOP_RUNNER_OWNED_MUTATION: {
    journal_changed: {
      meaning: "Something changed relais' own state, outside the repository.",
      remedy: "Find out what did it (most likely the builder) before you run again.",
    },
    store_changed: {
      meaning: "Something changed relais' own state, outside the repository.",
      remedy: "Find out what did it (most likely the builder) before you run again.",
    },
  },
};

export function describeCause(code: Code, cause: string | null): CauseWords {
  const causes = BY_CAUSE[code] ?? {};
  // A program chooses some of the causes, so only own names count.
  const own = cause !== null && Object.hasOwn(causes, cause) ? causes[cause] : undefined;
  return own ?? findSeriesCap(code, cause) ?? findAgentCause(code, cause) ?? CODES[code];
}

/** A series keeps its counters through all milestones. */
function findSeriesCap(code: Code, cause: string | null): CauseWords | null {
  if (!OF_BUDGETS.includes(code) || cause?.endsWith("_of_series") !== true) return null;
  return { meaning: CODES[code].meaning, remedy: ANOTHER_SERIES };
}

const ANOTHER_SERIES =
  "Raise the cap of `budgets.per_run`, or start another series: `--new`, or another goal or campaign.";

const OF_BUDGETS: readonly Code[] = ["BLOCKED_BUDGET_CAP", "BLOCKED_BUDGET_EXHAUSTED"];

/** The cause with this remedy: the summary of a series has the remedy alone. */
export function findCauseByRemedy(code: Code, remedy: string | null): string | null {
  if (remedy === ANOTHER_SERIES) return "ticks_of_series";
  const causes = Object.entries(BY_CAUSE[code] ?? {});
  return causes.find(([, words]) => words.remedy === remedy)?.[0] ?? null;
}
