import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  commit: { type: "flag", help: "Commit the files of relais, and nothing else" },
  full: { type: "flag", help: "Write the whole workspace too: prompts, schemas, GOAL.md, FACTS.md" },
} as const satisfies OptionSpecs;

export type InitOptions = typeof options;

export const initSpec = defineCommand({
  name: "init",
  summary: SUMMARIES.init,
  usage: ["[--commit] [--full]"],
  description: [
    "Writes relais.config.json at the root of the repository, with the agent, the checks and the scope found",
    "there. Never overwrites a file, so you can run it again. On a terminal it asks whether to commit.",
    "Prompts and schemas are those of the package; `relais eject` writes one of them, `--full` all of them.",
  ],
  options,
  examples: [
    { line: "relais init", explains: "write the configuration and look at it first" },
    { line: "relais init --commit", explains: "write and commit in one step" },
    { line: "relais init --full", explains: "write the workspace with its prompts and schemas" },
  ],
  load: async () => (await import("./init-command.ts")).runInit,
});
