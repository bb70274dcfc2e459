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

/** Depth first, siblings in their order, the first open leaf. */

export interface Selection {
  readonly leaf: TreeNode;
  readonly path: readonly TreeNode[];
}

export function selectLeaf({ root }: Tree): Selection | null {
  const path = findLeftmost(root);
  const leaf = path?.at(-1);
  return path === null || leaf === undefined ? null : { leaf, path };
}

function findLeftmost(node: TreeNode): readonly TreeNode[] | null {
  if (node.passes) return null;
  if (node.children.length === 0) return [node];
  for (const child of node.children.toSorted(compareSiblings)) {
    const found = findLeftmost(child);
    if (found !== null) return [node, ...found];
  }
  return null;
}

export interface SiblingReason {
  readonly id: string;
  readonly reason: "passes" | "later_order" | "later_id";
  readonly words: string;
}

export interface SelectionStep {
  readonly parent: string;
  readonly chosen: string;
  readonly before: readonly SiblingReason[];
  readonly after: readonly SiblingReason[];
}

/** At each level, why the siblings before were skipped and why the others come later. */
export function explainSelection({ path }: Selection): readonly SelectionStep[] {
  return path.slice(1).map((chosen, level) => {
    const parent = path[level];
    const siblings = (parent?.children ?? []).toSorted(compareSiblings);
    const at = siblings.findIndex(({ id }) => id === chosen.id);
    return {
      parent: parent?.id ?? "",
      chosen: chosen.id,
      // A sibling before the chosen one has no open leaf, so it passes.
      before: siblings.slice(0, at).map(({ id }) => ({ id, reason: "passes", words: "passes already" })),
      after: siblings.slice(at + 1).map((sibling) => explainLater(sibling, chosen)),
    };
  });
}

function explainLater(sibling: TreeNode, chosen: TreeNode): SiblingReason {
  const { id } = sibling;
  if (sibling.order > chosen.order)
    return { id, reason: "later_order", words: `order ${sibling.order} is after ${chosen.order}` };
  return { id, reason: "later_id", words: `the same order, and "${id}" sorts after "${chosen.id}"` };
}
