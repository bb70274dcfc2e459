import type { CommandSpec } from "../../framework/command.ts";

export const goalSpec: CommandSpec = {
  name: "goal",
  summary: "Work toward a goal, turn by turn, until reviewers have proven it reached",
  usage: [
    '"<objective>" [--criteria FILE] [--max-turns N] [--quorum N] [--reviewers N] [--blocker-threshold N] [--base REV]',
    "status [GOAL]",
    "resume [--max-turns N]",
    "report [GOAL]",
    "handoff [GOAL] [--squash] [--branch NAME]",
  ],
  description: [
    "In each turn a worker does a part of the work, the runner judges and commits it, runs the checks, and asks",
    "reviewers who only look. The goal is reached when enough of them say so with evidence and no check is red. It is",
    "blocked when enough of them name the same blocker turn after turn, and goes to a person after the last turn, when",
    "a worker fails, or when no reviewer can be heard. What was cut short goes on with `resume`, and nothing that was",
    "finished is paid for again. `handoff` makes a branch and the text of a pull request; nothing is pushed.",
    "Exit status 0: reached; 11: could not go on; 12: budget; 13: rate limit; 14: needs a person, or blocked.",
  ],
  positionals: {
    max: 2,
    choices: ["status", "resume", "report", "handoff"],
    help: [
      ["OBJECTIVE", "what is to be reached, in quotes; or status, resume, report, handoff"],
      ["GOAL", "the beginning or the end of a goal's name [the newest]"],
    ],
  },
  options: {
    criteria: { type: "text", value: "FILE", help: "Acceptance criteria; they never change afterwards" },
    "max-turns": { type: "text", value: "N", help: "At most N turns [goal.max_turns, 10]" },
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
    squash: { type: "flag", help: "handoff: one commit instead of all checkpoints" },
    branch: { type: "text", value: "NAME", help: "handoff: the name of the branch" },
  },
  examples: [
    { line: 'relais goal "Every public function has a test"', explains: "ten turns at most" },
    { line: 'relais goal "Port the parser" --criteria criteria.md --max-turns 4', explains: "with criteria" },
    { line: "relais goal resume", explains: "go on after an interruption or a decision" },
    { line: "relais goal report --json", explains: "what came of it, for a script" },
    { line: "relais goal handoff --squash", explains: "one commit on a branch of its own" },
  ],
  load: () => import("./goal-command.ts"),
};
