/** The options with which a person changes the configuration of one command. They mean the same in every command. */
import { Choices, type ChosenAgent, MAX_LINES } from "../config/choices.ts";
import { parseWith } from "../base/schema-error.ts";
import { validateGlob } from "../base/glob-validity.ts";
import { type Misused, refuseMisuse } from "./command.ts";
import type { GivenOptions, OptionSpecs } from "./option-spec.ts";

export const CHOICE_OPTIONS = {
  agent: {
    type: "choice",
    value: "AGENT",
    choices: ["claude", "codex", "command"],
    help: "Who works; command is builder.command [the configured one, or the only one that is logged in]",
  },
  model: { type: "text", value: "MODEL", help: "Model of the builder" },
  allow: { type: "list", value: "GLOB", help: "Paths that may change, besides the usual ones" },
  only: { type: "list", value: "GLOB", help: "Paths that may change, instead of the usual ones" },
  check: { type: "list", value: "ID", help: "A check that must pass" },
  fixes: { type: "list", value: "ID", help: "A check that fails now, and that the work must make pass" },
  "max-lines": { type: "number", min: 1, max: MAX_LINES, value: "N", help: "Most added and deleted lines of a change" },
  "new-files": { type: "flag", help: "New files are allowed [for a sentence: yes]" },
  "no-new-files": { type: "flag", help: "No new files are allowed" },
  ask: { type: "flag", help: "Hold each passing change until you accept or reject it (settle)" },
  sandbox: {
    type: "choice",
    value: "WISH",
    choices: ["auto", "off", "required"],
    help: "Whether agents and checks run in a sandbox [sandbox, auto]",
  },
} as const satisfies OptionSpecs;

/** Said beforehand, of a change that an agent makes, or of one that lands. */
export const UPDATE_TESTS = {
  type: "list",
  value: "GLOB",
  help: "Tests that are to change: their old versions do not count",
} as const;

/** What may be said about work from elsewhere when it is put on top of HEAD. */
export const LANDING_OPTIONS = {
  allow: CHOICE_OPTIONS.allow,
  only: CHOICE_OPTIONS.only,
  check: CHOICE_OPTIONS.check,
  "max-lines": CHOICE_OPTIONS["max-lines"],
  "new-files": CHOICE_OPTIONS["new-files"],
  "no-new-files": CHOICE_OPTIONS["no-new-files"],
  "update-tests": UPDATE_TESTS,
} as const;

/** The agents of a command with `--attempts`. */
export const SEVERAL_AGENTS = {
  ...CHOICE_OPTIONS.agent,
  help: "Who works; command is builder.command; with --attempts several, in turn [the configured one, or the only one that is logged in]",
  isList: true,
} as const;

/** The options of any command that declares these. */
interface GivenChoices {
  readonly flag: (name: "new-files" | "no-new-files" | "ask") => boolean;
  readonly text: (name: "model") => string | null;
  readonly list: (name: "allow" | "only" | "check" | "fixes") => readonly string[];
  readonly number: (name: "max-lines") => number | null;
  /** Checked when the arguments were parsed. */
  readonly choice: (name: "agent" | "sandbox") => string | null;
}

/** In the usage of a series, whose own options come first. */
export const MORE_OPTIONS = "[OPTION]...";

/** In the usage of a single tick. */
export const CHOICE_USAGE =
  "[--agent AGENT] [--model MODEL] [--allow GLOB]... [--only GLOB]... [--check ID]... [--fixes ID]... [--max-lines N] [--no-new-files] [--ask] [--sandbox WISH]";

const AGENTS: Readonly<Record<string, ChosenAgent>> = {
  claude: "claude_code",
  codex: "codex",
  command: "command",
};

type ParsedChoices = { readonly kind: "chosen"; readonly choices: Choices } | Misused;

export function parseChoices(options: GivenChoices): ParsedChoices {
  const mistake = findGlobMistake([...options.list("allow"), ...options.list("only")]);
  if (mistake !== null) return mistake;
  if (options.flag("new-files") && options.flag("no-new-files"))
    return refuseMisuse("--new-files and --no-new-files exclude each other");
  const parsed = parseWith(Choices, readGiven(options));
  if (parsed.kind === "valid") return { kind: "chosen", choices: parsed.value };
  return refuseMisuse(
    "the options cannot be used",
    parsed.problems.map(({ message }) => message),
  );
}

