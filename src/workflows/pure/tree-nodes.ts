import type { Tree, TreeNode } from "../../records/tree.ts";

export interface PlacedNode {
  readonly node: TreeNode;
  readonly parent: TreeNode | null;
  readonly depth: number;
  /** As in the file: `root.children[2]`. */
  readonly path: string;
}

/** Each node before its children, in the order of the file. */
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

/** By `order`, then by id in code units. */
export function compareSiblings(a: TreeNode, b: TreeNode): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

export function isExhausted({ attempts, max_attempts }: TreeNode): boolean {
  return attempts >= max_attempts;
}

/** Siblings in their order; a parent passes exactly when all of its children do. */
export function canonicaliseTree({ version, root }: Tree): Tree {
  return { version, root: canonicaliseNode(root) };
}

function canonicaliseNode(node: TreeNode): TreeNode {
  const children = node.children.map(canonicaliseNode).toSorted(compareSiblings);
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

/** Reading and writing it again gives the same bytes. */
export function writeTree(tree: Tree): string {
  return `${JSON.stringify(canonicaliseTree(tree), null, 2)}\n`;
}
