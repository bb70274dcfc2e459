import { type Canvas, renderPairs, renderParagraph, measureWidth } from "../base/canvas.ts";
import { wrapText } from "../base/wrap-text.ts";
import type { NamedCommand } from "./find-command.ts";
import { type OptionSpecs, describeOption } from "./option-spec.ts";
import { GLOBAL_OPTIONS } from "./global-options.ts";
import { SUMMARIES } from "./summaries.ts";

export function writeOverview(canvas: Canvas): string {
  return [
    ...renderParagraph("relais lets coding agents change a git repository in small, judged steps.", canvas),
    "",
    "Usage: relais COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...renderPairs(Object.entries(SUMMARIES), canvas),
    "",
    "Options of every command:",
    ...renderOptions(GLOBAL_OPTIONS, canvas),
    "",
    ...renderParagraph("`relais COMMAND --help` shows a command with examples.", canvas),
    "",
  ].join("\n");
}

export function writeCommandHelp(named: NamedCommand, canvas: Canvas): string {
  const { path, command } = named;
  const { summary, description, positionals, options, examples, subcommands } = command;
  const commands = subcommands.map(({ name, summary: what }) => [name, what] as const);
  return [
    ...renderParagraph(`${summary}.`, canvas),
    "",
    ...renderUsage(named, canvas),
    "",
    ...renderParagraph(description.join(" "), canvas),
    ...renderTitled("Commands:", renderPairs(commands, canvas)),
    ...renderTitled("Arguments:", renderPairs(positionals.help, canvas)),
    ...renderTitled("Options:", renderOptions(options, canvas)),
    ...renderTitled("Options of every command:", renderOptions(GLOBAL_OPTIONS, canvas)),
    ...renderTitled(
      "Examples:",
      renderPairs(
        examples.map(({ line, explains }) => [line, explains]),
        canvas,
      ),
    ),
    ...(commands.length === 0
      ? []
      : ["", ...renderParagraph(`\`relais ${path} COMMAND --help\` shows the options of a command.`, canvas)]),
    "",
  ].join("\n");
}

/** Every way to call a command, its sub-commands included. */
export function writeUsage({ path, command }: NamedCommand): readonly string[] {
  const own = command.usage.map((line) => `relais ${path} ${line}`.trimEnd());
  const below = command.subcommands.map((sub) => writeUsage({ path: `${path} ${sub.name}`, command: sub }));
  return [...own, ...below.flat()];
}

const USAGE = "Usage: ";

/** One way to call it after the other; what does not fit stands further in. */
function renderUsage(named: NamedCommand, canvas: Canvas): readonly string[] {
  const room = measureWidth(canvas) - USAGE.length - 4;
  const margin = " ".repeat(USAGE.length);
  return writeUsage(named).flatMap((line, way) =>
    wrapText(line, room).map((text, index) => {
      if (index > 0) return `${margin}    ${text}`;
      return `${way === 0 ? USAGE : margin}${text}`;
    }),
  );
}

function renderTitled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}

function renderOptions(options: OptionSpecs, canvas: Canvas): readonly string[] {
  const rows = Object.entries(options).map(([name, spec]) => {
    const words = describeOption(name, spec);
    return [spec.short === undefined ? `    ${words}` : words, spec.help] as const;
  });
  return renderPairs(rows, canvas);
}
