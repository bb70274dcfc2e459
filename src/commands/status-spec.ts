import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  watch: {
    type: "flag",
    help: "Watch progress until the run ends or you press Ctrl-C",
  },
  role: {
    type: "choice",
    value: "ROLE",
    choices: ["runner", "orchestrator", "builder", "reviewer", "verifier"],
    help: "With --watch: wait for a run, then print the lines of this role only",
  },
  preflight: { type: "flag", help: "Check whether a tick could start now" },
} as const satisfies OptionSpecs;

export type StatusOptions = typeof options;

export const statusSpec = defineCommand({
  name: "status",
  summary: SUMMARIES.status,
  usage: ["[--preflight]", "--watch [--role ROLE]"],
  description: [
    "Shows the last tick, an uncommitted change, an open question, an interrupted tick, the budgets and the",
    "next command. `relais` alone does the same. Writes nothing.",
    "Exit status 0; 11: no repository or no usable configuration; with --preflight: the status of the code",
    "that would block a tick.",
  ],
  options,
  examples: [
    { line: "relais", explains: "the same, shorter to type" },
    { line: "relais status --preflight", explains: "could a tick start, and if not, why?" },
    { line: "relais status --watch", explains: "watch progress from another terminal" },
    { line: "relais status --watch --role builder", explains: "only the builder's lines" },
    { line: "relais status --json", explains: "for a script" },
  ],
  load: async () => (await import("./status-command.ts")).runStatus,
});
