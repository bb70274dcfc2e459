import { defineCommand } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const options = {
  mode: {
    type: "choice",
    value: "MODE",
    choices: ["milestone", "autonomous"],
    help: "milestone: end where another milestone begins [default]; autonomous: go on into it",
  },
  "max-ticks": { type: "number", min: 1, value: "N", help: "At most N ticks in this series" },
  new: { type: "flag", help: "Begin a new series, even where one could go on" },
} as const satisfies OptionSpecs;

export type LoopOptions = typeof options;

export const loopSpec = defineCommand({
  name: "loop",
  summary: "Run ticks one after the other, each kept one committed, until something says stop",
  usage: ["[--mode milestone|autonomous] [--max-ticks N] [--new]"],
  description: [
    "The orchestrator proposes one task after the other. Each is built, judged and checked like a single tick, and",
    "committed where it is green; on a protected branch the series gets a branch of its own. It ends when the",
    "orchestrator says so, at another milestone, at the first stop (loop.on_stop), on a question, at the warning mark",
    "or a cap of the budget, after --max-ticks, or on a signal. A series that was interrupted, killed or asked a",
    "question goes on with the next `relais loop`, whatever was cut short being put back first.",
    "Exit status 0: done; 10: stopped; 11: could not go on; 12: budget; 13: rate limit; 14: a question.",
  ],
  positionals: { max: 0, help: [] },
  options,
  examples: [
    { line: "relais loop", explains: "until the milestone is done" },
    { line: "relais loop --max-ticks 5", explains: "five ticks at most" },
    { line: "relais loop --mode autonomous", explains: "one milestone after the other" },
    { line: "relais loop --json", explains: "one report a line, and a summary as the last" },
  ],
  load: async () => (await import("./loop-command.ts")).run,
});
