import { defineCommand } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const options = {
  watch: {
    type: "flag",
    help: "Show what a relais that works here is doing, until it is done or you press Ctrl-C",
  },
  role: {
    type: "choice",
    value: "ROLE",
    choices: ["runner", "orchestrator", "builder", "reviewer", "verifier"],
    help: "With --watch: wait for a relais to start, and print only what this role does, in lines",
  },
  preflight: { type: "flag", help: "Find out whether a tick could start now" },
} as const satisfies OptionSpecs;

export type StatusOptions = typeof options;

export const statusSpec = defineCommand({
  name: "status",
  summary: "Say where things stand and what to type next",
  usage: ["[--preflight]", "--watch [--role ROLE]"],
  description: [
    "Shows the last tick, a change that waits for a decision, an open question, a tick that was cut",
    "short, the budgets, and the next command. `relais` alone does the same. Nothing is written.",
    "Exit status 0; 11: there is no repository or no usable configuration; with --preflight the",
    "status of the code that would refuse a tick.",
  ],
  positionals: { max: 0, help: [] },
  options,
  examples: [
    { line: "relais", explains: "the same in short" },
    { line: "relais status --preflight", explains: "could a tick start, and if not, why?" },
    { line: "relais status --watch", explains: "look on from another terminal" },
    { line: "relais status --watch --role builder", explains: "only what the agent that builds does" },
    { line: "relais status --json", explains: "for a script" },
  ],
  load: async () => (await import("./status-command.ts")).run,
});
