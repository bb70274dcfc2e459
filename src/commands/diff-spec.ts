import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  stat: { type: "flag", help: "Only the files, with their numbers of lines" },
  "no-pager": { type: "flag", help: "Print it without a pager" },
} as const satisfies OptionSpecs;

export type DiffOptions = typeof options;

export const diffSpec = defineCommand({
  name: "diff",
  summary: SUMMARIES.diff,
  usage: ["[RUN] [--stat] [--no-pager]"],
  description: [
    "Shows the recorded change of one tick, whatever became of it: kept, committed, undone, or reverted and saved",
    "in salvage. While a tick runs: its change so far. On a terminal with colours, control characters made",
    "visible, and through GIT_PAGER, PAGER or less; in a file or pipe a patch for git.",
    "Exit status 0: shown; 10: there is no change, or it was pruned.",
  ],
  options,
  positionals: {
    max: 1,
    help: [["RUN", "a tick: first or last letters of its id [the last one with a change]"]],
  },
  examples: [
    { line: "relais diff", explains: "the last change" },
    { line: "relais diff 1a2b3c4d --stat", explains: "the files of one tick" },
    { line: "relais diff | git apply -R", explains: "the change as a patch" },
    { line: "relais diff --json", explains: "files with numbers and the patch, for a script" },
  ],
  load: async () => (await import("./diff-command.ts")).runDiff,
});
