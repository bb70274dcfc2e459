/** The man page, made from the definitions of the commands. */
import { COMMANDS } from "../src/command-list.ts";
import { GLOBAL_OPTIONS } from "../src/terminal/global-options.ts";
import { listAllCommands, type NamedCommand } from "../src/terminal/find-command.ts";
import { type OptionSpecs, describeOption } from "../src/terminal/option-spec.ts";
import { writeUsage } from "../src/terminal/help-text.ts";
import { EXIT_STATUSES } from "./exit-statuses.ts";

/** relais.1, for `man`. It carries no date and no version, so that it changes only when a command does. */
export function manPage(): string {
  return [
    '.\\" Written by `npm run generate` from src/command-list.ts.',
    ".TH RELAIS 1",
    ".SH NAME",
    "relais \\- lets coding agents change a git repository in small, judged steps",
    ".SH SYNOPSIS",
    ".B relais",
    "[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]",
    ".SH DESCRIPTION",
    text("An agent proposes a change; relais looks at what changed, runs the checks itself, and keeps the change or"),
    text("puts the repository back as it was. Without a command it says where things stand."),
    ".SH OPTIONS OF EVERY COMMAND",
    ...optionLines(GLOBAL_OPTIONS),
    ".SH COMMANDS",
    ...listAllCommands(COMMANDS).flatMap(commandLines),
    ".SH EXIT STATUS",
    ...EXIT_STATUSES.flatMap(([status, meaning]) => [".TP", String(status), text(`${meaning}.`)]),
    ".SH ENVIRONMENT",
    ...tagged(
      "RELAIS_DEBUG=1",
      "Prints each process that relais starts on standard error, with its time and its status.",
    ),
    ".SH FILES",
    ...tagged("relais.config.json", "The configuration, at the root of the repository."),
    ...tagged("relais/", "The workspace: what people write for the agents, and what relais publishes."),
    ...tagged("$XDG_STATE_HOME/relais/", "The journal and everything that must survive a builder."),
    ".SH SEE ALSO",
    ".BR git (1)",
    "",
  ].join("\n");
}

function commandLines(named: NamedCommand) {
  const { summary, description, positionals, options, examples } = named.command;
  return [
    `.SS relais ${text(named.path)}`,
    text(`${summary}.`),
    ...writeUsage(named).flatMap((line) => [".br", `\\fB${text(line)}\\fR`]),
    ".PP",
    text(description.filter((line) => line !== "").join(" ")),
    ...positionals.help.flatMap(([word, help]) => tagged(word, help)),
    ...optionLines(options),
    ...(examples.length === 0 ? [] : [".PP", "Examples:"]),
    ...examples.flatMap(({ line, explains }) => tagged(line, explains)),
  ];
}

function optionLines(options: OptionSpecs): readonly string[] {
  return Object.entries(options).flatMap(([name, spec]) => tagged(describeOption(name, spec), spec.help));
}

function tagged(tag: string, meaning: string): readonly string[] {
  return [".TP", `\\fB${text(tag)}\\fR`, text(meaning)];
}

/** Text as roff takes it literally: a dash stays a dash that can be copied, and no line becomes a request. */
function text(words: string): string {
  const escaped = words
    .replaceAll("\\", String.raw`\e`)
    .replaceAll("-", String.raw`\-`)
    .replaceAll("`", String.raw`\(ga`)
    .replaceAll("'", String.raw`\(aq`)
    .replaceAll("^", String.raw`\(ha`)
    .replaceAll("~", String.raw`\(ti`);
  return escaped.startsWith(".") ? String.raw`\&${escaped}` : escaped;
}
