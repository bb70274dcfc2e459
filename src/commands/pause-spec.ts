import { defineCommand } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

export const pauseSpec = defineCommand({
  name: "pause",
  summary: SUMMARIES.pause,
  description: [
    "Asks the relais that runs in this repository, in another terminal, to end after its current tick. That",
    "tick is settled as usual, nothing is interrupted, and the same command continues the series later. A wait",
    "for a rate limit ends at once. `relais resume` withdraws the request. A single tick ends by itself.",
    "Exit status 0: asked; 10: nothing runs here.",
  ],
  examples: [{ line: "relais pause", explains: "end after this tick" }],
  load: async () => (await import("./pause-command.ts")).runPause,
});
