/** The page of the command line: what holds for every command, and one line for each. `--help` and the man page say the rest. */
import { COMMANDS } from "../src/command-list.ts";
import { listAllCommands } from "../src/terminal/find-command.ts";
import { GLOBAL_OPTIONS } from "../src/terminal/global-options.ts";
import { describeOption } from "../src/terminal/option-spec.ts";
import { EXIT_STATUSES } from "./exit-statuses.ts";
import { writeRows } from "./write-rows.ts";

/** docs/cli.md. */
export function cliReference(): string {
  return [
    "# The command line",
    "",
    "<!-- Written by `npm run generate` from src/command-list.ts. -->",
    "",
    "`relais COMMAND --help` shows all options of a command with examples. `man relais` shows every command, if npm installed the",
    "package. `relais completions` prints the completions for your shell. `relais` alone is `relais status`.",
    "",
    "## Exit statuses",
    "",
    writeRows(
      ["status", "when"],
      EXIT_STATUSES.map(([status, meaning]) => [String(status), cell(meaning)]),
    ),
    "",
    "[troubleshooting.md](troubleshooting.md) says what each code means and what to do about it.",
    "",
    "## Options of every command",
    "",
    writeRows(
      ["option", "meaning"],
      Object.entries(GLOBAL_OPTIONS).map(([name, spec]) => [code(describeOption(name, spec)), cell(spec.help)]),
    ),
    "",
    "With `--json` a command prints exactly one document, also when it fails. A command that runs many ticks prints one document",
    "a line; the last line says how it ended. `relais events` prints one event a line. Everything else goes to standard error.",
    "`schemas/cli/v1/<command>.schema.json` in the package describes each document. Within a version, keys are added; none is",
    "removed, and none changes its meaning.",
    "",
    "With `RELAIS_DEBUG=1` in the environment, relais prints each process that it started, on standard error: time, exit status,",
    "program and arguments, without secrets.",
    "",
    "## Commands",
    "",
    writeRows(
      ["command", "what it does"],
      listAllCommands(COMMANDS).map(({ path, command }) => [code(`relais ${path}`), cell(command.summary)]),
    ),
    "",
  ].join("\n");
}

/** A cell of a table ends at the next bar, within code too. */
const code = (words: string): string => `\`${words.replaceAll("|", String.raw`\|`)}\``;

/** What Markdown would take for HTML, emphasis or the end of a cell stays as it is. */
function cell(words: string): string {
  return words
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll(/[<*_]/g, String.raw`\$&`)))
    .join("")
    .replaceAll("|", String.raw`\|`);
}
