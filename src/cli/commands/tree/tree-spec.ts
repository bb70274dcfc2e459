import { defineCommand, defineGroup } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const NEW = { type: "flag", help: "Begin a new series, even where one could go on" } as const;

const selectOptions = {
  why: { type: "flag", help: "Say why this leaf, level by level" },
} as const satisfies OptionSpecs;
const stepOptions = { new: NEW } as const satisfies OptionSpecs;
const runOptions = {
  "max-iterations": { type: "number", min: 1, value: "N", help: "At most N iterations in this series" },
  new: NEW,
} as const satisfies OptionSpecs;

export type TreeSelectOptions = typeof selectOptions;
export type TreeStepOptions = typeof stepOptions;
export type TreeRunOptions = typeof runOptions;

const NONE = { max: 0, help: [] } as const;

export const treeSpec = defineGroup({
  name: "tree",
  summary: "Work on a goal as a tree: one open leaf after the other, each with a guard before it passes",
  description: [
    "The goal stands in relais/tree.json as a tree of nodes. Each iteration takes the leftmost open leaf: the agent",
    "takes it apart, or does it. It passes only if something changed, the agent says that it is done, and the guard",
    "(tree.guard) is green. Every iteration is a commit on a branch of its own; failed ones cost an attempt.",
    "`relais tree` alone shows the tree.",
  ],
  defaultTo: "show",
  subcommands: [
    defineCommand({
      name: "show",
      summary: "Show the tree",
      usage: [""],
      description: ["Shows what passes, what failed and what is next."],
      positionals: NONE,
      options: {},
      examples: [{ line: "relais tree show --json", explains: "the whole tree, for a script" }],
      load: async () => (await import("./tree-command.ts")).show,
    }),
    defineCommand({
      name: "init",
      summary: "Make a tree and the documents beside it",
      usage: [""],
      description: ["Writes a tree with its root into the workspace. Nothing that exists is touched."],
      positionals: NONE,
      options: {},
      examples: [{ line: "relais tree init", explains: "once, before the first step" }],
      load: async () => (await import("./tree-command.ts")).init,
    }),
    defineCommand({
      name: "validate",
      summary: "Check that the tree can be worked on",
      usage: ["[FILE]"],
      description: ["Exit status 0: valid; 10: not valid, with every problem."],
      positionals: { max: 1, help: [["FILE", "another file than the tree of the workspace"]] },
      options: {},
      examples: [{ line: "relais tree validate draft.json", explains: "before it becomes the tree" }],
      load: async () => (await import("./tree-command.ts")).validate,
    }),
    defineCommand({
      name: "select",
      summary: "Show the next leaf",
      usage: ["[--why]"],
      description: ["Shows which leaf the next iteration takes. Nothing is started."],
      positionals: NONE,
      options: selectOptions,
      examples: [{ line: "relais tree select --why", explains: "the next leaf, and why it comes first" }],
      load: async () => (await import("./tree-command.ts")).select,
    }),
    defineCommand({
      name: "step",
      summary: "Run one iteration",
      usage: ["[--new]"],
      description: ["Works on the next leaf once, and commits what came of it."],
      positionals: NONE,
      options: stepOptions,
      examples: [{ line: "relais tree step", explains: "one iteration" }],
      load: async () => (await import("./tree-run.ts")).step,
    }),
    defineCommand({
      name: "run",
      summary: "Run iterations until the root passes",
      usage: ["[--max-iterations N] [--new]"],
      description: [
        "Ends when the root passes (0), a leaf is stuck (14) or a limit is reached. Killed or interrupted, it goes on at",
        "the same iteration with the next `relais tree run`.",
      ],
      positionals: NONE,
      options: runOptions,
      examples: [{ line: "relais tree run --max-iterations 20", explains: "at most 20 iterations" }],
      load: async () => (await import("./tree-run.ts")).run,
    }),
  ],
  examples: [
    { line: "relais tree init", explains: "a tree with its root, and the documents beside it" },
    { line: "relais tree show", explains: "the tree with what passes, what failed and what is next" },
    { line: "relais tree step", explains: "one iteration" },
    { line: "relais tree run --max-iterations 20", explains: "until the root passes, at most 20 times" },
  ],
});
