import { MORE_OPTIONS } from "../terminal/choice-options.ts";
import { defineCommand, defineGroup } from "../terminal/command.ts";
import { brainstormOptions, cleanOptions, logsOptions, runOptions } from "./campaign-options.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const SLUG = ["SLUG", "name of the campaign: lowercase letters, digits and -"] as const;
const ONE_SLUG = { max: 1, help: [SLUG] } as const;

export const campaignSpec = defineGroup({
  name: "campaign",
  summary: SUMMARIES.campaign,
  description: [
    "A worker builds the next story. relais judges and commits it, runs the commands of the test spec itself, and",
    "asks a verifier, who changes nothing. Failures become a numbered issue list for the next worker. When every",
    "story has passed, everything is verified once more. The campaign ends with complete.md, blocked.md or",
    "timeout.md in its folder; `clean` removes that file and `run` resumes.",
  ],
  subcommands: [
    defineCommand({
      name: "brainstorm",
      summary: "Agree on a contract, then write the files",
      usage: ["[DESCRIPTION] [--draft] [--from FILE] [--yes]"],
      description: [
        "Asks for the objective, the stories and their checks, shows the contract, and writes it after your approval.",
        "Exit status 0: written; 14: not approved.",
      ],
      // A second one is refused with a hint at quotes.
      positionals: { max: 2, help: [["DESCRIPTION", "what it is about, in quotes"]] },
      options: brainstormOptions,
      examples: [
        {
          line: 'relais campaign brainstorm "A calculator" --draft',
          explains: "with suggestions from the agent",
        },
        { line: "relais campaign brainstorm --from answers.json --yes", explains: "without a person" },
      ],
      load: async () => (await import("./campaign-command.ts")).brainstorm,
    }),
    defineCommand({
      name: "init",
      summary: "Write the campaign files for you to fill in",
      usage: ["SLUG [OBJECTIVE]"],
      description: ["Never overwrites a file."],
      positionals: { max: 2, help: [SLUG, ["OBJECTIVE", "what it is about, in quotes"]] },
      examples: [{ line: 'relais campaign init calculator "A calculator"', explains: "then edit prd.md" }],
      load: async () => (await import("./campaign-command.ts")).initCampaignCommand,
    }),
    defineCommand({
      name: "run",
      summary: "Work until complete, blocked or out of iterations",
      usage: [
        "SLUG [--mode agent|tmux] [--max-iter N] [--worker-model M] [--verifier-model M] [--verify-mode MODE] [--debug] " +
          MORE_OPTIONS,
      ],
      description: [
        "`--mode tmux` runs it in the background and shows it in three panes. The same command resumes an interrupted",
        "run. Exit status 0: complete; 10: out of iterations; 11: could not go on; 12: budget; 14: blocked.",
      ],
      positionals: ONE_SLUG,
      options: runOptions,
      examples: [
        { line: "relais campaign run calculator", explains: "until complete, blocked or out of iterations" },
        {
          line: "relais campaign run calculator --mode tmux",
          explains: "in the background, with tmux panes",
        },
      ],
      load: async () => (await import("./campaign-run.ts")).runCampaignCommand,
    }),
    defineCommand({
      name: "status",
      summary: "Show the state of a campaign, or list all campaigns",
      usage: ["[SLUG]"],
      description: ["Shows the stories, the last verdict and the running roles."],
      positionals: ONE_SLUG,
      examples: [
        { line: "relais campaign status", explains: "list all campaigns" },
        { line: "relais campaign status calculator", explains: "the state of one campaign" },
      ],
      load: async () => (await import("./campaign-run.ts")).showCampaignStatus,
    }),
    defineCommand({
      name: "logs",
      summary: "Show the logs of an iteration",
      usage: ["SLUG [N]", "SLUG --follow [--pane PANE]"],
      description: ["Without a number: the result of the last iteration. --follow watches the run instead."],
      positionals: { max: 2, help: [SLUG, ["N", "number of an iteration [the last]"]] },
      options: logsOptions,
      examples: [
        { line: "relais campaign logs calculator 2", explains: "iteration 2" },
        { line: "relais campaign logs calculator --follow --pane worker", explains: "watch the worker" },
      ],
      load: async () => (await import("./show-campaign-logs.ts")).logs,
    }),
    defineCommand({
      name: "stop",
      summary: "Stop a run cleanly, wherever it runs",
      usage: ["SLUG"],
      description: ["`relais campaign run` resumes it."],
      positionals: ONE_SLUG,
      examples: [{ line: "relais campaign stop calculator", explains: "stop it; `run` resumes" }],
      load: async () => (await import("./campaign-command.ts")).stop,
    }),
    defineCommand({
      name: "clean",
      summary: "Clear the end of a campaign, so that it can resume",
      usage: ["SLUG [--kill-session]"],
      description: ["Removes complete.md, blocked.md or timeout.md and the leftovers of the last iteration."],
      positionals: ONE_SLUG,
      options: cleanOptions,
      examples: [{ line: "relais campaign clean calculator", explains: "after `blocked`, before the next run" }],
      load: async () => (await import("./campaign-command.ts")).clean,
    }),
  ],
  examples: [
    {
      line: 'relais campaign brainstorm "A calculator"',
      explains: "agree on a contract, write the files",
    },
    {
      line: "relais campaign run calculator",
      explains: "until complete, blocked or out of iterations",
    },
    { line: "relais campaign status", explains: "list all campaigns" },
    { line: "relais campaign logs calculator 2", explains: "iteration 2" },
    { line: "relais campaign stop calculator", explains: "stop it; `run` resumes" },
    { line: "relais campaign clean calculator", explains: "after `blocked`, before the next run" },
  ],
});
