/** The command lines that a document names, held against the definitions of the commands. */
import { parseArguments } from "../../src/cli/framework/arguments.ts";
import type { CommandSpec } from "../../src/cli/framework/command.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../../src/cli/commands.ts";

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
  const [name, ...rest] = words;
  if (name === undefined || name.text.startsWith("-")) return optionFault(words, GLOBAL_OPTIONS);
  const command = COMMANDS.find((candidate) => candidate.name === name.text);
  if (command === undefined) return name.text === "COMMAND" ? null : `there is no command ${name.text}`;
  const fault = optionFault(rest, { ...GLOBAL_OPTIONS, ...command.options });
  return fault === null ? positionalFault(rest, command) : `relais ${name.text}: ${fault}`;
}

function optionFault(words: readonly Word[], options: CommandSpec["options"]): string | null {
  const parsed = parseArguments(
    words.map(({ text }) => text),
    options,
  );
  return parsed.kind === "misused" ? parsed.message : null;
}

function positionalFault(words: readonly Word[], command: CommandSpec): string | null {
  const parsed = parseArguments(
    words.map(({ text }) => text),
    { ...GLOBAL_OPTIONS, ...command.options },
  );
  if (parsed.kind === "misused") return parsed.message;
  const { max } = command.positionals;
  if (parsed.positionals.length > max) return `relais ${command.name} takes ${max} arguments at most`;
  const [first] = parsed.positionals;
  const known = firstWords(command);
  const isFree = words.some(({ text, isFree: free }) => text === first && free);
  if (first === undefined || isFree || known.length === 0 || known.includes(first)) return null;
  return `relais ${command.name} knows no ${first}`;
}

/** What the first argument can be, where that is a list; its own name in capitals stands for any of them. */
function firstWords({ positionals, usage }: CommandSpec): readonly string[] {
  const [name = "", help = ""] = positionals.help[0] ?? [];
  const listed = name.startsWith("ACT") ? (help.match(/[a-z]+/g) ?? []) : [];
  const ways = usage.flatMap((line) => line.split(" | ")).map((way) => /^[a-z]+(?= |$)/.exec(way)?.[0] ?? "");
  const words = [...(positionals.choices ?? []), ...listed, ...ways].filter((word) => word !== "");
  return words.length === 0 ? [] : [...words, name];
}
