import { defineCommand } from "../../framework/command.ts";

export const acceptSpec = defineCommand({
  name: "accept",
  summary: "Commit the change of the last accepted tick",
  description: [
    "Commits exactly the judged paths of the last tick, with their judged content. Other edits and staged",
    "files stay out. On a protected branch it creates a branch. Refused if a path was edited or something",
    "was committed since.",
    "Exit status 0: committed; 10: refused, nothing changed.",
  ],
  mustFinish: true,
  examples: [
    { line: "relais accept", explains: "commit it" },
    { line: "relais accept --json", explains: "commit and branch as JSON, for a script" },
  ],
  load: async () => (await import("./accept-command.ts")).runAccept,
});
