/** The options with which a person changes the configuration of one command. They mean the same in every command. */
import type { Choices, ChosenAgent } from "../../contract/config/choices.ts";
import { MAX_LINES } from "../../contract/config/choices.ts";
import { validateGlob } from "../../core/paths/glob-reading.ts";
import { type Misused, refuseMisuse } from "../framework/command.ts";
import type { OptionSpecs } from "../framework/option-spec.ts";

export const CHOICE_OPTIONS = {
  agent: {
    type: "choice",
    value: "AGENT",
    choices: ["claude", "codex", "command"],
    help: "Who works; command is builder.command [the configured one, or the only one that is logged in]",
  },
  model: { type: "text", value: "MODEL", help: "Model of the builder" },
  allow: { type: "list", value: "GLOB", help: "Paths that may change, instead of the configured ones" },
  check: { type: "list", value: "ID", help: "A check that must pass" },
  "max-lines": { type: "number", min: 1, max: MAX_LINES, value: "N", help: "Most added and deleted lines of a change" },
  "new-files": { type: "flag", help: "New files are allowed" },
} as const satisfies OptionSpecs;

/** The options of any command that declares these. */
interface GivenChoices {
  readonly flag: (name: "new-files") => boolean;
  readonly text: (name: "model") => string | null;
  readonly list: (name: "allow" | "check") => readonly string[];
  readonly number: (name: "max-lines") => number | null;
  readonly choice: (name: "agent") => keyof typeof AGENTS | null;
}

/** In the usage of a command. */
export const CHOICE_USAGE =
  "[--agent AGENT] [--model MODEL] [--allow GLOB]... [--check ID]... [--max-lines N] [--new-files]";

const AGENTS: Readonly<Record<"claude" | "codex" | "command", ChosenAgent>> = {
  claude: "claude_code",
  codex: "codex",
  command: "command",
};

type ParsedChoices = { readonly kind: "chosen"; readonly choices: Choices } | Misused;

const MODEL_CHARS_MAX = 120;
const GLOBS_MAX = 64;
const CHECKS_MAX = 16;

export function parseChoices(options: GivenChoices): ParsedChoices {
  const agent = options.choice("agent");
  const model = options.text("model");
  const maxLines = options.number("max-lines");
  const mistake = findMistake(options);
  if (mistake !== null) return refuseMisuse(mistake);
  const allow = options.list("allow");
  const checks = options.list("check");
  return {
    kind: "chosen",
    choices: {
      ...(agent === null ? {} : { agent: AGENTS[agent] }),
      ...(model === null ? {} : { model }),
      ...(allow.length === 0 ? {} : { allow: [...allow] }),
      ...(checks.length === 0 ? {} : { checks: [...new Set(checks)] }),
      ...(maxLines === null ? {} : { max_lines: maxLines }),
      ...(options.flag("new-files") ? { new_files: true as const } : {}),
    },
  };
}

function findMistake(options: GivenChoices): string | null {
  const model = options.text("model");
  if (model !== null && (model.trim() === "" || model.length > MODEL_CHARS_MAX))
    return `--model is a name of at most ${MODEL_CHARS_MAX} characters`;
  const allow = options.list("allow");
  for (const glob of allow) {
    const reason = validateGlob(glob);
    if (reason !== null) return `the glob "${glob}" cannot be used: ${reason}`;
  }
  if (allow.length > GLOBS_MAX) return `--allow: at most ${GLOBS_MAX} globs`;
  return options.list("check").length > CHECKS_MAX ? `--check: at most ${CHECKS_MAX} checks` : null;
}

/** The same choices as arguments, for another process of relais. */
export function writeChoices(options: GivenChoices): readonly string[] {
  const agent = options.choice("agent");
  const model = options.text("model");
  const maxLines = options.number("max-lines");
  return [
    ...(agent === null ? [] : [`--agent=${agent}`]),
    ...(model === null ? [] : [`--model=${model}`]),
    ...options.list("allow").map((glob) => `--allow=${glob}`),
    ...options.list("check").map((id) => `--check=${id}`),
    ...(maxLines === null ? [] : [`--max-lines=${maxLines}`]),
    ...(options.flag("new-files") ? ["--new-files"] : []),
  ];
}
