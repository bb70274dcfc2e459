import { BUILDER_CLASSES } from "../drill/pure/builder-class.ts";
import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  all: { type: "flag", help: "Every builder in every workplace, however long it takes" },
  class: { type: "choice", choices: BUILDER_CLASSES, value: "NAME", help: "Only the builders of this class" },
  case: { type: "list", value: "ID", help: "Only this builder, such as git/commit; may be repeated" },
  strict: { type: "flag", help: "Exit status 10 for what another setting would stop, too" },
} as const satisfies OptionSpecs;

export type DrillOptions = typeof options;

export const drillSpec = defineCommand({
  name: "drill",
  summary: SUMMARIES.drill,
  usage: ["[--all] [--class NAME] [--strict]", "--case ID... [--strict]"],
  description: [
    "Runs hostile, sloppy and unlucky builders against your configuration, each in a whole tick on a copy of this",
    "repository, in each workplace that this machine has, offline. Your agents and checks are not started, and your",
    "repository is only read; the copies are removed. A look of its own at every byte, mode and ref decides what",
    "got through. Without an option, as many builders as fit into a minute.",
    "Exit status 0: nothing escaped; 10: something got through that this configuration promises to stop.",
  ],
  options,
  examples: [
    { line: "relais drill", explains: "a fair sample, within a minute" },
    { line: "relais drill --all --strict", explains: "everything, for CI" },
    { line: "relais drill --class git", explains: "one class" },
    { line: "relais drill --case files/outside-the-scope", explains: "one builder" },
  ],
  load: async () => (await import("./drill-command.ts")).drill,
});
