import { defineCommand } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const options = {
  commit: { type: "flag", help: "Commit the files that relais wrote, and nothing else" },
} as const satisfies OptionSpecs;

export type InitOptions = typeof options;

export const initSpec = defineCommand({
  name: "init",
  summary: "Set relais up in a repository",
  usage: ["[--commit]"],
  description: [
    "Writes relais.config.json and the workspace folder at the root of the repository, with the checks and",
    "source folders found there. Asks nothing and never overwrites a file, so you can run it again.",
  ],
  options,
  examples: [
    { line: "relais init", explains: "write the files and look at them first" },
    { line: "relais init --commit", explains: "write and commit in one step" },
  ],
  load: async () => (await import("./init-command.ts")).runInit,
});
