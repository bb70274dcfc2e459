import { unreachable } from "../base/errors.ts";
import type { CommandSpec, RunCommand, Vocabulary } from "../terminal/command.ts";
import type { OptionSpec, OptionSpecs } from "../terminal/option-spec.ts";

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
    ...commands.map(({ name, summary }) => `        ${quoteForZsh(`${name}:${summary}`)}`),
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
  const first = words.length === 0 ? [] : [quoteForZsh(`1:argument:(${words.join(" ")})`)];
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
  if (short !== null) return `'(-${short} --${name})'{-${short},--${name}}${quoteForZsh(explained)}`;
  return quoteForZsh(`${isRepeatable ? "*" : ""}--${name}${explained}`);
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

function quoteForZsh(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What every shell has to know about the commands, in the order in which they are listed. */

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

/** The completions of bash, which need nothing but bash 3.2, the one that macOS has. */
export function makeBashCompletions({ commands, options: globals }: Completed): string {
  const all = commands.flatMap((command) => [
    { ...command, path: command.name },
    ...command.subcommands.map((sub) => ({ ...sub, path: `${command.name} ${sub.name}` })),
  ]);
  return [
    "# Completions of relais for bash, printed by `relais completions bash`.",
    "_relais() {",
    "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= path= word i=1 value=",
    "  COMPREPLY=()",
    "  while [ $i -lt $COMP_CWORD ]; do",
    "    word=${COMP_WORDS[i]}",
    '    case "$word" in',
    `      ${joinValueOptions([globals, ...all.map(({ options }) => options)])}) i=$((i + 1)) ;;`,
    "      -*) ;;",
    '      *) if [ -z "$command" ]; then command=$word path=$word; else path="$command $word"; break; fi ;;',
    "    esac",
    "    i=$((i + 1))",
    "  done",
    '  case "$path" in',
    `    ${all.map(({ path }) => `"${path}"`).join("|")}) ;;`,
    "    *) path=$command ;;",
    "  esac",
    '  case "$path $previous" in',
    ...all.flatMap(({ path, options }) => writeValueCases(path, options)),
    ...writeValueCases("", globals),
    "  esac",
    '  case "$value" in',
    String.raw`    file) local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null; return ;;`,
    String.raw`    folder) local IFS=$'\n'; COMPREPLY=($(compgen -d -- "$current")); compopt -o filenames 2>/dev/null; return ;;`,
    "    anything) return ;;",
    '    ?*) COMPREPLY=($(compgen -W "$value" -- "$current")); return ;;',
    "  esac",
    '  case "$path" in',
    `    "") COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), ...listFlags(globals)].join(" ")}" -- "$current")) ;;`,
    ...all.map(writeCommandCase),
    "  esac",
    "}",
    "complete -F _relais relais",
    "",
  ].join("\n");
}

/** The value of an option is no command. */
function joinValueOptions(lists: readonly (readonly CompletedOption[])[]): string {
  const names = lists.flatMap((options) => options.filter(({ value }) => value !== null));
  return [...new Set(names.map(({ name }) => `--${name}`))].join("|");
}

function writeValueCases(command: string, options: readonly CompletedOption[]): readonly string[] {
  return options.flatMap(({ name, value }) => {
    if (value === null) return [];
    const wanted = value.kind === "words" ? value.words.join(" ") : value.kind;
    return [`    "${command} --${name}") value="${wanted}" ;;`];
  });
}

/** Words stand right behind the name; what was typed there already has ended the loop above. */
function writeCommandCase({ path, words, options }: CompletedCommand & { readonly path: string }): string {
  const own = words.length === 0 ? "" : `[ $i -eq $COMP_CWORD ] && words="${words.join(" ")}"; `;
  const flags = listFlags(options).join(" ");
  return `    "${path}") local words=; ${own}COMPREPLY=($(compgen -W "$words ${flags}" -- "$current")) ;;`;
}

function listFlags(options: readonly CompletedOption[]): readonly string[] {
  return options.flatMap(({ name, short }) => [`--${name}`, ...(short === null ? [] : [`-${short}`])]);
}

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

export const bash = defineCompletions("bash", makeBashCompletions);
export const zsh = defineCompletions("zsh", makeZshCompletions);
export const fish = defineCompletions("fish", makeFishCompletions);

function defineCompletions(shell: string, render: (completed: Completed) => string): RunCommand {
  return async (_, { json, out, loadVocabulary }) => {
    const script = render(listCompletions(await loadVocabulary()));
    out(json ? `${JSON.stringify({ shell, script })}\n` : script);
    return { kind: "ended", status: 0 };
  };
}
