import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  base: { type: "text", value: "REV", help: "Compare with this commit [HEAD]" },
  staged: { type: "flag", help: "Judge the staged changes instead of the working tree" },
  range: {
    type: "text",
    value: "A..B",
    help: "Judge the changes of B since its merge base with A",
  },
  history: {
    type: "number",
    min: 1,
    max: 1_000_000,
    value: "N",
    help: "Judge each of the last N commits of the branch, and print how often each rule stops one",
  },
  task: { type: "text", value: "FILE", help: "Also apply the scope of a task" },
  allow: { type: "list", value: "GLOB", help: "Also allow these paths (repeatable)" },
  only: { type: "list", value: "GLOB", help: "Allow only these paths, instead of the usual ones (repeatable)" },
  forbid: { type: "list", value: "GLOB", help: "Also forbid these paths (repeatable)" },
  "max-files": { type: "number", min: 0, value: "N", help: "At most N changed files" },
  "max-lines": { type: "number", min: 0, value: "N", help: "At most N added and deleted lines" },
  "no-new-files": { type: "flag", help: "Allow no new files" },
  strict: { type: "flag", help: "Exit with 14 where a tick would hold the change; without it, that is a warning" },
  "require-proof": { type: "flag", help: "Each commit of the range must carry a proof of an allowed signer" },
  "allowed-signers": {
    type: "text",
    value: "FILE",
    help: "Who may sign, instead of journal.allowed_signers of the base",
  },
} as const satisfies OptionSpecs;

export type JudgeOptions = typeof options;

export const judgeSpec = defineCommand({
  name: "judge",
  summary: SUMMARIES.judge,
  usage: [
    "[--base REV] [--staged] [--task FILE] [--strict] [RULES]",
    "--range A..B [--task FILE] [--strict] [RULES]",
    "--range A..B --require-proof [--allowed-signers FILE]",
    "--history N [RULES]",
  ],
  description: [
    "Measures the change and names each file that breaks a rule. The rules come from relais.config.json of the",
    "base commit, so a change cannot loosen its own rules. Without that file, only the protected paths are",
    "forbidden. What would hold a change of a tick for a person is a warning here. Writes nothing into the",
    "repository. Exit status 0: all rules passed; 10: stopped; 14: only with --strict, a tick would hold it.",
    "--history judges past commits by today's rules, each against its first parent, so a merge is one change. It",
    "proposes settings where a rule stops more than 2 % of them, and changes nothing. Stopped, it goes on from there.",
  ],
  options,
  examples: [
    { line: "relais judge", explains: "all uncommitted changes" },
    { line: "relais judge --staged", explains: "the next commit" },
    { line: "relais judge --range origin/main..HEAD", explains: "a branch, in CI or before a push" },
    {
      line: "relais judge --range origin/main..HEAD --require-proof",
      explains: "and each commit was judged by relais",
    },
    { line: "relais judge --history 300", explains: "what the rules would have done to your own work" },
    { line: "relais judge --only 'src/**' --max-lines 400", explains: "with extra rules" },
    {
      line: "relais judge --task relais/TASK.json --json",
      explains: "by the rules of a task, for a script",
    },
  ],
  load: async () => (await import("./judge-command.ts")).runJudge,
});
