import { defineCommand } from "../../framework/command.ts";

export const acceptSpec = defineCommand({
  name: "accept",
  summary: "Commit exactly the judged paths of the last accepted tick",
  usage: [""],
  description: [
    "Commits what the last tick left in the working tree: the paths that were judged, as they were",
    "judged, and nothing else that lies or is staged there. On a protected branch a branch of its own",
    "is made for it. Refused where a path was edited or something was committed since.",
    "Exit status 0: committed; 10: refused, and nothing was changed.",
  ],
  positionals: { max: 0, help: [] },
  options: {},
  mustFinish: true,
  examples: [
    { line: "relais accept", explains: "commit it" },
    { line: "relais accept --json", explains: "commit and branch as JSON, for a script" },
  ],
  load: async () => (await import("./accept-command.ts")).run,
});
