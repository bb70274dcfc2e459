import { defineCommand } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

export const stopSpec = defineCommand({
  name: "stop",
  summary: SUMMARIES.stop,
  description: [
    "Ends the relais that runs in this repository, in another terminal, like Ctrl-C there, and waits until it",
    "is gone. The unfinished change is reverted and kept in salvage; the same command continues a series.",
    "Exit status 0: stopped; 10: nothing runs here, or it is still stopping.",
  ],
  examples: [
    { line: "relais stop", explains: "stop it" },
    { line: "relais salvage list", explains: "find its unfinished change" },
  ],
  load: async () => (await import("./stop-command.ts")).runStop,
});
