import type { CommandSpec } from "../../framework/command.ts";

export const initSpec: CommandSpec = {
  name: "init",
  summary: "Set relais up in a repository",
  usage: ["[--commit]"],
  description: [
    "Writes relais.config.json and the workspace folder at the root of the repository, with the",
    "checks and source folders that it finds there. It works from any folder inside, asks nothing,",
    "and leaves every file alone that exists, so it can be run again.",
  ],
  positionals: { max: 0, help: [] },
  options: {
    commit: { type: "flag", help: "Commit what relais wrote here, now or earlier, and nothing else" },
  },
  examples: [
    { line: "relais init", explains: "write the files and look at them first" },
    { line: "relais init --commit", explains: "write and commit in one step" },
  ],
  load: () => import("./init-command.ts"),
};
