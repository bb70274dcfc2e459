/** What a code means and asks for where its cause tells more than the code does. */
import { CODES, type Code } from "../contract/codes.ts";

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
  },
  STOP_INTERRUPTED: {
    orchestrator_not_found: NO_ORCHESTRATOR,
  },
  BLOCKED_MISSING_CONFIG: {
    orchestrator_not_found: NO_ORCHESTRATOR,
    reviewer_not_found: noReviewer("reviewer"),
    verifier_not_found: noReviewer("verifier"),
  },
  STOP_RUNNER_OWNED_MUTATION: {
    journal_changed: {
      meaning: "Something changed what relais keeps for itself outside the repository.",
      remedy: "Find out what did it, above all the builder, before you run it again.",
    },
  },
};

export function causeWords(code: Code, cause: string | null): CodeWords {
  return BY_CAUSE[code]?.[cause ?? ""] ?? CODES[code];
}
