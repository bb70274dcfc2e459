import type { OptionSpec } from "./arguments.ts";
import type { CommandSpec } from "./command.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "./commands.ts";

/** What `relais --help` says. */
export function overviewText(): string {
  return [
    "relais lets coding agents change a git repository in small, judged steps.",
    "",
    "Usage: relais COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...columns(COMMANDS.map(({ name, summary }) => [name, summary])),
    "",
    "Options of every command:",
    ...optionLines(GLOBAL_OPTIONS),
    "",
    "`relais COMMAND --help` shows a command with examples.",
    "",
  ].join("\n");
}

/** What `relais COMMAND --help` says. */
export function commandText(command: CommandSpec): string {
  const { name, summary, usage, description, positionals, options, examples } = command;
  return [
    `${summary}.`,
    "",
    ...usage.map((line, index) => `${index === 0 ? "Usage:" : "      "} relais ${name} ${line}`.trimEnd()),
    "",
    ...description,
    ...titled("Arguments:", columns(positionals.help)),
    ...titled("Options:", optionLines(options)),
    ...titled("Options of every command:", optionLines(GLOBAL_OPTIONS)),
    ...titled("Examples:", columns(examples.map(({ line, explains }) => [line, explains]))),
    "",
  ].join("\n");
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}

function optionLines(options: Readonly<Record<string, OptionSpec>>): readonly string[] {
  return columns(
    Object.entries(options).map(([name, { short, value, help }]) => {
      const long = `--${name}${value === undefined ? "" : ` ${value}`}`;
      return [short === undefined ? `    ${long}` : `-${short}, ${long}`, help];
    }),
  );
}

function columns(
  rows: readonly (readonly [string, string])[] | readonly (readonly string[])[],
): readonly string[] {
  const width = Math.max(0, ...rows.map(([left = ""]) => left.length));
  return rows.map(([left = "", right = ""]) => `  ${left.padEnd(width)}  ${right}`);
}
