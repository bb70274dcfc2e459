import { defineCommand } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const MAX_TURNS = { type: "text", value: "N", help: "At most N turns [goal.max_turns, 10]" } as const;

const beginOptions = {
  criteria: { type: "text", value: "FILE", help: "Acceptance criteria; they never change afterwards" },
  "max-turns": MAX_TURNS,
  quorum: { type: "text", value: "N", help: "So many reviewers have to agree [goal.review_quorum, 2]" },
  reviewers: { type: "text", value: "N", help: "Ask the first N of goal.reviewers [all, 3]" },
  "blocker-threshold": {
    type: "text",
    value: "N",
    help: "Blocked after the same blocker in N turns in a row [goal.blocker_threshold]",
  },
  base: {
    type: "text",
    value: "REV",
    help: "What reviewers compare with [origin/main, or where the goal begins]",
  },
} as const satisfies OptionSpecs;
const resumeOptions = { "max-turns": MAX_TURNS } as const satisfies OptionSpecs;
const handoffOptions = {
  squash: { type: "flag", help: "One commit instead of all checkpoints" },
  branch: { type: "text", value: "NAME", help: "The name of the branch" },
} as const satisfies OptionSpecs;

export type GoalOptions = typeof beginOptions;
export type GoalResumeOptions = typeof resumeOptions;
export type GoalHandoffOptions = typeof handoffOptions;

const GOAL = {
  max: 1,
  help: [["GOAL", "the beginning or the end of a goal's name [the newest]"]],
} as const;

export const goalSpec = defineCommand({
  name: "goal",
  summary: "Work toward a goal, turn by turn, until reviewers have proven it reached",
  usage: [
    '"<objective>" [--criteria FILE] [--max-turns N] [--quorum N] [--reviewers N] [--blocker-threshold N] [--base REV]',
  ],
  description: [
    "In each turn a worker does a part of the work, the runner judges and commits it, runs the checks, and asks",
    "reviewers who only look. The goal is reached when enough of them say so with evidence and no check is red. It is",
    "blocked when enough of them name the same blocker turn after turn, and goes to a person after the last turn, when",
    "a worker fails, or when no reviewer can be heard. What was cut short goes on with `resume`, and nothing that was",
    "finished is paid for again.",
    "Exit status 0: reached; 11: could not go on; 12: budget; 13: rate limit; 14: needs a person, or blocked.",
  ],
  positionals: { max: 2, help: [["OBJECTIVE", "what is to be reached, in quotes"]] },
  options: beginOptions,
  subcommands: [
    defineCommand({
      name: "status",
      summary: "Say where a goal stands",
      usage: ["[GOAL]"],
      description: ["Shows the turns, the votes of the reviewers, and what to type next."],
      positionals: GOAL,
      options: {},
      examples: [{ line: "relais goal status", explains: "the newest goal" }],
      load: async () => (await import("./goal-command.ts")).showStatus,
    }),
    defineCommand({
      name: "resume",
      summary: "Go on with the newest goal",
      usage: ["[--max-turns N]"],
      description: [
        "After an interruption, or once a person has decided. The exit status is that of the goal.",
      ],
      positionals: { max: 0, help: [] },
      options: resumeOptions,
      examples: [{ line: "relais goal resume --max-turns 20", explains: "with more turns than before" }],
      load: async () => (await import("./goal-command.ts")).resume,
    }),
    defineCommand({
      name: "report",
      summary: "Print what came of a goal",
      usage: ["[GOAL]"],
      description: ["The report as Markdown: turns, evidence, votes and what remains."],
      positionals: GOAL,
      options: {},
      examples: [{ line: "relais goal report --json", explains: "for a script" }],
      load: async () => (await import("./goal-command.ts")).report,
    }),
    defineCommand({
      name: "handoff",
      summary: "Make a branch and the text of a pull request",
      usage: ["[GOAL] [--squash] [--branch NAME]"],
      description: ["Nothing is pushed. Exit status 0: done; 10: refused, and nothing was made."],
      positionals: GOAL,
      options: handoffOptions,
      examples: [{ line: "relais goal handoff --squash", explains: "one commit on a branch of its own" }],
      load: async () => (await import("./goal-handoff.ts")).handOff,
    }),
  ],
  examples: [
    { line: 'relais goal "Every public function has a test"', explains: "ten turns at most" },
    { line: 'relais goal "Port the parser" --criteria criteria.md --max-turns 4', explains: "with criteria" },
    { line: "relais goal resume", explains: "go on after an interruption or a decision" },
    { line: "relais goal report --json", explains: "what came of it, for a script" },
    { line: "relais goal handoff --squash", explains: "one commit on a branch of its own" },
  ],
  load: async () => (await import("./goal-command.ts")).begin,
});
