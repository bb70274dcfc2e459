import { defineCommand } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const options = {
  base: { type: "text", value: "REV", help: "Compare with this commit [HEAD]" },
  staged: { type: "flag", help: "Judge what is staged instead of the working tree" },
  range: {
    type: "text",
    value: "A..B",
    help: "Judge what B changed since it parted from A, merges included",
  },
  task: { type: "text", value: "FILE", help: "Narrow the rules by a task" },
  allow: {
    type: "list",
    value: "GLOB",
    help: "Allow only these paths, in place of the configured ones (repeatable)",
  },
  forbid: { type: "list", value: "GLOB", help: "Forbid these paths as well (repeatable)" },
  "max-files": { type: "number", min: 0, value: "N", help: "At most N files may be touched" },
  "max-lines": { type: "number", min: 0, value: "N", help: "At most N lines may be added and deleted" },
  "no-new-files": { type: "flag", help: "No file may be created" },
} as const satisfies OptionSpecs;

export type JudgeOptions = typeof options;

export const judgeSpec = defineCommand({
  name: "judge",
  summary: "Judge a change without any agent: the working tree, what is staged, or a range",
  usage: ["[--base REV] [--staged] [--task FILE] [RULES]", "--range A..B [--task FILE] [RULES]"],
  description: [
    "Measures what changed, holds it against the rules and says which file breaks which rule.",
    "The rules are those of relais.config.json as the commit compared with has it, so a change cannot",
    "loosen its own rules; without one, everything is allowed but for what is protected by default.",
    "Nothing in the repository is written. Exit status 0: every gate passed; 10: stopped.",
  ],
  positionals: { max: 0, help: [] },
  options,
  examples: [
    { line: "relais judge", explains: "everything that is not committed yet" },
    { line: "relais judge --staged", explains: "what the next commit would hold" },
    { line: "relais judge --range origin/main..HEAD", explains: "a branch, in CI or before a push" },
    { line: "relais judge --allow 'src/**' --max-lines 400", explains: "with rules of the moment" },
    {
      line: "relais judge --task relais/TASK.json --json",
      explains: "as a task would be judged, for a script",
    },
  ],
  load: async () => (await import("./judge-command.ts")).run,
});
