import { defineCommand } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

export const acceptSpec = defineCommand({
  name: "accept",
  summary: SUMMARIES.accept,
  usage: ["", "RUN"],
  description: [
    "Commits exactly the judged paths of the last tick, with their judged content. Other edits and staged",
    "files stay out. On a protected branch it creates a branch. Refused if a path was edited or something",
    "was committed since.",
    "",
    "With RUN it accepts the change that a relais in another terminal holds for your decision. For the last",
    "tick that ended, it is the same as without RUN.",
    "Exit status 0: committed or accepted; 10: refused, nothing changed.",
  ],
  mustFinish: true,
  positionals: { max: 1, help: [["RUN", "The tick that waits: its id, or the beginning or end of it"]] },
  examples: [
    { line: "relais accept", explains: "commit it" },
    { line: "relais accept --json", explains: "commit and branch as JSON, for a script" },
  ],
  load: async () => (await import("./accept-command.ts")).runAccept,
});
