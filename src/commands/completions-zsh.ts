import { unreachable } from "../base/errors.ts";
import type { Completed, CompletedCommand, CompletedOption } from "./completions-command.ts";

/** The completions of zsh, as a function that can be put into its path or evaluated. */
export function makeZshCompletions({ commands, options: globals }: Completed): string {
  return [
    "#compdef relais",
    "# Completions of relais for zsh, printed by `relais completions zsh`.",
    "_relais() {",
    "  local context state state_descr line",
    "  typeset -A opt_args",
    "  _arguments -C \\",
    ...globals.map((option) => `    ${writeZshOption(option)} \\`),
    "    '1:command:->command' \\",
    "    '*::argument:->argument'",
    '  case "$state" in',
    "    command)",
    "      local -a commands=(",
    ...commands.map(({ name, summary }) => `        ${quoteText(`${name}:${summary}`)}`),
    "      )",
    "      _describe command commands ;;",
    "    argument)",
    '      case "${line[1]}" in',
    ...commands.flatMap(writeZshCase),
    "      esac ;;",
    "  esac",
    "}",
    'if [ "${funcstack[1]}" = "_relais" ]; then _relais "$@"; else compdef _relais relais; fi',
    "",
  ].join("\n");
}

function writeZshCase({ name, words, options, subcommands }: CompletedCommand): readonly string[] {
  const first = words.length === 0 ? [] : [quoteText(`1:argument:(${words.join(" ")})`)];
  const own = [...options.map(writeZshOption), ...first, "'*:argument:'"].join(" ");
  if (subcommands.length === 0) return [`        ${name}) _arguments ${own} ;;`];
  return [
    `        ${name}) case "\${words[(r)(${subcommands.map((sub) => sub.name).join("|")})]}" in`,
    ...subcommands.map(
      (sub) =>
        `          ${sub.name}) _arguments ${[...sub.options.map(writeZshOption), "'*:argument:'"].join(" ")} ;;`,
    ),
    `          *) _arguments ${own} ;;`,
    "        esac ;;",
  ];
}

function writeZshOption({ name, short, value, help, isRepeatable }: CompletedOption): string {
  const explained = `[${help.replaceAll(/[[\]:\\]/g, String.raw`\$&`)}]${writeZshValue(value)}`;
  if (short !== null) return `'(-${short} --${name})'{-${short},--${name}}${quoteText(explained)}`;
  return quoteText(`${isRepeatable ? "*" : ""}--${name}${explained}`);
}

function writeZshValue(value: CompletedOption["value"]): string {
  if (value === null) return "";
  switch (value.kind) {
    case "words":
      return `:value:(${value.words.join(" ")})`;
    case "file":
      return ":file:_files";
    case "folder":
      return ":folder:_files -/";
    case "anything":
      return ":value: ";
    default:
      return unreachable(value);
  }
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
