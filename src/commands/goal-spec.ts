import { SEVERAL_AGENTS, CHOICE_OPTIONS, MORE_OPTIONS } from "../terminal/choice-options.ts";
import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const MAX_TURNS = { type: "text", value: "N", help: "At most N turns [goal.max_turns, 10]" } as const;

const ATTEMPTS_MAX = 16;

const beginOptions = {
  criteria: { type: "text", value: "FILE", help: "Acceptance criteria; they never change afterwards" },
  "max-turns": MAX_TURNS,
  quorum: { type: "text", value: "N", help: "Reviewers that must agree [goal.review_quorum, 2]" },
  reviewers: { type: "text", value: "N", help: "Ask the first N of goal.reviewers [all, 3]" },
  "blocker-threshold": {
    type: "text",
    value: "N",
    help: "Stop after the same blocker in N turns in a row [goal.blocker_threshold]",
  },
  base: {
    type: "text",
    value: "REV",
    help: "Commit that reviewers compare with [origin/main, or the start of the goal]",
  },
  ...CHOICE_OPTIONS,
  agent: SEVERAL_AGENTS,
  attempts: {
    type: "number",
    min: 1,
    max: ATTEMPTS_MAX,
    value: "N",
    help: "Number of goals in parallel; the commits of the best one land here [1]",
  },
} as const satisfies OptionSpecs;
const resumeOptions = { "max-turns": MAX_TURNS, ...CHOICE_OPTIONS } as const satisfies OptionSpecs;
const handoffOptions = {
  squash: { type: "flag", help: "One commit instead of all checkpoints" },
  branch: { type: "text", value: "NAME", help: "The name of the branch" },
} as const satisfies OptionSpecs;

export type GoalOptions = typeof beginOptions;
export type GoalResumeOptions = typeof resumeOptions;
export type GoalHandoffOptions = typeof handoffOptions;

const GOAL = {
  max: 1,
  help: [["GOAL", "a goal: first or last letters of its id [the newest]"]],
} as const;

export const goalSpec = defineCommand({
  name: "goal",
  summary: SUMMARIES.goal,
  usage: [
    '"<objective>" [--criteria FILE] [--max-turns N] [--quorum N] [--reviewers N] [--blocker-threshold N] [--base REV] [--attempts N] ' +
      MORE_OPTIONS,
  ],
  description: [
    "In each turn a worker does a part of the work. relais judges and commits it, runs the checks, and asks",
    "reviewers, who change nothing. The goal is complete when enough reviewers confirm it with evidence and every",
    "check passes. It is blocked when they name the same blocker several turns in a row. It needs a person after",
    "the last turn, when a worker fails, or when no reviewer answers. `resume` continues an interrupted goal",
    "without repeating finished sessions.",
    "With --attempts several goals work side by side, each in a repository of its own. The commits of the best one",
    "are judged and checked here, and stay; the others are branches, and `relais land BRANCH` lands one of them.",
    "Exit status 0: complete; 11: could not go on; 12: budget; 13: rate limit; 14: needs a person, or blocked.",
  ],
  positionals: { max: 2, help: [["OBJECTIVE", "the goal, in quotes"]] },
  options: beginOptions,
  subcommands: [
    defineCommand({
      name: "status",
      summary: "Show the state of a goal",
      usage: ["[GOAL]"],
      description: ["Shows the turns, the reviewers' votes and the next command."],
      positionals: GOAL,
      examples: [{ line: "relais goal status", explains: "the newest goal" }],
      load: async () => (await import("./goal-command.ts")).showGoalStatus,
    }),
    defineCommand({
      name: "resume",
      summary: "Resume the newest goal",
      usage: [`[--max-turns N] ${MORE_OPTIONS}`],
      description: ["After an interruption or a decision. Exit status: as for the goal."],
      options: resumeOptions,
      examples: [{ line: "relais goal resume --max-turns 20", explains: "with more turns" }],
      load: async () => (await import("./goal-command.ts")).resume,
    }),
    defineCommand({
      name: "report",
      summary: "Print the report of a goal",
      usage: ["[GOAL]"],
      description: ["Markdown: turns, evidence, votes and open points."],
      positionals: GOAL,
      examples: [{ line: "relais goal report --json", explains: "for a script" }],
      load: async () => (await import("./goal-command.ts")).report,
    }),
    defineCommand({
      name: "handoff",
      summary: "Create a branch and a pull request text",
      usage: ["[GOAL] [--squash] [--branch NAME]"],
      description: ["Pushes nothing. Exit status 0: done; 10: refused, nothing changed."],
      positionals: GOAL,
      options: handoffOptions,
      examples: [{ line: "relais goal handoff --squash", explains: "one commit on a new branch" }],
      load: async () => (await import("./goal-handoff.ts")).handOff,
    }),
  ],
  examples: [
    { line: 'relais goal "Every public function has a test"', explains: "ten turns at most" },
    { line: 'relais goal "Port the parser" --criteria criteria.md --max-turns 4', explains: "with criteria" },
    { line: "relais goal resume", explains: "resume after an interruption or a decision" },
    { line: "relais goal report --json", explains: "the report, for a script" },
    { line: "relais goal handoff --squash", explains: "one commit on a new branch" },
  ],
  load: async () => (await import("./goal-command.ts")).begin,
});
