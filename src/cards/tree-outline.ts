import type { Tree, TreeNode } from "../records/tree.ts";
import { selectLeaf } from "../workflows/pure/select-leaf.ts";
import { compareSiblings } from "../workflows/pure/tree-nodes.ts";

export interface OutlineNode {
  readonly node: TreeNode;
  readonly depth: number;
  readonly isOnPath: boolean;
  readonly isLeaf: boolean;
}

/** What may be shown of a tree. It is made once for each tree and not for each frame, because a tree may be large. */
export interface TreeOutline {
  readonly nodes: readonly OutlineNode[];
  /** Where the nodes on the way to the next leaf stand among them. */
  readonly path: readonly number[];
  /** Where the leaf itself stands; where there is none, the first one. */
  readonly leafAt: number;
}

/** Only the way to the next leaf is unfolded; everything beside it stays closed. */
export function renderTreeOutline(tree: Tree): TreeOutline {
  const selection = selectLeaf(tree);
  const way = new Set((selection?.path ?? [tree.root]).map(({ id }) => id));
  const nodes: OutlineNode[] = [];
  const path: number[] = [];
  const visit = (node: TreeNode, depth: number): void => {
    const isOnPath = way.has(node.id);
    if (isOnPath) path.push(nodes.length);
    nodes.push({ node, depth, isOnPath, isLeaf: node.id === selection?.leaf.id });
    if (isOnPath) for (const child of node.children.toSorted(compareSiblings)) visit(child, depth + 1);
  };
  visit(tree.root, 0);
  return { nodes, path, leafAt: selection === null ? 0 : (path.at(-1) ?? 0) };
}
