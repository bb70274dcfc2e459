import { unreachable } from "../../../contract/values/invariant.ts";
import type { Completed, CompletedOption } from "./completion-words.ts";

/** The completions of fish. */
export function fishCompletions({ commands, options: globals }: Completed): string {
  const ofAll = new Set(globals);
  return [
    "# Completions of relais for fish, printed by `relais completions fish`.",
    "complete -c relais -f",
    ...globals.map((option) => `complete -c relais ${optionWords(option)}`),
    ...commands.map(
      ({ name, summary }) => `complete -c relais -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap(({ name, words, options }) => {
      const within = `complete -c relais -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
      const unsaid = `not __fish_seen_subcommand_from ${words.join(" ")}`;
      const own = options.filter((option) => !ofAll.has(option));
      return [
        ...(words.length === 0 ? [] : [`${within} -n ${quoted(unsaid)} -a ${quoted(words.join(" "))}`]),
        ...own.map((option) => `${within} ${optionWords(option)}`),
      ];
    }),
    "",
  ].join("\n");
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
