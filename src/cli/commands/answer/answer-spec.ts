import { defineCommand } from "../../framework/command.ts";

export const answerSpec = defineCommand({
  name: "answer",
  summary: "Answer the open question of the last tick",
  usage: ["TEXT"],
  description: [
    "Records the answer for the orchestrator of the next tick. To pick a choice, type its number or its words.",
    "A second answer before the next tick replaces the first.",
    "Exit status 0: recorded; 10: refused: no open question, or no such choice.",
  ],
  positionals: { max: 1, help: [["TEXT", "the answer, or the number of a choice"]] },
  options: {},
  examples: [
    { line: "relais answer 2", explains: "the second choice" },
    { line: 'relais answer "Keep both, but deprecate the old one."', explains: "in your own words" },
    { line: "relais answer 2 --json", explains: "what was recorded as JSON, for a script" },
  ],
  load: async () => (await import("./answer-command.ts")).run,
});
