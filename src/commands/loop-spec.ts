import { CHOICE_OPTIONS, MORE_OPTIONS } from "../terminal/choice-options.ts";
import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  mode: {
    type: "choice",
    value: "MODE",
    choices: ["milestone", "autonomous"],
    help: "milestone: stop at the next milestone [default]; autonomous: go on",
  },
  "max-ticks": { type: "number", min: 1, value: "N", help: "At most N ticks of this command" },
  parallel: {
    type: "number",
    min: 1,
    max: 16,
    value: "N",
    help: "Work on up to N independent tasks at the same time [1]",
  },
  new: { type: "flag", help: "Start a new series instead of resuming one" },
  ...CHOICE_OPTIONS,
} as const satisfies OptionSpecs;

export type LoopOptions = typeof options;

export const loopSpec = defineCommand({
  name: "loop",
  summary: SUMMARIES.loop,
  usage: [`[--mode milestone|autonomous] [--max-ticks N] [--parallel N] [--new] ${MORE_OPTIONS}`],
  description: [
    "The orchestrator proposes one task after another. Each is built, judged and checked like a single tick and",
    "committed if it passes; on a protected branch the series gets its own branch. The loop ends when the",
    "orchestrator says so, at another milestone, at the first stop (loop.on_stop), on a question, at a budget",
    "limit, after --max-ticks, or on a signal. With --parallel, independent tasks are worked on side by side and land",
    "one after the other, each judged and checked again there. The next `relais loop` resumes an interrupted series; unfinished",
    "work is reverted first.",
    "Exit status 0: done; 10: stopped; 11: blocked; 12: budget; 13: rate limit; 14: a question.",
  ],
  options,
  examples: [
    { line: "relais loop", explains: "until the milestone is done" },
    { line: "relais loop --max-ticks 5", explains: "five ticks at most" },
    { line: "relais loop --parallel 3", explains: "up to three independent tasks at once" },
    { line: "relais loop --mode autonomous", explains: "one milestone after the other" },
    { line: "relais loop --json", explains: "one report per line, a summary last" },
  ],
  load: async () => (await import("./loop-command.ts")).runLoop,
});
