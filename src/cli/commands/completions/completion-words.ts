/** What every shell has to know about the commands, in the order in which they are listed. */
import type { OptionSpec } from "../../framework/arguments.ts";
import type { Vocabulary } from "../../framework/command.ts";

export interface CompletedOption {
  readonly name: string;
  readonly short: string | null;
  readonly help: string;
  /** What its value is; null where it takes none. */
  readonly value: CompletedValue | null;
  readonly isRepeatable: boolean;
}

type CompletedValue =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file" | "folder" | "anything" };

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** What the first argument can be. */
  readonly words: readonly string[];
  /** Those of every command included. */
  readonly options: readonly CompletedOption[];
}

/** What a shell offers: the options that stand before a command, and every command. */
export interface Completed {
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
}

export function completedWords({ commands, options }: Vocabulary): Completed {
  const globals = optionsOf(options);
  return {
    options: globals,
    commands: commands.map(({ name, summary, positionals, options: own }) => ({
      name,
      summary,
      words: positionals.choices ?? [],
      options: [...optionsOf(own), ...globals],
    })),
  };
}

function optionsOf(specs: Readonly<Record<string, OptionSpec>>): readonly CompletedOption[] {
  return Object.entries(specs).map(([name, spec]) => ({
    name,
    short: spec.short ?? null,
    help: spec.help,
    value: spec.type === "flag" ? null : valueOf(spec),
    isRepeatable: spec.type === "list",
  }));
}

function valueOf({ choices, value }: OptionSpec): CompletedValue {
  if (choices !== undefined) return { kind: "words", words: choices };
  if (value === "FILE") return { kind: "file" };
  return { kind: value === "DIR" ? "folder" : "anything" };
}
