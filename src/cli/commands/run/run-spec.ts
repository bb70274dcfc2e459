import { defineCommand } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const options = {
  task: { type: "text", value: "FILE", help: "A JSON task, instead of one from the orchestrator" },
  patch: { type: "text", value: "FILE", help: "A diff instead of a task; - reads standard input" },
  allow: {
    type: "list",
    value: "GLOB",
    help: "Paths the patch may change [scope.default_allowed_globs]",
  },
  "new-files": { type: "flag", help: "The patch may create files" },
  check: {
    type: "list",
    value: "ID",
    help: "A check that must pass [all without parameters]",
  },
  "no-checks": { type: "flag", help: "Run no check on the patch" },
  intent: { type: "text", value: "TEXT", help: "Purpose of the patch, for the commit message" },
  "dry-run": {
    type: "flag",
    help: "Show whether the tick could start, with its rules or prompt; judge a patch; change nothing",
  },
} as const satisfies OptionSpecs;

export type RunOptions = typeof options;

export const runSpec = defineCommand({
  name: "run",
  summary: "Run one tick: build one task, judge it, check it, keep or revert it",
  usage: ["[--task FILE] [--dry-run]", "--patch FILE [--allow GLOB]... [--new-files] [--check ID]... [--dry-run]"],
  description: [
    "The orchestrator proposes one task; --task brings your own. The builder works on it. relais then measures",
    "what changed, applies the rules, runs the checks itself, and keeps the change or restores the repository",
    "byte for byte. Reverted work is kept in salvage.",
    "Exit status 0: kept; 10: stopped; 11: could not start; 14: a question.",
    "",
    "With --patch no agent is called: git applies the diff to a private index, relais judges the result and",
    "writes it only if it breaks no rule. A refused patch never touches the working tree.",
  ],
  options,
  mustFinish: true,
  examples: [
    { line: "relais run", explains: "one tick, planned by the orchestrator" },
    { line: "relais run --dry-run", explains: "would it start, and how large is the prompt?" },
    { line: "relais run --task task.json", explains: "one tick with your own task" },
    { line: "relais run --task task.json --dry-run", explains: "would it start, and what would it allow?" },
    { line: "relais run --task task.json --json", explains: "the report as JSON, for a script" },
    {
      line: "relais run --patch ../fix.patch --allow 'src/**'",
      explains: "judge a diff, check it, keep or refuse it",
    },
    { line: "git diff main topic | relais run --patch - --dry-run", explains: "would it pass?" },
  ],
  load: async () => (await import("./run-command.ts")).runRunCommand,
});
