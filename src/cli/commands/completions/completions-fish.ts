import { unreachable } from "../../../contract/values/invariant.ts";
import type { Completed, CompletedCommand, CompletedOption } from "./completion-words.ts";

/** The completions of fish. */
export function makeFishCompletions({ commands, options: globals }: Completed): string {
  return [
    "# Completions of relais for fish, printed by `relais completions fish`.",
    "complete -c relais -f",
    ...globals.map((option) => `complete -c relais ${optionWords(option)}`),
    ...commands.map(
      ({ name, summary }) => `complete -c relais -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap((command) => commandLines(command, globals)),
    "",
  ].join("\n");
}

function commandLines(command: CompletedCommand, globals: readonly CompletedOption[]): readonly string[] {
  const { name, words, options, subcommands } = command;
  const within = `complete -c relais -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  const unsaid = words.length === 0 ? "" : ` -n ${quoted(`not __fish_seen_subcommand_from ${words.join(" ")}`)}`;
  const offered = subcommands.length === 0 && words.length > 0 ? [words.join(" ")] : [];
  return [
    ...offered.map((list) => `${within}${unsaid} -a ${quoted(list)}`),
    ...subcommands.map((sub) => `${within}${unsaid} -a ${sub.name} -d ${quoted(sub.summary)}`),
    ...own(options, globals).map(
      (option) => `${within}${subcommands.length === 0 ? "" : unsaid} ${optionWords(option)}`,
    ),
    ...subcommands.flatMap((sub) =>
      own(sub.options, globals).map(
        (option) => `${within} -n ${quoted(`__fish_seen_subcommand_from ${sub.name}`)} ${optionWords(option)}`,
      ),
    ),
  ];
}

function own(options: readonly CompletedOption[], globals: readonly CompletedOption[]): readonly CompletedOption[] {
  return options.filter((option) => !globals.includes(option));
}

function optionWords({ name, short, value, help }: CompletedOption): string {
  const letter = short === null ? "" : `-s ${short} `;
  return `${letter}-l ${name} ${valueWords(value)}-d ${quoted(help)}`;
}

function valueWords(value: CompletedOption["value"]): string {
  if (value === null) return "";
  switch (value.kind) {
    case "words":
      return `-x -a ${quoted(value.words.join(" "))} `;
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

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}
