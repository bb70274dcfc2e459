import type { Completed, CompletedCommand, CompletedOption } from "./completion-words.ts";

/** The completions of bash, which need nothing but bash 3.2, the one that macOS has. */
export function bashCompletions({ commands, options: globals }: Completed): string {
  return [
    "# Completions of relais for bash, printed by `relais completions bash`.",
    "_relais() {",
    "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word i=1 value=",
    "  COMPREPLY=()",
    "  while [ $i -lt $COMP_CWORD ]; do",
    "    word=${COMP_WORDS[i]}",
    '    case "$word" in',
    `      ${globalsWithValue(globals)}) i=$((i + 1)) ;;`,
    "      -*) ;;",
    "      *) command=$word; break ;;",
    "    esac",
    "    i=$((i + 1))",
    "  done",
    '  case "$command $previous" in',
    ...commands.flatMap(({ name, options }) => valueCases(name, options)),
    ...valueCases("", globals),
    "  esac",
    '  case "$value" in',
    String.raw`    file) local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null; return ;;`,
    String.raw`    folder) local IFS=$'\n'; COMPREPLY=($(compgen -d -- "$current")); compopt -o filenames 2>/dev/null; return ;;`,
    "    anything) return ;;",
    '    ?*) COMPREPLY=($(compgen -W "$value" -- "$current")); return ;;',
    "  esac",
    '  case "$command" in',
    `    "") COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), ...dashed(globals)].join(" ")}" -- "$current")) ;;`,
    ...commands.map(commandCase),
    "  esac",
    "}",
    "complete -F _relais relais",
    "",
  ].join("\n");
}

/** The value of a global option is no command. */
function globalsWithValue(globals: readonly CompletedOption[]): string {
  return globals
    .filter(({ value }) => value !== null)
    .map(({ name }) => `--${name}`)
    .join("|");
}

function valueCases(command: string, options: readonly CompletedOption[]): readonly string[] {
  return options.flatMap(({ name, value }) => {
    if (value === null) return [];
    const wanted = value.kind === "words" ? value.words.join(" ") : value.kind;
    return [`    "${command} --${name}") value="${wanted}" ;;`];
  });
}

function commandCase({ name, words, options }: CompletedCommand): string {
  const own = words.length === 0 ? "" : `[ $((COMP_CWORD - i)) -eq 1 ] && words="${words.join(" ")}"; `;
  const flags = dashed(options).join(" ");
  return `    ${name}) local words=; ${own}COMPREPLY=($(compgen -W "$words ${flags}" -- "$current")) ;;`;
}

function dashed(options: readonly CompletedOption[]): readonly string[] {
  return options.flatMap(({ name, short }) => [`--${name}`, ...(short === null ? [] : [`-${short}`])]);
}
