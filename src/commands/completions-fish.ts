import { unreachable } from "../base/invariant.ts";
import type { Completed, CompletedCommand, CompletedOption } from "./completion-words.ts";

export function makeFishCompletions({ commands, options: globals }: Completed): string {
  return [
    "# Completions of relais for fish, printed by `relais completions fish`.",
    "complete -c relais -f",
    ...globals.map((option) => `complete -c relais ${writeOption(option)}`),
    ...commands.map(
      ({ name, summary }) => `complete -c relais -n __fish_use_subcommand -a ${name} -d ${quoteText(summary)}`,
    ),
    ...commands.flatMap((command) => writeCommandLines(command, globals)),
    "",
  ].join("\n");
}

function writeCommandLines(command: CompletedCommand, globals: readonly CompletedOption[]): readonly string[] {
  const { name, words, options, subcommands } = command;
  const within = `complete -c relais -n ${quoteText(`__fish_seen_subcommand_from ${name}`)}`;
  const unsaid = words.length === 0 ? "" : ` -n ${quoteText(`not __fish_seen_subcommand_from ${words.join(" ")}`)}`;
  const offered = subcommands.length === 0 && words.length > 0 ? [words.join(" ")] : [];
  return [
    ...offered.map((list) => `${within}${unsaid} -a ${quoteText(list)}`),
    ...subcommands.map((sub) => `${within}${unsaid} -a ${sub.name} -d ${quoteText(sub.summary)}`),
    ...dropGlobals(options, globals).map(
      (option) => `${within}${subcommands.length === 0 ? "" : unsaid} ${writeOption(option)}`,
    ),
    ...subcommands.flatMap((sub) =>
      dropGlobals(sub.options, globals).map(
        (option) => `${within} -n ${quoteText(`__fish_seen_subcommand_from ${sub.name}`)} ${writeOption(option)}`,
      ),
    ),
  ];
}

function dropGlobals(
  options: readonly CompletedOption[],
  globals: readonly CompletedOption[],
): readonly CompletedOption[] {
  return options.filter((option) => !globals.includes(option));
}

function writeOption({ name, short, value, help }: CompletedOption): string {
  const letter = short === null ? "" : `-s ${short} `;
  return `${letter}-l ${name} ${writeValue(value)}-d ${quoteText(help)}`;
}

function writeValue(value: CompletedOption["value"]): string {
  if (value === null) return "";
  switch (value.kind) {
    case "words":
      return `-x -a ${quoteText(value.words.join(" "))} `;
    case "file":
      return "-r -F ";
    case "folder":
      return "-x -a '(__fish_complete_directories)' ";
    case "anything":
      return "-x ";
    default:
      return unreachable(value);
  }
}

function quoteText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}
