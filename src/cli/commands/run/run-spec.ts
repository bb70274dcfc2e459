import { defineCommand } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const options = {
  task: { type: "text", value: "FILE", help: "The task, as JSON, in place of one from the orchestrator" },
  patch: { type: "text", value: "FILE", help: "A diff in place of a task; - reads it from standard input" },
  allow: {
    type: "list",
    value: "GLOB",
    help: "Where the patch may change files (default: scope.default_allowed_globs)",
  },
  "new-files": { type: "flag", help: "The patch may create files" },
  check: {
    type: "list",
    value: "ID",
    help: "A check that must be green then (default: all that need no parameters)",
  },
  "no-checks": { type: "flag", help: "Run no check on the patch" },
  intent: { type: "text", value: "TEXT", help: "What the patch is for; it goes into the commit message" },
  "dry-run": {
    type: "flag",
    help: "Say whether the tick could start, by which rules or with which prompt, judge a patch, and change nothing",
  },
} as const satisfies OptionSpecs;

export type RunOptions = typeof options;

export const runSpec = defineCommand({
  name: "run",
  summary: "Run one tick: one task, built, judged, checked, and kept or put back",
  usage: [
    "[--task FILE] [--dry-run]",
    "--patch FILE [--allow GLOB]... [--new-files] [--check ID]... [--dry-run]",
  ],
  description: [
    "The orchestrator that relais.config.json names proposes one task; with --task it is yours. The builder works",
    "on it. Then relais looks at what changed, holds it",
    "against the rules, runs the checks itself, and keeps the change or puts the repository back byte for byte.",
    "What is put back is kept in salvage. Exit status 0: kept; 10: stopped; 11: could not start; 14: a question.",
    "",
    "With --patch nobody is called: git applies the diff to an index of relais' own, the result is judged, and only",
    "what every rule lets pass is written. A refused patch leaves nothing behind, not even for a moment.",
  ],
  positionals: { max: 0, help: [] },
  options,
  mustFinish: true,
  examples: [
    { line: "relais run", explains: "one tick, planned by the orchestrator" },
    { line: "relais run --dry-run", explains: "would it start, and how large is the prompt?" },
    { line: "relais run --task task.json", explains: "one tick with a task of your own" },
    { line: "relais run --task task.json --dry-run", explains: "would it start, and what would it allow?" },
    { line: "relais run --task task.json --json", explains: "the report as JSON, for a script" },
    {
      line: "relais run --patch ../fix.patch --allow 'src/**'",
      explains: "judge a diff, check it, keep it or not",
    },
    { line: "git diff main topic | relais run --patch - --dry-run", explains: "would it be let in?" },
  ],
  load: async () => (await import("./run-command.ts")).run,
});
