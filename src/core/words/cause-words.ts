/** What a code means and asks for where its cause tells more than the code does. */
import { CODES, type Code } from "../../contract/values/codes.ts";

interface CodeWords {
  readonly meaning: string;
  readonly remedy: string;
}

const NO_ORCHESTRATOR: CodeWords = {
  meaning: "The orchestrator's program was not found or cannot be run.",
  remedy:
    "Install it, name another in `roles.orchestrator`, or bring your own task: `relais run --task FILE`.",
};

const noReviewer = (role: "reviewer" | "verifier"): CodeWords => ({
  meaning: `The ${role}'s program was not found or cannot be run.`,
  remedy: `Install it, or name another driver in \`roles.${role}\`.`,
});

/** A stop by a signal is no failure. */
const BY_SIGNAL: CodeWords = {
  meaning: "A signal stopped the tick.",
  remedy: "Run the same command again to continue.",
};

const OUT_OF_TURNS: CodeWords = {
  meaning: "The session used all its turns.",
  remedy: "Raise the key in the message, or make the task smaller; the change is kept in salvage.",
};

const BY_CAUSE: Readonly<Partial<Record<Code, Readonly<Record<string, CodeWords>>>>> = {
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
    cannot_be_written: {
      meaning: "The patch applies, but a file is in the way.",
      remedy: "Move that file away, or take ownership of it, and run again.",
    },
  },
  STOP_INTERRUPTED: {
    orchestrator_not_found: NO_ORCHESTRATOR,
    max_turns: OUT_OF_TURNS,
    orchestrator_max_turns: OUT_OF_TURNS,
    sigint: BY_SIGNAL,
    sigterm: BY_SIGNAL,
    sighup: BY_SIGNAL,
  },
  BLOCKED_DIRTY_WORKTREE: {
    workspace_not_ignored: {
      meaning: "Git does not ignore the files that relais writes, so the working tree is never clean.",
      remedy:
        "Run `relais init` to write the missing .gitignore; `git rm --cached` removes tracked ones. Do not commit them.",
    },
  },
  BLOCKED_MISSING_CONFIG: {
    branch_in_the_way: {
      meaning: "Git cannot create the branch for the commits.",
      remedy:
        "Rename the conflicting branch, set another `git.branch_prefix`, or switch to a branch that is not protected.",
    },
    orchestrator_not_found: NO_ORCHESTRATOR,
    reviewer_not_found: noReviewer("reviewer"),
    verifier_not_found: noReviewer("verifier"),
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

export function causeWords(code: Code, cause: string | null): CodeWords {
  return BY_CAUSE[code]?.[cause ?? ""] ?? CODES[code];
}
