import type { CommandSpec } from "./command.ts";

export const runSpec: CommandSpec = {
  name: "run",
  summary: "Run one tick: one task, built, judged, checked, and kept or put back",
  usage: ["--task FILE [--dry-run]"],
  description: [
    "The builder that relais.config.json names works on the task. Then relais looks at what changed, holds it",
    "against the rules, runs the checks itself, and keeps the change or puts the repository back byte for byte.",
    "What is put back is kept in salvage. Exit status 0: kept; 10: stopped; 11: could not start.",
  ],
  positionals: { max: 0, help: [] },
  options: {
    task: { type: "text", value: "FILE", help: "The task, as JSON" },
    "dry-run": {
      type: "flag",
      help: "Say whether the tick could start and by which rules, and change nothing",
    },
  },
  examples: [
    { line: "relais run --task task.json", explains: "one tick" },
    { line: "relais run --task task.json --dry-run", explains: "would it start, and what would it allow?" },
    { line: "relais run --task task.json --json", explains: "the report as JSON, for a script" },
  ],
  load: () => import("./run-command.ts"),
};
