import type { CommandSpec } from "./command.ts";

export const runSpec: CommandSpec = {
  name: "run",
  summary: "Run one tick: one task, built, judged, checked, and kept or put back",
  usage: ["[--task FILE] [--dry-run]"],
  description: [
    "The orchestrator that relais.config.json names proposes one task; with --task it is yours. The builder works",
    "on it. Then relais looks at what changed, holds it",
    "against the rules, runs the checks itself, and keeps the change or puts the repository back byte for byte.",
    "What is put back is kept in salvage. Exit status 0: kept; 10: stopped; 11: could not start; 14: a question.",
  ],
  positionals: { max: 0, help: [] },
  options: {
    task: { type: "text", value: "FILE", help: "The task, as JSON, in place of one from the orchestrator" },
    "dry-run": {
      type: "flag",
      help: "Say whether the tick could start and by which rules or with which prompt, and change nothing",
    },
  },
  examples: [
    { line: "relais run", explains: "one tick, planned by the orchestrator" },
    { line: "relais run --dry-run", explains: "would it start, and how large is the prompt?" },
    { line: "relais run --task task.json", explains: "one tick with a task of your own" },
    { line: "relais run --task task.json --dry-run", explains: "would it start, and what would it allow?" },
    { line: "relais run --task task.json --json", explains: "the report as JSON, for a script" },
  ],
  load: () => import("./run-command.ts"),
};
