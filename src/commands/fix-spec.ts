import { CHOICE_OPTIONS } from "../terminal/choice-options.ts";
import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  say: { type: "text", value: "TEXT", help: "What the agent is told besides what failed" },
  ...CHOICE_OPTIONS,
  commit: { type: "flag", help: "Commit the change if it is kept (git.commit)" },
  "dry-run": { type: "flag", help: "Show whether the tick could start, with its prompt, scope and caps" },
} as const satisfies OptionSpecs;

export type FixOptions = typeof options;

export const fixSpec = defineCommand({
  name: "fix",
  summary: SUMMARIES.fix,
  usage: ["[RUN] [--say TEXT] [--agent AGENT] [--model MODEL] [--allow GLOB]... [--new-files] [--commit] [--dry-run]"],
  description: [
    "Starts a new tick with the task of RUN, the last tick by default. The agent begins from the work that was",
    "not kept, and is told what failed: the check with its last lines, the findings, the reviewers' reasons.",
    "The result is judged and checked like any other, against HEAD. Work that touched git's data, files of",
    "relais, forbidden paths or secrets is never gone on with.",
    "Exit status 0: kept; 10: stopped; 11: could not start; 14: a question.",
  ],
  positionals: { max: 1, help: [["RUN", "a tick that was not kept: first or last letters of its id"]] },
  options,
  mustFinish: true,
  examples: [
    { line: "relais fix", explains: "another try at the last tick" },
    { line: 'relais fix 1a2b3c4d --say "keep the old name"', explains: "with a word to the agent" },
    { line: "relais fix --allow 'tools/**'", explains: "with more paths that may change" },
  ],
  load: async () => (await import("./fix-command.ts")).runFix,
});