export function findGlobMistake(globs: readonly string[]): Misused | null {
  for (const glob of globs) {
    const reason = validateGlob(glob);
    if (reason !== null) return refuseMisuse(`the glob "${glob}" cannot be used: ${reason}`);
  }
  return null;
}

function readGiven(options: GivenChoices): object {
  const agent = options.choice("agent");
  const model = options.text("model");
  const maxLines = options.number("max-lines");
  const sandbox = options.choice("sandbox");
  const [checks, fixes] = [options.list("check"), options.list("fixes")];
  return {
    ...(agent === null ? {} : { agent: AGENTS[agent.split(",")[0] ?? ""] }),
    ...(model === null ? {} : { model }),
    ...readScope(options),
    ...(checks.length === 0 ? {} : { checks: [...new Set(checks)] }),
    ...(fixes.length === 0 ? {} : { fixes: [...new Set(fixes)] }),
    ...(maxLines === null ? {} : { max_lines: maxLines }),
    ...(options.flag("ask") ? { ask: true } : {}),
    ...(sandbox === null ? {} : { sandbox }),
  };
}

function readScope(options: GivenChoices): object {
  const [allow, only] = [options.list("allow"), options.list("only")];
  return {
    ...(allow.length === 0 ? {} : { allow: [...allow] }),
    ...(only.length === 0 ? {} : { only: [...only] }),
    ...(options.flag("new-files") ? { new_files: true } : {}),
    ...(options.flag("no-new-files") ? { new_files: false } : {}),
  };
}

const LISTS = ["allow", "only", "check", "fixes"] as const;

const writeLists = (lists: Readonly<Record<string, readonly string[] | undefined>>): readonly string[] =>
  Object.entries(lists).flatMap(([name, values = []]) => values.map((value) => `--${name}=${value}`));

/** The same choices as arguments, for another process of relais. */
export function writeChoices(options: GivenChoices): readonly string[] {
  const agent = options.choice("agent");
  const model = options.text("model");
  const maxLines = options.number("max-lines");
  const sandbox = options.choice("sandbox");
  return [
    ...(agent === null ? [] : [`--agent=${agent}`]),
    ...(model === null ? [] : [`--model=${model}`]),
    ...writeLists(Object.fromEntries(LISTS.map((name) => [name, options.list(name)]))),
    ...(maxLines === null ? [] : [`--max-lines=${maxLines}`]),
    ...(options.flag("new-files") ? ["--new-files"] : []),
    ...(options.flag("no-new-files") ? ["--no-new-files"] : []),
    ...(options.flag("ask") ? ["--ask"] : []),
    ...(sandbox === null ? [] : [`--sandbox=${sandbox}`]),
  ];
}

/** The choices of a series as arguments for one of its tasks; nobody is asked there. */
export function writeRecorded({
  agent,
  model,
  allow,
  only,
  checks,
  fixes,
  max_lines,
  new_files,
  sandbox,
}: Choices): readonly string[] {
  return [
    ...(agent === undefined ? [] : [`--agent=${nameAgent(agent)}`]),
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...writeLists({ allow, only, check: checks, fixes }),
    ...(max_lines === undefined ? [] : [`--max-lines=${max_lines}`]),
    ...(new_files === undefined ? [] : [new_files ? "--new-files" : "--no-new-files"]),
    ...(sandbox === undefined ? [] : [`--sandbox=${sandbox}`]),
  ];
}

/** The agents of an option that may name several. */
export function listAgents(given: string | null): readonly ChosenAgent[] {
  return given === null ? [] : given.split(",").flatMap((name) => AGENTS[name] ?? []);
}

export function nameAgent(agent: ChosenAgent): string {
  return Object.entries(AGENTS).find(([, known]) => known === agent)?.[0] ?? agent;
}

const CHARS_MAX = 1000;
const STANDARD_INPUT = "-";

/** The command as a person can type it again; nothing where it is long, or where its text came from standard input. */
export function writeCommandLine(
  command: string,
  words: readonly string[],
  given: GivenOptions,
): { readonly commandLine?: readonly string[] } {
  const options = [...given].flatMap(([name, values]) =>
    values.flatMap((value) => [`--${String(name)}`, ...(value === "" ? [] : [value])]),
  );
  const commandLine = [command, ...words, ...options];
  const isTypedAgain = !commandLine.includes(STANDARD_INPUT) && commandLine.join(" ").length <= CHARS_MAX;
  return isTypedAgain && !given.has("dry-run") ? { commandLine } : {};
}
