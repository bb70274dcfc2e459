/** What every shell has to know about the commands, in the order in which they are listed. */
import type { OptionSpec } from "./arguments.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "./commands.ts";

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

const GLOBALS = optionsOf(GLOBAL_OPTIONS);

/** The options that stand before a command. */
export function globalOptions(): readonly CompletedOption[] {
  return GLOBALS;
}

export function completedCommands(): readonly CompletedCommand[] {
  return COMMANDS.map(({ name, summary, positionals, options }) => ({
    name,
    summary,
    words: positionals.choices ?? [],
    options: [...optionsOf(options), ...GLOBALS],
  }));
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
