import type { CommandSpec } from "../../framework/command.ts";

export const treeSpec: CommandSpec = {
  name: "tree",
  summary: "Work on a goal as a tree: one open leaf after the other, each with a guard before it passes",
  usage: [
    "init",
    "show | validate [FILE] | select [--why]",
    "step [--new]",
    "run [--max-iterations N] [--new]",
  ],
  description: [
    "The goal stands in relais/tree.json as a tree of nodes. Each iteration takes the leftmost open leaf: the agent",
    "takes it apart, or does it. It passes only if something changed, the agent says that it is done, and the guard",
    "(tree.guard) is green. Every iteration is a commit on a branch of its own; failed ones cost an attempt.",
    "`run` ends when the root passes (0), a leaf is stuck (14) or a limit is reached; killed or interrupted, it goes",
    "on at the same iteration. `validate` ends with 10 where the tree is not valid.",
  ],
  positionals: {
    max: 2,
    choices: ["init", "show", "validate", "select", "step", "run"],
    help: [
      ["ACTION", "init, show, validate, select, step or run [show]"],
      ["FILE", "validate: another file than the tree of the workspace"],
    ],
  },
  options: {
    why: { type: "flag", help: "select: why this leaf, level by level" },
    "max-iterations": { type: "text", value: "N", help: "run: at most N iterations in this series" },
    new: { type: "flag", help: "step, run: begin a new series, even where one could go on" },
  },
  examples: [
    { line: "relais tree init", explains: "a tree with its root, and the documents beside it" },
    { line: "relais tree show", explains: "the tree with what passes, what failed and what is next" },
    { line: "relais tree select --why", explains: "the next leaf, and why it comes first" },
    { line: "relais tree step", explains: "one iteration" },
    { line: "relais tree run --max-iterations 20", explains: "until the root passes, at most 20 times" },
  ],
  load: () => import("./tree-command.ts"),
};
