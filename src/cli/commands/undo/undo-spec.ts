import { defineCommand } from "../../framework/command.ts";

export const undoSpec = defineCommand({
  name: "undo",
  summary: "Take the last accepted tick back",
  usage: [""],
  description: [
    "Puts every path of the last accepted change back to what it was before. A change that is",
    "committed is taken back only while its commit is HEAD and the working tree is clean; its branch",
    "moves back too. Refused where a path was edited since, because the edit would be lost.",
    "Exit status 0: taken back; 10: refused, and nothing was changed.",
  ],
  positionals: { max: 0, help: [] },
  options: {},
  mustFinish: true,
  examples: [
    { line: "relais undo", explains: "take it back" },
    { line: "relais undo --json", explains: "the paths as JSON, for a script" },
  ],
  load: async () => (await import("./undo-command.ts")).run,
});
