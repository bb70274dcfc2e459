import { defineCommand, defineGroup } from "../../framework/command.ts";
import { brainstormOptions, cleanOptions, logsOptions, runOptions } from "./campaign-options.ts";

const SLUG = ["SLUG", "the name of the campaign: small letters, digits and -"] as const;
const ONE_SLUG = { max: 1, help: [SLUG] } as const;

export const campaignSpec = defineGroup({
  name: "campaign",
  summary: "Work through the stories of a contract, each built, checked and verified",
  description: [
    "A worker builds the next story, the runner judges and commits it, runs the commands of the test spec itself, and asks",
    "a verifier who only looks. What does not pass becomes a numbered list of issues for the next worker. When every story",
    "has passed, everything is verified once more. The campaign ends with one of complete.md, blocked.md and timeout.md in",
    "its folder; `clean` removes it, and `run` goes on.",
  ],
  subcommands: [
    defineCommand({
      name: "brainstorm",
      summary: "Decide everything with a person, then write the files",
      usage: ["[DESCRIPTION] [--draft] [--from FILE] [--yes]"],
      description: [
        "Asks for the objective, the stories and how they are checked, shows the contract, and writes it once it is",
        "approved. Exit status 0: written; 14: nobody has approved it.",
      ],
      // A second one is refused with a hint at quotes.
      positionals: { max: 2, help: [["DESCRIPTION", "what it is about, in quotes"]] },
      options: brainstormOptions,
      examples: [
        {
          line: 'relais campaign brainstorm "A calculator" --draft',
          explains: "with suggestions of the agent",
        },
        { line: "relais campaign brainstorm --from answers.json --yes", explains: "without a person" },
      ],
      load: async () => (await import("./campaign-command.ts")).brainstorm,
    }),
    defineCommand({
      name: "init",
      summary: "Write the files of a campaign, to be filled in by hand",
      usage: ["SLUG [OBJECTIVE]"],
      description: ["Nothing that exists is touched."],
      positionals: { max: 2, help: [SLUG, ["OBJECTIVE", "what it is about, in quotes"]] },
      options: {},
      examples: [{ line: 'relais campaign init calculator "A calculator"', explains: "then edit prd.md" }],
      load: async () => (await import("./campaign-command.ts")).init,
    }),
    defineCommand({
      name: "run",
      summary: "Work until it is complete, blocked or out of iterations",
      usage: [
        "SLUG [--mode agent|tmux] [--max-iter N] [--worker-model M] [--verifier-model M] [--verify-mode MODE] [--debug]",
      ],
      description: [
        "`--mode tmux` runs it in the background and shows it in three panes. What was cut short goes on with the same",
        "command. Exit status 0: complete; 10: the iterations are used up; 11: could not go on; 12: budget; 14: blocked.",
      ],
      positionals: ONE_SLUG,
      options: runOptions,
      examples: [
        { line: "relais campaign run calculator", explains: "here" },
        {
          line: "relais campaign run calculator --mode tmux",
          explains: "in the background, with panes to watch",
        },
      ],
      load: async () => (await import("./campaign-run.ts")).run,
    }),
    defineCommand({
      name: "status",
      summary: "Say where a campaign stands, or list all of them",
      usage: ["[SLUG]"],
      description: ["Shows the stories, the last verdict, and who is at work."],
      positionals: ONE_SLUG,
      options: {},
      examples: [
        { line: "relais campaign status", explains: "every campaign here" },
        { line: "relais campaign status calculator", explains: "where this one stands" },
      ],
      load: async () => (await import("./campaign-run.ts")).showStatus,
    }),
    defineCommand({
      name: "logs",
      summary: "Show what happened in an iteration",
      usage: ["SLUG [N]", "SLUG --follow [--pane PANE]"],
      description: ["Without a number: the result of the last iteration. --follow watches the run instead."],
      positionals: { max: 2, help: [SLUG, ["N", "number of an iteration [the last]"]] },
      options: logsOptions,
      examples: [
        { line: "relais campaign logs calculator 2", explains: "iteration 2" },
        { line: "relais campaign logs calculator --follow --pane worker", explains: "watch the worker" },
      ],
      load: async () => (await import("./campaign-logs.ts")).logs,
    }),
    defineCommand({
      name: "stop",
      summary: "End a run in order, wherever it runs",
      usage: ["SLUG"],
      description: ["`relais campaign run` goes on with it."],
      positionals: ONE_SLUG,
      options: {},
      examples: [{ line: "relais campaign stop calculator", explains: "end its leader in order" }],
      load: async () => (await import("./campaign-command.ts")).stop,
    }),
    defineCommand({
      name: "clean",
      summary: "Remove the end of a campaign, so that it can go on",
      usage: ["SLUG [--kill-session]"],
      description: ["Removes complete.md, blocked.md or timeout.md and what the last iteration left."],
      positionals: ONE_SLUG,
      options: cleanOptions,
      examples: [
        { line: "relais campaign clean calculator", explains: "after it was blocked, before it goes on" },
      ],
      load: async () => (await import("./campaign-command.ts")).clean,
    }),
  ],
  examples: [
    {
      line: 'relais campaign brainstorm "A calculator"',
      explains: "decide everything, then write the files",
    },
    {
      line: "relais campaign run calculator",
      explains: "until it is complete, blocked or out of iterations",
    },
    { line: "relais campaign status", explains: "every campaign here" },
    { line: "relais campaign logs calculator 2", explains: "what happened in iteration 2" },
    { line: "relais campaign stop calculator", explains: "end its leader in order; `run` goes on" },
    { line: "relais campaign clean calculator", explains: "after it was blocked, before it goes on" },
  ],
});
