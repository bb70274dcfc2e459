/** What a code means and asks for where its cause tells more than the code does. */
import { CODES, type Code } from "../../contract/values/codes.ts";

interface CodeWords {
  readonly meaning: string;
  readonly remedy: string;
}

const NO_ORCHESTRATOR: CodeWords = {
  meaning: "The orchestrator's program was not found or cannot be executed.",
  remedy:
    "Install it, name another in `roles.orchestrator`, or bring a task of your own: `relais run --task FILE`.",
};

const noReviewer = (role: "reviewer" | "verifier"): CodeWords => ({
  meaning: `The ${role}'s program was not found or cannot be executed.`,
  remedy: `Install it, or name another driver in \`roles.${role}\`.`,
});

/** Nothing failed: somebody wanted it to end. */
const BY_SIGNAL: CodeWords = {
  meaning: "A signal ended the work before it was done.",
  remedy: "Run the same command again when you want it to go on.",
};

const OUT_OF_TURNS: CodeWords = {
  meaning: "The session used up its turns before it was done.",
  remedy: "Raise the key that the message names, or make the task smaller; what was done is kept in salvage.",
};

const BY_CAUSE: Readonly<Partial<Record<Code, Readonly<Record<string, CodeWords>>>>> = {
  STOP_PATCH_INVALID: {
    patch_mode_not_allowed: {
      meaning: "Patches are not taken here.",
      remedy:
        "Set `builder.allow_patch_mode` to true in relais.config.json, or make the change in another way.",
    },
    patch_attempts_used_up: {
      meaning: "This milestone has had as many patches as it may have.",
      remedy:
        "Raise `builder.patch.max_patch_attempts_per_milestone`, go on with another milestone, or apply it yourself: `relais run --patch FILE`.",
    },
    symlink: {
      meaning: "The patch changes a link, and no patch may.",
      remedy: "Take that section out of the patch, and make the link yourself.",
    },
    submodule: {
      meaning: "The patch changes a submodule, and no patch may.",
      remedy: "Take that section out of the patch, and move the submodule yourself.",
    },
    mode: {
      meaning: "The patch asks for a mode that no file in git has.",
      remedy: "Write 100644 or 100755 as the mode in the patch.",
    },
    too_large: {
      meaning: "The patch makes files that are too large.",
      remedy: "Cut it into smaller patches, or add the large files yourself.",
    },
    ignored_path: {
      meaning: "The patch changes a file that git ignores.",
      remedy: "Take that section out of the patch, or the file out of .gitignore.",
    },
    unsafe_path: {
      meaning: "The patch makes a name that is not safe everywhere.",
      remedy: "Give that file another name in the patch.",
    },
    patch_has_nul: {
      meaning: "The patch contains a NUL character, so it is no text.",
      remedy: "Make it again with `git diff --binary`, which writes other content as text.",
    },
    patch_not_text: {
      meaning: "The patch is not valid Unicode text.",
      remedy: "Make it again with `git diff --binary`, which writes other content as text.",
    },
  },
  STOP_PATCH_APPLY_FAILED: {
    cannot_be_written: {
      meaning: "The patch applies, but something is in the way of writing it.",
      remedy: "Move what is in its way aside, or make it your own, and run again.",
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
      meaning: "Git sees files that relais itself writes, so the working tree would never be clean.",
      remedy:
        "Do not commit them. `relais init` writes the .gitignore of the workspace where it is missing, `git rm --cached` takes out what is tracked.",
    },
  },
  BLOCKED_MISSING_CONFIG: {
    branch_in_the_way: {
      meaning: "The work would be committed on a branch of its own, and git cannot make that branch.",
      remedy:
        "Rename the branch that is in the way, set another `git.branch_prefix`, or switch to a branch that is not protected.",
    },
    orchestrator_not_found: NO_ORCHESTRATOR,
    reviewer_not_found: noReviewer("reviewer"),
    verifier_not_found: noReviewer("verifier"),
  },
  STOP_RUNNER_OWNED_MUTATION: {
    journal_changed: {
      meaning: "Something changed what relais keeps for itself outside the repository.",
      remedy: "Find out what did it, above all the builder, before you run it again.",
    },
    store_changed: {
      meaning: "Something changed what relais keeps for itself outside the repository.",
      remedy: "Find out what did it, above all the builder, before you run it again.",
    },
  },
};

export function causeWords(code: Code, cause: string | null): CodeWords {
  return BY_CAUSE[code]?.[cause ?? ""] ?? CODES[code];
}
