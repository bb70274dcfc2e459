/** Every command of relais, as data. */
import { CODES, SERIES_ENDS } from "../contract/values/codes.ts";
import type { OptionSpec } from "./framework/arguments.ts";
import type { CommandSpec } from "./framework/command.ts";
import { acceptSpec } from "./commands/accept/accept-spec.ts";
import { answerSpec } from "./commands/answer/answer-spec.ts";
import { completionsSpec } from "./commands/completions/completions-spec.ts";
import { campaignSpec } from "./commands/campaign/campaign-spec.ts";
import { demoSpec } from "./commands/demo/demo-spec.ts";
import { doctorSpec } from "./commands/doctor/doctor-spec.ts";
import { eventsSpec } from "./commands/events/events-spec.ts";
import { goalSpec } from "./commands/goal/goal-spec.ts";
import { historySpec } from "./commands/history/history-spec.ts";
import { initSpec } from "./commands/init/init-spec.ts";
import { loopSpec } from "./commands/loop/loop-spec.ts";
import { recoverSpec } from "./commands/recover/recover-spec.ts";
import { runSpec } from "./commands/run/run-spec.ts";
import { salvageSpec } from "./commands/salvage/salvage-spec.ts";
import { statusSpec } from "./commands/status/status-spec.ts";
import { treeSpec } from "./commands/tree/tree-spec.ts";
import { undoSpec } from "./commands/undo/undo-spec.ts";

export const GLOBAL_OPTIONS = {
  json: { type: "flag", help: "Print one JSON document on standard output, also on failure" },
  cwd: { type: "text", value: "DIR", help: "Work as if started in DIR" },
  quiet: { type: "flag", short: "q", help: "Say only what went wrong" },
  verbose: { type: "flag", short: "v", help: "Leave nothing out of long lists" },
  plain: { type: "flag", help: "Tell what happens in lines with the time, and draw nothing" },
  color: {
    type: "text",
    value: "WHEN",
    choices: ["auto", "always", "never"],
    help: "auto, always or never; NO_COLOR is honoured",
  },
  help: { type: "flag", short: "h", help: "Show help" },
  version: { type: "flag", help: "Show the version" },
} as const satisfies Record<string, OptionSpec>;

const judge: CommandSpec = {
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
  options: {
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
    "max-files": { type: "text", value: "N", help: "At most N files may be touched" },
    "max-lines": { type: "text", value: "N", help: "At most N lines may be added and deleted" },
    "no-new-files": { type: "flag", help: "No file may be created" },
  },
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
  load: () => import("./commands/judge/judge-command.ts"),
};

const explain: CommandSpec = {
  name: "explain",
  summary: "Explain a code, or list all of them",
  usage: ["[CODE]"],
  description: ["Shows what a code or the end of a series means, its exit status and what to do about it."],
  positionals: {
    max: 1,
    help: [["CODE", "a code such as STOP_UNSAFE_PATH, or an end such as stuck"]],
    choices: [...Object.keys(CODES), ...Object.keys(SERIES_ENDS)],
  },
  options: {},
  examples: [
    { line: "relais explain STOP_DIFF_TOO_LARGE", explains: "one code" },
    { line: "relais explain", explains: "the whole table" },
  ],
  load: () => import("./commands/explain/explain-command.ts"),
};

export const COMMANDS: readonly CommandSpec[] = [
  initSpec,
  statusSpec,
  runSpec,
  loopSpec,
  treeSpec,
  goalSpec,
  campaignSpec,
  acceptSpec,
  undoSpec,
  answerSpec,
  recoverSpec,
  salvageSpec,
  historySpec,
  eventsSpec,
  judge,
  doctorSpec,
  demoSpec,
  explain,
  completionsSpec,
];
