import { CODES, SERIES_ENDS } from "../base/codes.ts";
import { defineCommand } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

export const explainSpec = defineCommand({
  name: "explain",
  summary: SUMMARIES.explain,
  usage: ["[CODE]"],
  description: ["Shows the meaning, the exit status and the remedy of a code or a series end."],
  positionals: {
    max: 1,
    help: [["CODE", "a code such as STOP_UNSAFE_PATH, or a series end such as stuck"]],
    choices: [...Object.keys(CODES), ...Object.keys(SERIES_ENDS)],
  },
  examples: [
    { line: "relais explain STOP_DIFF_TOO_LARGE", explains: "one code" },
    { line: "relais explain", explains: "the whole table" },
  ],
  load: async () => (await import("./explain-command.ts")).runExplain,
});
