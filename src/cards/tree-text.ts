/** A tree for people. Everything in it may have been written by an agent, so it is neutralised. */
import type { MadeFile } from "../records/setup-answers.ts";
import type { Tree, TreeNode } from "../records/tree.ts";
import type { TreeProblem } from "../workflows/pure/read-tree.ts";
import {
  compareSiblings,
  listTreeNodes,
  type Selection,
  type SelectionStep,
  type SiblingReason,
} from "../workflows/pure/tree-nodes.ts";
import { shorten } from "../base/words.ts";
import type { Canvas } from "../base/canvas.ts";
import { neutralise } from "../base/style.ts";

const TITLE_CHARS = 100;

/** The tree with the state of every node, its attempts, and the leaf that is next. */
export function renderTree(tree: Tree, selection: Selection | null, { style }: Canvas): string {
  const lines: string[] = [];
  const visit = (node: TreeNode, lead: string, branch: string): void => {
    const isNext = node.id === selection?.leaf.id;
    const mark = node.passes ? style("good", "✓") : isNext ? style("strong", "▸") : style("faint", "○");
    const next = isNext ? style("strong", "  ← next") : "";
    lines.push(`${lead}${branch}${mark} ${describeNode(node)}${describeAttempts(node, style)}${next}`);
    const children = node.children.toSorted(compareSiblings);
    const below = branch === "" ? lead : `${lead}${branch === "└─ " ? "   " : "│  "}`;
    for (const [index, child] of children.entries()) visit(child, below, index === children.length - 1 ? "└─ " : "├─ ");
  };
  visit(tree.root, "", "");
  const nodes = listTreeNodes(tree);
  const done = nodes.filter(({ node }) => node.passes).length;
  const what = selection === null ? "The root passes." : `Next: ${selection.leaf.id}.`;
  return `${lines.join("\n")}\n\n${done} of ${nodes.length} nodes pass. ${what}\n`;
}

function describeNode({ id, title }: TreeNode): string {
  return `${id}  ${neutralise(shorten(title, TITLE_CHARS))}`;
}

function describeAttempts({ passes, attempts, max_attempts }: TreeNode, style: Canvas["style"]): string {
  if (attempts === 0 || passes) return "";
  const text = `  ${attempts} of ${max_attempts} attempts failed`;
  return style(attempts >= max_attempts ? "bad" : "faint", text);
}

/** The leaf that is next and, where it is asked for, why it comes before the others. */
export function renderSelection(selection: Selection | null, why: readonly SelectionStep[], { style }: Canvas): string {
  if (selection === null) return "Done: the root passes.\n";
  const { leaf, path } = selection;
  const way = path.map(({ id }) => id).join(" / ");
  const lines = why.flatMap(({ parent, chosen, before, after }) => [
    `${style("faint", "below")} ${parent}: ${chosen}`,
    ...before.map((one) => describeReason("after", one)),
    ...after.map((one) => describeReason("before", one)),
  ]);
  return [`${style("strong", leaf.id)}  ${neutralise(leaf.title)}`, `  ${way}`, ...lines, ""].join("\n");
}

function describeReason(place: "before" | "after", { id, words: text }: SiblingReason): string {
  return `  ${place} ${id}: ${neutralise(text)}`;
}

/** Everything that is wrong with a tree, each with its place. */
export function renderInvalidTree(
  { path, problems }: { readonly path: string; readonly problems: readonly TreeProblem[] },
  { style }: Canvas,
): string {
  const count = problems.length === 1 ? "one problem" : `${problems.length} problems`;
  const lines = problems.map(({ path: place, message }) => {
    const where = place === "" ? "" : `${style("faint", place)}  `;
    return `  ${where}${neutralise(message)}`;
  });
  return `${style("bad", "✗")} ${neutralise(path)} is not valid: ${count}.\n${lines.join("\n")}\n`;
}

/** What `tree init` has written, and what to do then. */
export function renderTreeFiles(files: readonly MadeFile[], { style }: Canvas): string {
  const lines = files.map(({ path, state }) =>
    state === "written" ? `  ${style("good", "+")} ${path}` : `  ${style("faint", "=")} ${path} (unchanged)`,
  );
  const steps = [
    "Write your goal into GOAL.md, commit these files, and then:",
    "  relais tree show   show the tree",
    "  relais tree run    iterate until the root passes",
  ];
  return `${[...lines, "", ...steps].join("\n")}\n`;
}
