/** The reference of the command line, made from the definitions of the commands. */
import type { NamedCommand } from "../src/terminal/find-command.ts";
import { type OptionSpecs, describeOption } from "../src/terminal/option-spec.ts";
import { writeUsage } from "../src/terminal/help-text.ts";
import { COMMANDS } from "../src/command-list.ts";
import { GLOBAL_OPTIONS } from "../src/terminal/global-options.ts";
import { exitStatuses } from "./exit-statuses.ts";

/** docs/cli.md. */
export function cliReference(): string {
  return [
    "# The command line",
    "",
    "<!-- Written by `npm run generate` from src/command-list.ts. -->",
    "",
    "`relais COMMAND --help` prints the same. `relais` alone is `relais status`. `man relais` shows all of it at once where the",
    "package was installed with npm, and `relais completions` prints what a shell needs to complete it.",
    "",
    "| command | what it does |",
    "| --- | --- |",
    ...COMMANDS.map(({ name, summary }) => `| [\`relais ${name}\`](#relais-${name}) | ${cell(summary)} |`),
    "",
    "## Options of every command",
    "",
    ...optionTable(GLOBAL_OPTIONS),
    "With `--json` exactly one document is printed, also on failure; commands that run many ticks print one document a line,",
    "the last of which says how it ended, and `relais events` prints one event a line. Everything else goes to standard error.",
    "What each command prints is described by a JSON Schema, `schemas/cli/v1/<command>.schema.json` of the package. Within a",
    "version keys are added, but none is removed or changes its meaning.",
    "",
    "With `RELAIS_DEBUG=1` in the environment each process that relais starts is one line on standard error, once it has ended:",
    "its time, its exit status, its program and its arguments, without secrets and without the settings that every git gets.",
    "",
    "## Exit statuses",
    "",
    "| status | when |",
    "| --- | --- |",
    ...exitStatuses().map(([status, meaning]) => `| ${status} | ${cell(meaning)} |`),
    "",
    "[codes.md](codes.md) says what each code means and what to do about it.",
    "",
    ...COMMANDS.flatMap((command) => commandSection({ path: command.name, command })),
  ].join("\n");
}

function commandSection(named: NamedCommand): readonly string[] {
  const { path, command } = named;
  const { summary, description, positionals, options, examples, subcommands } = command;
  return [
    `${path.includes(" ") ? "###" : "##"} relais ${path}`,
    "",
    `${prose(summary)}.`,
    "",
    "```text",
    ...writeUsage(named),
    "```",
    "",
    ...paragraphs(description),
    ...(positionals.help.length === 0 ? [] : table(["argument", "meaning"], positionals.help)),
    ...(Object.keys(options).length === 0 ? [] : optionTable(options)),
    ...table(
      ["example", "what for"],
      examples.map(({ line, explains }) => [line, explains]),
    ),
    ...subcommands.flatMap((sub) => commandSection({ path: `${path} ${sub.name}`, command: sub })),
  ];
}

function paragraphs(lines: readonly string[]): readonly string[] {
  return lines
    .join("\n")
    .split("\n\n")
    .flatMap((paragraph) => [prose(paragraph), ""]);
}

function optionTable(options: OptionSpecs): readonly string[] {
  const rows = Object.entries(options).map(([name, spec]) => [describeOption(name, spec), spec.help] as const);
  return table(["option", "meaning"], rows);
}

function table(
  [left, right]: readonly [string, string],
  rows: readonly (readonly [string, string])[],
): readonly string[] {
  return [
    `| ${left} | ${right} |`,
    "| --- | --- |",
    ...rows.map(([word, meaning]) => `| \`${cell(word, "code")}\` | ${cell(meaning)} |`),
    "",
  ];
}

/** A cell of a table ends at the next bar, within code too. */
function cell(words: string, kind: "code" | "prose" = "prose"): string {
  return (kind === "code" ? words : prose(words)).replaceAll("|", String.raw`\|`);
}

/** What Markdown would take for HTML or emphasis is not: a name such as COMMAND_NAME or <objective> stays as it is. */
function prose(words: string): string {
  return words
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll(/[<*_]/g, String.raw`\$&`)))
    .join("");
}
