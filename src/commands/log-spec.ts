import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  full: { type: "flag", help: "Show long texts and outputs whole" },
  grep: { type: "text", value: "TEXT", help: "Only entries and lines with this text" },
  follow: { type: "flag", short: "f", help: "Print new entries until the tick ends" },
  "no-pager": { type: "flag", help: "Print it without a pager" },
} as const satisfies OptionSpecs;

export type LogOptions = typeof options;

export const logSpec = defineCommand({
  name: "log",
  summary: SUMMARIES.log,
  usage: ["[RUN] [--full] [--grep TEXT] [--follow] [--no-pager]"],
  description: [
    "The transcript of every session, as a person reads it: what the agent said, the files it read and wrote,",
    "the commands it ran and how they ended; then the checks and the votes. Long outputs are folded. On a",
    "terminal through GIT_PAGER, PAGER or less. With --json one entry per line, whole.",
    "Exit status 0: shown; 10: there is no session, or it was pruned.",
  ],
  options,
  positionals: {
    max: 1,
    help: [["RUN", "a tick: first or last letters of its id [the newest with a session]"]],
  },
  examples: [
    { line: "relais log", explains: "the last tick" },
    { line: "relais log --follow", explains: "while it runs, from another terminal" },
    { line: "relais log 1a2b3c4d --full", explains: "everything of one tick" },
    { line: "relais log --grep 'npm test'", explains: "only entries with this text" },
  ],
  load: async () => (await import("./log-command.ts")).runLog,
});
