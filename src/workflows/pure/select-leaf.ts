/** Depth first, siblings in their order, the first open leaf. */
import type { Tree, TreeNode } from "../../records/tree.ts";
import { compareSiblings } from "./tree-nodes.ts";

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
