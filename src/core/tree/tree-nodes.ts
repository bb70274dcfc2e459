import type { Tree, TreeNode } from "../../contract/workflows/tree.ts";

/** A node where it stands in its tree. */
export interface PlacedNode {
  readonly node: TreeNode;
  /** Null for the root. */
  readonly parent: TreeNode | null;
  /** The root has 0. */
  readonly depth: number;
  /** As a person finds it in the file: `root.children[2]`. */
  readonly path: string;
}

/** Every node, each before its children and in the order of the file. */
export function listTreeNodes({ root }: Pick<Tree, "root">): readonly PlacedNode[] {
  const found: PlacedNode[] = [];
  const visit = (placed: PlacedNode): void => {
    found.push(placed);
    const { node, depth, path } = placed;
    for (const [index, child] of node.children.entries())
      visit({ node: child, parent: node, depth: depth + 1, path: `${path}.children[${index}]` });
  };
  visit({ node: root, parent: null, depth: 0, path: "root" });
  return found;
}

/** The order of siblings: `order` first, and the id between equals, compared by code units. */
export function compareSiblings(a: TreeNode, b: TreeNode): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** Whether a leaf has no attempt left and has to become something else first. */
export function isExhausted({ attempts, max_attempts }: TreeNode): boolean {
  return attempts >= max_attempts;
}
