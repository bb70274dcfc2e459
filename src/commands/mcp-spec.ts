import { CHOICE_OPTIONS, CHOICE_USAGE } from "../terminal/choice-options.ts";
import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  "allow-accept": {
    type: "flag",
    help: "Offer accept too; without it, only you commit a kept change or accept a held one",
  },
  ...CHOICE_OPTIONS,
} as const satisfies OptionSpecs;

export type McpOptions = typeof options;

export const mcpSpec = defineCommand({
  name: "mcp",
  summary: SUMMARIES.mcp,
  usage: [`[--allow-accept] ${CHOICE_USAGE}`],
  description: [
    "Serves the tools run, status, diff and undo (with --allow-accept also accept) to an agent or an editor that",
    "speaks the Model Context Protocol on standard input and output; it starts this command itself. The tools work",
    "in this repository only, the one of the working directory or of --cwd. You set the rules of every run with the",
    "options here and in relais.config.json; a caller cannot change them.",
    "",
    "Each tool answers with the --json document of its command; run reports its progress. If a call is cancelled,",
    "or the client goes away, a running tick stops as at a signal: its change is reverted and kept in salvage.",
    "Exit status 0: the client closed the connection.",
  ],
  options,
  examples: [
    { line: "claude mcp add relais -- relais mcp", explains: "Claude Code works through relais in this project" },
    { line: "relais mcp --cwd ~/shop --only 'src/**'", explains: "one repository, and what may change" },
    { line: "relais mcp --allow-accept", explains: "the client may commit kept changes" },
  ],
  load: async () => (await import("./mcp-command.ts")).runMcp,
});
