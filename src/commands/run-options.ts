import type { Choices } from "../config/choices.ts";
import { unreachable } from "../base/errors.ts";
import type { RunTaskRequest } from "../tick/run-task.ts";
import { parseChoices } from "../terminal/choice-options.ts";
import { refuseMisuse, type Misused } from "../terminal/command.ts";
import type { Options } from "../terminal/option-spec.ts";
import type { RunOptions } from "./run-spec.ts";

type ParsedOptions = ({ readonly kind: "parsed" } & Pick<RunTaskRequest, "source" | "choices" | "wishes">) | Misused;

/** Reads what the tick is to work on, and how. */
export function parseRunOptions(positionals: readonly string[], options: Options<RunOptions>): ParsedOptions {
  const source = findSource(positionals, options);
  if (source.kind === "misused") return source;
  const parsed = parseChoices(options);
  if (parsed.kind === "misused") return parsed;
  if (options.flag("no-checks") && parsed.choices.checks !== undefined)
    return refuseMisuse("--no-checks and --check exclude each other");
  const mistake = findForeignOption(source.kind, options);
  if (mistake !== null) return refuseMisuse(mistake);
  const choices: Choices = {
    ...parsed.choices,
    ...(options.flag("commit") ? { commit: true } : {}),
    ...(options.flag("no-checks") ? { checks: [] } : {}),
  };
  const { fixes = [] } = choices;
  const wishes = { fixes, updateTests: options.list("update-tests") };
  return source.kind === "patch"
    ? { kind: "parsed", source: makePatchSource(source.file, options, choices), choices: keepSettling(choices), wishes }
    : { kind: "parsed", source, choices, wishes };
}

/** The patch has all other choices. */
function keepSettling({ ask, commit, sandbox }: Choices): Choices {
  return {
    ...(ask === undefined ? {} : { ask }),
    ...(commit === undefined ? {} : { commit }),
    ...(sandbox === undefined ? {} : { sandbox }),
  };
}

type FoundSource =
  | Exclude<RunTaskRequest["source"], { kind: "patch" | "repair" }>
  | { readonly kind: "patch"; readonly file: string }
  | Misused;

function findSource(positionals: readonly string[], options: Options<RunOptions>): FoundSource {
  const [sentence, more] = positionals;
  if (more !== undefined) return refuseMisuse("the sentence is one argument: put it in quotes");
  const given = [
    ...(sentence === undefined ? [] : [{ name: "a sentence", source: readArgument(sentence) }]),
    ...listNamedSources(options),
  ];
  const [first, other] = given;
  if (other !== undefined) return refuseMisuse(`${given.map(({ name }) => name).join(" and ")} exclude each other`);
  return first?.source ?? { kind: "plan" };
}

function readArgument(sentence: string): FoundSource {
  return {
    kind: "sentence",
    sentence: sentence === "-" ? { isStandardInput: true } : { text: sentence, isTyped: true },
  };
}

interface NamedSource {
  readonly name: string;
  readonly source: FoundSource;
}

function listNamedSources(options: Options<RunOptions>): readonly NamedSource[] {
  const file = options.text("file");
  const task = options.text("task");
  const patch = options.text("patch");
  return [
    ...(file === null ? [] : [{ name: "--file", source: { kind: "sentence", sentence: { file } } } as const]),
    ...(task === null ? [] : [{ name: "--task", source: { kind: "task", file: task } } as const]),
    ...(patch === null ? [] : [{ name: "--patch", source: { kind: "patch", file: patch } } as const]),
  ];
}

/** An option that this source does not take; its sentence, or null. */
function findForeignOption(kind: FoundSource["kind"], options: Options<RunOptions>): string | null {
  return findForeignRepairs(kind, options) ?? findOptionOfOther(kind, options);
}

function findOptionOfOther(kind: FoundSource["kind"], options: Options<RunOptions>): string | null {
  if (kind !== "patch" && options.text("intent") !== null) return "--intent needs --patch; a task has its own";
  switch (kind) {
    case "patch": {
      const name = findAgentOption(options);
      return name === null ? null : `--${name} and --patch exclude each other: no agent is called`;
    }
    case "plan": {
      const name = findPlanOption(options);
      return name === null ? null : `--${name} needs a sentence or --patch`;
    }
    case "task": {
      const name = findPlanOption(options) ?? findScopeOption(options);
      return name === null ? null : `--${name} needs a sentence or --patch; a task has its own`;
    }
    case "sentence":
    case "misused":
      return null;
    default:
      return unreachable(kind);
  }
}

function findForeignRepairs(kind: FoundSource["kind"], options: Options<RunOptions>): string | null {
  const isForeign = kind !== "sentence" && options.number("repairs") !== null;
  return isForeign ? "--repairs needs a sentence; everything else is exactly one tick" : null;
}

function findPlanOption(options: Options<RunOptions>): string | null {
  if (options.list("update-tests").length > 0) return "update-tests";
  return options.flag("no-checks") ? "no-checks" : null;
}

function findAgentOption(options: Options<RunOptions>): string | null {
  if (options.choice("agent") !== null) return "agent";
  return options.text("model") === null ? null : "model";
}

function findScopeOption(options: Options<RunOptions>): string | null {
  const list = (["allow", "only", "check", "fixes"] as const).find((name) => options.list(name).length > 0);
  if (list !== undefined) return list;
  if (options.number("max-lines") !== null) return "max-lines";
  return (["new-files", "no-new-files"] as const).find((name) => options.flag(name)) ?? null;
}

type PatchSource = Extract<RunTaskRequest["source"], { kind: "patch" }>;

function makePatchSource(file: string, options: Options<RunOptions>, choices: Choices): PatchSource {
  const patch = {
    file,
    scope: choices,
    isNewFilesAllowed: choices.new_files ?? null,
    checks: choices.checks ?? null,
    maxLines: choices.max_lines ?? null,
    intent: options.text("intent"),
  };
  return { kind: "patch", patch };
}
