import { SEVERAL_AGENTS, CHOICE_OPTIONS, CHOICE_USAGE, UPDATE_TESTS } from "../terminal/choice-options.ts";
import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const ATTEMPTS_MAX = 16;
const REPAIRS_MAX = 10;

const options = {
  file: { type: "text", value: "FILE", help: "The sentence is in this file" },
  task: { type: "text", value: "FILE", help: "A JSON task, instead of a sentence" },
  patch: { type: "text", value: "FILE", help: "A diff instead of a task; - reads standard input" },
  ...CHOICE_OPTIONS,
  agent: SEVERAL_AGENTS,
  attempts: {
    type: "number",
    min: 1,
    max: ATTEMPTS_MAX,
    value: "N",
    help: "Number of sessions in parallel; the best change is kept [1]",
  },
  "no-checks": { type: "flag", help: "Run no check" },
  dirty: { type: "flag", help: "Begin with what is not committed; only the change itself is ever committed" },
  commit: { type: "flag", help: "Commit the change if it is kept (git.commit)" },
  "update-tests": UPDATE_TESTS,
  intent: { type: "text", value: "TEXT", help: "Purpose of the patch, for the commit message" },
  repairs: {
    type: "number",
    min: 0,
    max: REPAIRS_MAX,
    value: "N",
    help: "So often the agent tries again after a red check [repairs, 2]",
  },
  "dry-run": {
    type: "flag",
    help: "Show whether the tick could start, with its prompt, scope and caps; judge a patch; change nothing",
  },
} as const satisfies OptionSpecs;

export type RunOptions = typeof options;

export const runSpec = defineCommand({
  name: "run",
  summary: SUMMARIES.run,
  usage: [
    `"<what to change>" ${CHOICE_USAGE} [--dirty] [--no-checks] [--commit] [--update-tests GLOB]... [--attempts N] [--repairs N] [--dry-run]`,
    "[--file FILE | --task FILE] [--attempts N] [--dry-run]",
    "--patch FILE [--allow GLOB]... [--new-files] [--check ID]... [--dry-run]",
  ],
  description: [
    "Say in one sentence what to change. It works in any repository with a commit: without relais.config.json,",
    "relais uses the agent, the checks and the scope that it finds. The agent works on it. relais then measures",
    "what changed, applies the rules, runs the checks itself, and keeps the change or restores the repository",
    "byte for byte. Reverted work is kept in salvage. Without a sentence, --file, --task or --patch, the",
    "orchestrator proposes the task from GOAL.md.",
    "Exit status 0: kept; 10: stopped; 11: could not start; 14: a question.",
    "",
    "After a red check of a sentence, the agent goes on from its own work and is told what failed, at most --repairs",
    "times. Each time is a tick of its own; with --json the document of the last one names the others in `repairs`.",
    "",
    "With --attempts several sessions work side by side, each in a copy of the working tree. The best change is",
    "kept: it passed everything, then more reviewers approve, then it is smaller. It is judged and checked again",
    "here, and the others wait in salvage; `relais land RUN` lands one of them.",
    "",
    "With --patch no agent is called: git applies the diff to a private index, relais judges the result and",
    "writes it only if it breaks no rule. A refused patch never touches the working tree.",
  ],
  // A second one is refused with a hint at quotes.
  positionals: { max: 2, help: [["SENTENCE", "what to change, in quotes; - reads standard input"]] },
  options,
  mustFinish: true,
  examples: [
    { line: 'relais run "fix the typo in the greeting"', explains: "one change, judged and checked" },
    { line: 'relais run "add a test for the parser" --dry-run', explains: "the prompt, the scope and the caps" },
    { line: "relais run --file change.md --agent codex", explains: "a longer text, with Codex" },
    {
      line: 'relais run "make the parser faster" --attempts 3 --agent claude,codex',
      explains: "three side by side, the best is kept",
    },
    { line: "relais run", explains: "one tick, planned by the orchestrator" },
    { line: "relais run --task task.json", explains: "one tick with your own task" },
    { line: "relais run --task task.json --dry-run", explains: "would it start, and what would it allow?" },
    { line: "relais run --task task.json --json", explains: "the report as JSON, for a script" },
    {
      line: 'relais run "fix the failing test" --fixes test',
      explains: "work on a check that fails already",
    },
    {
      line: "relais run --patch ../fix.patch --allow 'src/**'",
      explains: "judge a diff, check it, keep or refuse it",
    },
    { line: "git diff main topic | relais run --patch - --dry-run", explains: "would it pass?" },
  ],
  load: async () => (await import("./run-command.ts")).runRunCommand,
});
