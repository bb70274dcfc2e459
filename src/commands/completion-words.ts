/** What every shell has to know about the commands, in the order in which they are listed. */
import type { CommandSpec, Vocabulary } from "../terminal/command.ts";
import type { OptionSpec, OptionSpecs } from "../terminal/option-spec.ts";

export interface CompletedOption {
  readonly name: string;
  readonly short: string | null;
  readonly help: string;
  /** What its value is; null where it takes none. */
  readonly value: CompletedValue | null;
  readonly isRepeatable: boolean;
}

type CompletedValue =
  { readonly kind: "words"; readonly words: readonly string[] } | { readonly kind: "file" | "folder" | "anything" };

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** What the first argument can be: words of its own, or the names of its sub-commands. */
  readonly words: readonly string[];
  /** Those of every command included; where a sub-command is meant without its name, its options too. */
  readonly options: readonly CompletedOption[];
  readonly subcommands: readonly CompletedCommand[];
}

/** What a shell offers: the options that stand before a command, and every command. */
export interface Completed {
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
}

export function listCompletions({ commands, options }: Vocabulary): Completed {
  const globals = listOptions(options);
  return {
    options: globals,
    commands: commands.map((command) => describeCommand(command, globals)),
  };
}

function describeCommand(command: CommandSpec, globals: readonly CompletedOption[]): CompletedCommand {
  const { name, summary, positionals, options, subcommands, defaultTo } = command;
  const meant = subcommands.find((sub) => sub.name === defaultTo)?.options ?? {};
  return {
    name,
    summary,
    words: [...subcommands.map((sub) => sub.name), ...(positionals.choices ?? [])],
    options: [...listOptions({ ...options, ...meant }), ...globals],
    subcommands: subcommands.map((sub) => describeCommand(sub, globals)),
  };
}

function listOptions(specs: OptionSpecs): readonly CompletedOption[] {
  return Object.entries(specs).map(([name, spec]) => ({
    name,
    short: spec.short ?? null,
    help: spec.help,
    value: describeValue(spec),
    isRepeatable: spec.type === "list",
  }));
}

function describeValue(spec: OptionSpec): CompletedValue | null {
  if (spec.type === "flag") return null;
  if (spec.type === "choice") return { kind: "words", words: spec.choices };
  if (spec.value === "FILE") return { kind: "file" };
  return { kind: spec.value === "DIR" ? "folder" : "anything" };
}
