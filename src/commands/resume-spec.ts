import { defineCommand } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

export const resumeSpec = defineCommand({
  name: "resume",
  summary: SUMMARIES.resume,
  description: [
    "The running series goes on after its current tick, as if nobody had asked for a pause. A series that is",
    "paused already is continued by its own command; `relais status` shows it.",
    "Exit status 0: withdrawn; 10: no pause was asked for.",
  ],
  examples: [{ line: "relais resume", explains: "go on after this tick" }],
  load: async () => (await import("./resume-command.ts")).runResume,
});
