import { defineCommand } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

export const ejectSpec = defineCommand({
  name: "eject",
  summary: SUMMARIES.eject,
  usage: ["[NAME]"],
  description: [
    "relais uses the prompts and schemas of its package until the workspace has its own. Writes the one named",
    "NAME, or GOAL.md or FACTS.md; without NAME it lists all names. Never overwrites a file.",
  ],
  positionals: {
    max: 1,
    help: [["NAME", "a name of the list, such as builder.user.txt"]],
    choices: [
      "GOAL.md",
      "FACTS.md",
      "builder.system.txt",
      "builder.user.txt",
      "orchestrator.system.txt",
      "orchestrator.user.txt",
      "task.schema.json",
      "config.schema.json",
      ".gitignore",
    ],
  },
  examples: [
    { line: "relais eject", explains: "list the names" },
    { line: "relais eject GOAL.md", explains: "write relais/GOAL.md, for `relais loop`" },
    { line: "relais eject builder.user.txt", explains: "change the prompt of every builder" },
  ],
  load: async () => (await import("./eject-command.ts")).runEject,
});
