import { CHOICE_OPTIONS, MORE_OPTIONS } from "../terminal/choice-options.ts";
import { defineCommand, defineGroup } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const NEW = { type: "flag", help: "Start a new series instead of resuming one" } as const;

const selectOptions = {
  why: { type: "flag", help: "Explain the choice, level by level" },
} as const satisfies OptionSpecs;
const stepOptions = { new: NEW, ...CHOICE_OPTIONS } as const satisfies OptionSpecs;
const runOptions = {
  "max-iterations": { type: "number", min: 1, value: "N", help: "At most N iterations in this series" },
  new: NEW,
  ...CHOICE_OPTIONS,
} as const satisfies OptionSpecs;

export type TreeSelectOptions = typeof selectOptions;
export type TreeStepOptions = typeof stepOptions;
export type TreeRunOptions = typeof runOptions;

export const treeSpec = defineGroup({
  name: "tree",
  summary: SUMMARIES.tree,
  description: [
    "The tree is in relais/tree.json. Each iteration takes the leftmost open leaf: the agent splits it or does",
    "it. A leaf passes only if something changed, the agent says it is done, and the guard (tree.guard) passes.",
    "Every iteration is a commit on a separate branch; a failed one costs an attempt.",
    "`relais tree` alone shows the tree.",
  ],
  defaultTo: "show",
  subcommands: [
    defineCommand({
      name: "show",
      summary: "Show the tree",
      description: ["Shows passed, failed and next nodes."],
      examples: [{ line: "relais tree show --json", explains: "the whole tree, for a script" }],
      load: async () => (await import("./tree-command.ts")).showTree,
    }),
    defineCommand({
      name: "init",
      summary: "Create a tree and its documents",
      description: ["Writes a tree with one root node into the workspace. Never overwrites a file."],
      examples: [{ line: "relais tree init", explains: "once, before the first step" }],
      load: async () => (await import("./tree-command.ts")).initTreeCommand,
    }),
    defineCommand({
      name: "validate",
      summary: "Check the tree file",
      usage: ["[FILE]"],
      description: ["Exit status 0: valid; 10: not valid; lists every problem."],
      positionals: { max: 1, help: [["FILE", "a tree file [the tree of the workspace]"]] },
      examples: [{ line: "relais tree validate draft.json", explains: "before it becomes the tree" }],
      load: async () => (await import("./tree-command.ts")).validate,
    }),
    defineCommand({
      name: "select",
      summary: "Show the next leaf",
      usage: ["[--why]"],
      description: ["Shows the leaf of the next iteration. Starts nothing."],
      options: selectOptions,
      examples: [{ line: "relais tree select --why", explains: "the next leaf, and why it comes first" }],
      load: async () => (await import("./tree-command.ts")).select,
    }),
    defineCommand({
      name: "step",
      summary: "Run one iteration",
      usage: [`[--new] ${MORE_OPTIONS}`],
      description: ["Works on the next leaf once and commits the result."],
      options: stepOptions,
      examples: [{ line: "relais tree step", explains: "one iteration" }],
      load: async () => (await import("./tree-run.ts")).step,
    }),
    defineCommand({
      name: "run",
      summary: "Run iterations until the root passes",
      usage: [`[--max-iterations N] [--new] ${MORE_OPTIONS}`],
      description: [
        "Ends when the root passes (0), a leaf is stuck (14) or a limit is reached. After an interruption, the next",
        "`relais tree run` resumes the same iteration.",
      ],
      options: runOptions,
      examples: [{ line: "relais tree run --max-iterations 20", explains: "at most 20 iterations" }],
      load: async () => (await import("./tree-run.ts")).runTreeCommand,
    }),
  ],
  examples: [
    { line: "relais tree init", explains: "create the tree and its documents" },
    { line: "relais tree show", explains: "passed, failed and next nodes" },
    { line: "relais tree step", explains: "one iteration" },
    { line: "relais tree run --max-iterations 20", explains: "until the root passes, at most 20 times" },
  ],
});
