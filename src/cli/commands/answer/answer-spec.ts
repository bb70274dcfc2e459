import { defineCommand } from "../../framework/command.ts";

export const answerSpec = defineCommand({
  name: "answer",
  summary: "Answer the question that the last tick stopped on",
  usage: ["TEXT"],
  description: [
    "Records the answer; the orchestrator of the next tick is told. A number, or the words of a choice,",
    "stand for that choice. Until the next tick was planned, a second answer replaces the first.",
    "Exit status 0: recorded; 10: refused, because no question is open or there is no such choice.",
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
