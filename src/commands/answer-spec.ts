import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  drop: { type: "flag", help: "Close the question without an answer" },
} as const satisfies OptionSpecs;
export type AnswerOptions = typeof options;

export const answerSpec = defineCommand({
  name: "answer",
  summary: SUMMARIES.answer,
  usage: ["TEXT", "--drop"],
  description: [
    "Records the answer for the orchestrator of the next tick. To pick a choice, type its number or its words.",
    "A second answer before the next tick replaces the first.",
    "Until a question is answered or dropped, no orchestrator is asked for a plan. A task of your own still runs.",
    "Exit status 0: recorded; 10: refused: no open question, or no such choice.",
  ],
  positionals: { max: 1, help: [["TEXT", "the answer, or the number of a choice"]] },
  options,
  examples: [
    { line: "relais answer 2", explains: "the second choice" },
    { line: 'relais answer "Keep both, but deprecate the old one."', explains: "in your own words" },
    { line: "relais answer --drop", explains: "close it without an answer" },
    { line: "relais answer 2 --json", explains: "what was recorded as JSON, for a script" },
  ],
  load: async () => (await import("./answer-command.ts")).runAnswer,
});
