import { defineCommand } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

export const undoSpec = defineCommand({
  name: "undo",
  summary: SUMMARIES.undo,
  description: [
    "Restores every path of the last accepted change. A committed change is undone only while its commit is",
    "HEAD and the working tree is clean; the branch moves back too. Refused if a path was edited since.",
    "Exit status 0: undone; 10: refused, nothing changed.",
  ],
  mustFinish: true,
  examples: [
    { line: "relais undo", explains: "undo it" },
    { line: "relais undo --json", explains: "the paths as JSON, for a script" },
  ],
  load: async () => (await import("./undo-command.ts")).runUndo,
});
