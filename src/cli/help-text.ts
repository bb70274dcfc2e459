import { type Canvas, pairs, paragraph, widthOf } from "../view/text/canvas.ts";
import { wrapText } from "../view/text/wrap-text.ts";
import type { OptionSpec } from "./framework/arguments.ts";
import type { CommandSpec } from "./framework/command.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "./commands.ts";

/** What `relais --help` says. */
export function overviewText(canvas: Canvas): string {
  return [
    ...paragraph("relais lets coding agents change a git repository in small, judged steps.", canvas),
    "",
    "Usage: relais COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...pairs(
      COMMANDS.map(({ name, summary }) => [name, summary]),
      canvas,
    ),
    "",
    "Options of every command:",
    ...optionLines(GLOBAL_OPTIONS, canvas),
    "",
    ...paragraph("`relais COMMAND --help` shows a command with examples.", canvas),
    "",
  ].join("\n");
}

/** What `relais COMMAND --help` says. */
export function commandText(command: CommandSpec, canvas: Canvas): string {
  const { summary, description, positionals, options, examples } = command;
  return [
    ...paragraph(`${summary}.`, canvas),
    "",
    ...usageLines(command, canvas),
    "",
    ...paragraph(description.join(" "), canvas),
    ...titled("Arguments:", pairs(positionals.help, canvas)),
    ...titled("Options:", optionLines(options, canvas)),
    ...titled("Options of every command:", optionLines(GLOBAL_OPTIONS, canvas)),
    ...titled(
      "Examples:",
      pairs(
        examples.map(({ line, explains }) => [line, explains]),
        canvas,
      ),
    ),
    "",
  ].join("\n");
}

const USAGE = "Usage: ";

/** One way to call it after the other; what does not fit stands further in. */
function usageLines({ name, usage }: CommandSpec, canvas: Canvas): readonly string[] {
  const room = widthOf(canvas) - USAGE.length - 4;
  const margin = " ".repeat(USAGE.length);
  return usage.flatMap((line, way) =>
    wrapText(`relais ${name} ${line}`.trimEnd(), room).map((text, index) => {
      if (index > 0) return `${margin}    ${text}`;
      return `${way === 0 ? USAGE : margin}${text}`;
    }),
  );
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}

function optionLines(options: Readonly<Record<string, OptionSpec>>, canvas: Canvas): readonly string[] {
  const rows = Object.entries(options).map(([name, { short, value, help }]) => {
    const long = `--${name}${value === undefined ? "" : ` ${value}`}`;
    return [short === undefined ? `    ${long}` : `-${short}, ${long}`, help] as const;
  });
  return pairs(rows, canvas);
}
