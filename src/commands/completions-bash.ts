import type { Completed, CompletedCommand, CompletedOption } from "./completion-words.ts";

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
