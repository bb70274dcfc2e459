import type { CommandSpec } from "../../framework/command.ts";

export const campaignSpec: CommandSpec = {
  name: "campaign",
  summary: "Work through the stories of a contract, each built, checked and verified",
  usage: [
    "brainstorm [DESCRIPTION] [--draft] [--from FILE] [--yes]",
    "init SLUG [OBJECTIVE]",
    "run SLUG [--mode agent|tmux] [--max-iter N] [--worker-model M] [--verifier-model M] [--verify-mode MODE] [--debug]",
    "status [SLUG]",
    "logs SLUG [N]",
    "stop SLUG",
    "clean SLUG [--kill-session]",
  ],
  description: [
    "A worker builds the next story, the runner judges and commits it, runs the commands of the test spec itself, and asks",
    "a verifier who only looks. What does not pass becomes a numbered list of issues for the next worker. When every story",
    "has passed, everything is verified once more. The campaign ends with one of complete.md, blocked.md and timeout.md in",
    "its folder; `clean` removes it, and `run` goes on. `--mode tmux` runs it in the background and shows it in three panes;",
    "`stop` ends a run in order, wherever it runs, and the same command goes on with it.",
    "Exit status 0: complete; 10: the iterations are used up; 11: could not go on; 12: budget; 14: blocked.",
  ],
  positionals: {
    max: 3,
    help: [
      ["SLUG", "the name of the campaign: small letters, digits and -"],
      ["DESCRIPTION", "what it is about, in quotes"],
      ["N", "the number of an iteration [the last one]"],
    ],
    choices: ["brainstorm", "init", "run", "status", "logs", "stop", "clean"],
  },
  options: {
    draft: {
      type: "flag",
      help: "brainstorm: let the agent draft what is suggested, in one session that only reads",
    },
    from: {
      type: "text",
      value: "FILE",
      help: "brainstorm: take the answers from a JSON file, without asking",
    },
    yes: { type: "flag", help: "brainstorm: approve what is in FILE; without it nothing is written" },
    mode: {
      type: "text",
      value: "MODE",
      choices: ["agent", "tmux"],
      help: "run: agent, or tmux to watch it in panes [campaign.mode, agent]",
    },
    "max-iter": {
      type: "text",
      value: "N",
      help: "run: at most N iterations [campaign.max_iterations, 100]",
    },
    "worker-model": { type: "text", value: "M", help: "run: the model of workers, used as given" },
    "verifier-model": { type: "text", value: "M", help: "run: the model of verifiers, used as given" },
    "verify-mode": {
      type: "text",
      value: "MODE",
      choices: ["per-story", "batch"],
      help: "run: per-story, or batch at the end [per-story]",
    },
    debug: { type: "flag", help: "run: write logs/debug.log" },
    "kill-session": { type: "flag", help: "clean: also end the tmux sessions of this campaign" },
  },
  examples: [
    {
      line: 'relais campaign brainstorm "A calculator"',
      explains: "decide everything, then write the files",
    },
    {
      line: "relais campaign run calculator",
      explains: "until it is complete, blocked or out of iterations",
    },
    {
      line: "relais campaign run calculator --mode tmux",
      explains: "in the background, with panes to watch",
    },
    { line: "relais campaign status", explains: "every campaign here" },
    { line: "relais campaign logs calculator 2", explains: "what happened in iteration 2" },
    { line: "relais campaign stop calculator", explains: "end its leader in order; `run` goes on" },
    { line: "relais campaign clean calculator", explains: "after it was blocked, before it goes on" },
  ],
  load: () => import("./campaign-command.ts"),
};
