/**
 * `relais submit`: one sub-command for each command that a job can run.
 *
 * Each has the options of that command, so that a mistake is found now and not by a worker at night.
 */
import type { JobCommand } from "../queue/pure/job.ts";
import { type CommandSpec, defineGroup } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";
import { campaignSpec } from "./campaign-spec.ts";
import { goalSpec } from "./goal-spec.ts";
import { loopSpec } from "./loop-spec.ts";
import { runSpec } from "./run-spec.ts";
import { treeSpec } from "./tree-spec.ts";

/** The options of every job. They come before those of the command itself. */
export const jobOptions = {
  repo: { type: "text", value: "PATH|URL", help: "Where to work [the repository here]" },
  base: { type: "text", value: "REF", help: "The branch or commit to start from [HEAD]" },
  priority: { type: "text", value: "N", help: "-9 to 9; a greater one goes first [0]" },
  at: { type: "text", value: "TIME", help: "Not before: 18:30, 2h, or 2026-12-24T08:00" },
  every: { type: "text", value: "CRON", help: "Again and again, by a cron line such as '0 3 * * *'" },
  after: { type: "list", value: "JOB", help: "Not before this job is done" },
  needs: { type: "list", value: "LABEL", help: "Only a worker with this label (relais worker --labels)" },
} as const satisfies OptionSpecs;

export type JobOptions = typeof jobOptions;

/** Nobody is there to be asked, the worker decides about the sandbox, and a job is always a new series that commits. */
const LEFT_OUT = ["ask", "sandbox", "commit", "dirty", "dry-run", "new", "debug"];
/** A task has its own. */
const NOT_OF_TASKS = ["file", "task", "patch", "intent", "fixes", "update-tests", "no-checks"];

function listOptions(options: OptionSpecs, leftOut: readonly string[]): OptionSpecs {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !leftOut.includes(name)));
}

interface JobPart extends Pick<CommandSpec, "summary" | "usage" | "positionals" | "examples"> {
  readonly name: JobCommand;
  readonly options: OptionSpecs;
}

function defineJob({ name, options, ...part }: JobPart): CommandSpec {
  return {
    name,
    description: [],
    ...part,
    options: { ...options, ...jobOptions },
    mustFinish: false,
    subcommands: [],
    defaultTo: null,
    start: async (call, session) =>
      (await import("./submit-command.ts")).submitCommand({ command: name, call, options }, session),
  };
}

function findRun(group: CommandSpec): OptionSpecs {
  return group.subcommands.find(({ name }) => name === "run")?.options ?? {};
}

const TERMS = "[--repo PATH|URL] [--base REF] [--at TIME] [OPTION]...";
/** A second word is refused with a hint at quotes. */
const ONE_TEXT = 2;

export const submitSpec = defineGroup({
  name: "submit",
  summary: SUMMARIES.submit,
  description: [
    "A job runs one command of relais on a repository at a commit, and leaves a branch. `relais worker` does it in a",
    "clone of its own: your working tree, index and branches are not touched, and uncommitted changes are not part of",
    "it. The options of the command are checked now. Of all jobs for one branch of a repository, one runs at a time.",
    "Exit status 0: submitted; 2, 10 or 11: refused, nothing was submitted.",
  ],
  subcommands: [
    defineJob({
      name: "run",
      summary: "One change, from a sentence",
      usage: [`"<what to change>" ${TERMS}`, `--patch FILE ${TERMS}`],
      positionals: { max: ONE_TEXT, help: [["SENTENCE", "what to change, in quotes; - reads standard input"]] },
      options: listOptions(runSpec.options, [...LEFT_OUT, "task"]),
      examples: [{ line: 'relais submit run "fix the typo in the greeting"', explains: "committed on a branch" }],
    }),
    defineJob({
      name: "task",
      summary: "One change, from a JSON task",
      usage: [`FILE ${TERMS}`],
      positionals: { max: 1, help: [["FILE", "the task"]] },
      options: listOptions(runSpec.options, [...LEFT_OUT, ...NOT_OF_TASKS]),
      examples: [{ line: "relais submit task task.json --priority 5", explains: "before the others" }],
    }),
    defineJob({
      name: "goal",
      summary: "A goal, turn by turn",
      usage: [`"<objective>" ${TERMS}`],
      positionals: { max: ONE_TEXT, help: [["OBJECTIVE", "the goal, in quotes"]] },
      options: listOptions(goalSpec.options, LEFT_OUT),
      examples: [
        { line: 'relais submit goal "Every public function has a test" --at 22:00', explains: "not before ten" },
      ],
    }),
    defineJob({
      name: "campaign",
      summary: "A campaign, from its contract or its name",
      usage: [`FILE|SLUG ${TERMS}`],
      positionals: {
        max: 1,
        help: [["FILE|SLUG", "a contract (campaign brainstorm --from), or a committed campaign"]],
      },
      options: listOptions(findRun(campaignSpec), [...LEFT_OUT, "mode"]),
      examples: [{ line: "relais submit campaign answers.json", explains: "all stories of the contract" }],
    }),
    defineJob({
      name: "tree",
      summary: "The tree of the repository",
      usage: [TERMS],
      positionals: { max: 0, help: [] },
      options: listOptions(findRun(treeSpec), LEFT_OUT),
      examples: [{ line: "relais submit tree --max-iterations 20", explains: "until the root passes" }],
    }),
    defineJob({
      name: "loop",
      summary: "Ticks that the orchestrator plans",
      usage: [TERMS],
      positionals: { max: 0, help: [] },
      options: listOptions(loopSpec.options, LEFT_OUT),
      examples: [{ line: "relais submit loop --max-ticks 5 --every '0 3 * * *'", explains: "each night" }],
    }),
  ],
});
