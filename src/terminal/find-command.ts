/** From arguments to the command, or the sub-command, that they name. */
import { findNearestName } from "../base/nearest-name.ts";
import { findCommandPosition, type ParsedArguments, parseArguments } from "./arguments.ts";
import type { CommandSpec } from "./command.ts";
import type { OptionSpecs } from "./option-spec.ts";

/** A command with all the words that are typed for it: `campaign run`. */
export interface NamedCommand {
  readonly path: string;
  readonly command: CommandSpec;
}

/** Every command and sub-command, each below the one that it belongs to. */
export function listAllCommands(commands: readonly CommandSpec[]): readonly NamedCommand[] {
  return commands.flatMap((command) => [
    { path: command.name, command },
    ...command.subcommands.map((sub) => ({ path: `${command.name} ${sub.name}`, command: sub })),
  ]);
}

export type FoundCommand =
  | { readonly kind: "found"; readonly named: NamedCommand; readonly call: ParsedArguments }
  | { readonly kind: "misused"; readonly message: string; readonly named: NamedCommand | null };

/** Parses what was given to a command, whose name is the argument at this position. */
export function parseCommand(
  command: CommandSpec,
  { args, globals, at }: Typed & { readonly at: number },
): FoundCommand {
  const rest = args.filter((_, index) => index !== at);
  return command.subcommands.length === 0
    ? parseFor({ path: command.name, command }, { args: rest, globals })
    : findSubcommand(command, { args: rest, globals });
}

export function refuseUnknownCommand(name: string, names: readonly string[]): FoundCommand {
  const nearest = findNearestName(name, names);
  const hint = nearest === null ? "" : `; did you mean "${nearest}"?`;
  return { kind: "misused", message: `there is no command "${name}"${hint}`, named: null };
}

interface Typed {
  readonly args: readonly string[];
  readonly globals: OptionSpecs;
}

export function parseFor(named: NamedCommand, { args, globals }: Typed, parent?: CommandSpec): FoundCommand {
  const parsed = parseArguments(args, { ...globals, ...named.command.options }, (option) =>
    parent === undefined ? null : listOwners(option, parent),
  );
  if (parsed.kind === "misused") return { ...parsed, named };
  return { kind: "found", named, call: parsed };
}

function findSubcommand(parent: CommandSpec, { args, globals }: Typed): FoundCommand {
  const itself = { path: parent.name, command: parent };
  // An option of any of them may stand before its name.
  const all = [parent, ...parent.subcommands].flatMap(({ options }) => Object.entries(options));
  const specs = { ...globals, ...Object.fromEntries(all) };
  const at = findCommandPosition(args, specs);
  const word = at === null ? null : (args[at] ?? "");
  if (word === null && asksForHelp(args, specs)) return parseFor(itself, { args, globals: specs });
  const sub = parent.subcommands.find(({ name }) => name === (word ?? parent.defaultTo));
  if (sub !== undefined) {
    const named = { path: `${parent.name} ${sub.name}`, command: sub };
    const rest = word === null ? args : args.filter((_, index) => index !== at);
    return parseFor(named, { args: rest, globals }, parent);
  }
  if (parent.start !== null) return parseFor(itself, { args, globals }, parent);
  return { kind: "misused", message: describeSubcommandMistake(word, parent), named: itself };
}

/** Without the name of a sub-command, help is about all of them. */
function asksForHelp(args: readonly string[], specs: OptionSpecs): boolean {
  const parsed = parseArguments(args, specs);
  return parsed.kind === "parsed" && parsed.given.has("help");
}

function describeSubcommandMistake(word: string | null, { name, subcommands }: CommandSpec): string {
  const names = subcommands.map((sub) => sub.name);
  if (word === null) return `relais ${name} needs one of: ${names.join(", ")}`;
  const nearest = findNearestName(word, names);
  const hint = nearest === null ? `it is ${names.join(", ")}` : `did you mean "${nearest}"?`;
  return `there is no "${word}" here; ${hint}`;
}

/** The commands that have an option, as a person types them; null if none has. */
function listOwners(option: string, parent: CommandSpec): string | null {
  const owners = listAllCommands([parent]).filter(({ command }) => Object.hasOwn(command.options, option));
  return owners.length === 0 ? null : owners.map(({ path }) => `\`relais ${path}\``).join(" and ");
}
