import type { Tree, TreeNode } from "../../contract/workflows/tree.ts";
import { compareSiblings } from "./tree-nodes.ts";

/** The tree as it is written: siblings in their order, and every parent passing exactly when all of its children do. */
export function canonicaliseTree({ version, root }: Tree): Tree {
  return { version, root: canonicalNode(root) };
}

function canonicalNode(node: TreeNode): TreeNode {
  const children = node.children.map(canonicalNode).toSorted(compareSiblings);
  const passes = children.length === 0 ? node.passes : children.every((child) => child.passes);
  return {
    id: node.id,
    order: node.order,
    title: node.title,
    goal: node.goal,
    acceptance: [...node.acceptance],
    passes,
    attempts: node.attempts,
    max_attempts: node.max_attempts,
    children,
  };
}

/** The one text of a tree: what is read from it and written again is the same to the byte. */
export function writeTree(tree: Tree): string {
  return `${JSON.stringify(canonicaliseTree(tree), null, 2)}\n`;
}
