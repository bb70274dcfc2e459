/** The command lines that a document names, held against the definitions of the commands. */
import { parseArguments } from "../../src/terminal/arguments.ts";
import { COMMANDS } from "../../src/command-list.ts";
import type { CommandSpec } from "../../src/terminal/command.ts";
import type { NamedCommand } from "../../src/terminal/find-command.ts";
import type { OptionSpec, OptionSpecs } from "../../src/terminal/option-spec.ts";
import { GLOBAL_OPTIONS } from "../../src/terminal/global-options.ts";
import { parseTyped } from "./typed-command.ts";

interface Word {
  readonly text: string;
  /** Whether it stood in quotes or angle brackets, so that it is anybody's text. */
  readonly isFree: boolean;
}

/** What is wrong with a line as somebody would type it; null where every `relais` in it could be typed like that. */
export function commandFault(line: string): string | null {
  for (const words of simpleCommands(line)) {
    const at = words.findIndex(({ text }) => !/^\w+=/.test(text));
    if (words[at]?.text !== "relais") continue;
    const fault = faultOf(words.slice(at + 1));
    if (fault !== null) return fault;
  }
  return null;
}

/** Splits a line into words, and these into commands, where a shell would; a comment ends it. */
function simpleCommands(line: string): readonly (readonly Word[])[] {
  const commands: Word[][] = [[]];
  const tokens =
    /\s*(?:(?<end>;|(?:&&|\|\||[|&])(?=\s|$))|(?<comment>#.*$)|(?<word>(?:"(?:\\.|[^"])*"|'[^']*'|<[^>]*>|[^\s"';])+))/gy;
  for (const { groups } of line.matchAll(tokens)) {
    if (groups?.["comment"] !== undefined) break;
    if (groups?.["end"] !== undefined) commands.push([]);
    const word = groups?.["word"];
    if (word === undefined) continue;
    commands.at(-1)?.push({ text: word.replaceAll(/["']/g, ""), isFree: /["'<…]|\$|\.\.\./.test(word) });
  }
  return commands.map((words) => withoutRedirections(words));
}

function withoutRedirections(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ text }) => /^\d*>{1,2}/.test(text));
  return at < 0 ? words : words.slice(0, at);
}

/** In a line of usage, brackets stand around what may be left out, and bars between what can be chosen from. */
function plain({ text, isFree }: Word): readonly Word[] {
  const bare = isFree ? text : text.replaceAll(/^\[+|\]+$/g, "");
  const [first = ""] = isFree || !bare.includes("|") ? [bare] : bare.split("|");
  return first === "" || first === "…" || first === "..." ? [] : [{ text: first, isFree }];
}

function faultOf(given: readonly Word[]): string | null {
  const words = given.flatMap(plain);
  const [name, second] = words;
  if (name === undefined || name.text.startsWith("-")) return mistakeIn(words, GLOBAL_OPTIONS);
  const command = COMMANDS.find((candidate) => candidate.name === name.text);
  if (command === undefined) return name.text === "COMMAND" ? null : `there is no command ${name.text}`;
  if (command.subcommands.length === 0) return callFault({ path: name.text, command }, words.slice(1));
  // A page may name a command for all that it has.
  return second === undefined ? null : subcommandFault(command, words);
}

function subcommandFault(command: CommandSpec, words: readonly Word[]): string | null {
  const [, second] = words;
  if (second === undefined || second.text === "COMMAND") return null;
  if (second.text.startsWith("-")) {
    const texts = words.map(({ text }) => text);
    const found = parseTyped(texts);
    return found?.kind === "misused" ? `relais ${command.name}: ${found.message}` : null;
  }
  const sub = command.subcommands.find((candidate) => candidate.name === second.text);
  if (sub !== undefined) return callFault({ path: `${command.name} ${sub.name}`, command: sub }, words.slice(2));
  if (!second.isFree) return `relais ${command.name} knows no ${second.text}`;
  return command.start === null ? null : callFault({ path: command.name, command }, words.slice(1));
}

function mistakeIn(words: readonly Word[], options: OptionSpecs): string | null {
  const texts = words.map(({ text }) => text);
  const parsed = parseArguments(texts, options);
  return parsed.kind === "misused" ? parsed.message : null;
}

/** On a page, what the help writes for a value stands for any value. */
function asDocumented(options: OptionSpecs): OptionSpecs {
  const entries = Object.entries(options).map(([name, spec]): readonly [string, OptionSpec] => {
    if (spec.type === "choice") return [name, { ...spec, choices: [...spec.choices, spec.value] }];
    return [name, spec.type === "number" ? { ...spec, type: "text" } : spec];
  });
  return Object.fromEntries(entries);
}

function callFault({ path, command }: NamedCommand, words: readonly Word[]): string | null {
  const texts = words.map(({ text }) => text);
  const parsed = parseArguments(texts, asDocumented({ ...GLOBAL_OPTIONS, ...command.options }));
  if (parsed.kind === "misused") return `relais ${path}: ${parsed.message}`;
  const { max, choices = [], help } = command.positionals;
  if (parsed.positionals.length > max) return `relais ${path} takes ${max} arguments at most`;
  const [first] = parsed.positionals;
  const isFree = words.some(({ text, isFree: free }) => text === first && free);
  const known = [...choices, help[0]?.[0] ?? ""];
  if (first === undefined || isFree || choices.length === 0 || known.includes(first)) return null;
  return `relais ${path} knows no ${first}`;
}
