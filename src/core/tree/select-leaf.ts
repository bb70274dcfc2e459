/** Which leaf is next: depth first, siblings in their order, the first one that is open. */
import type { Tree, TreeNode } from "../../contract/workflows/tree.ts";
import { compareSiblings } from "./tree-nodes.ts";

export interface Selection {
  readonly leaf: TreeNode;
  /** From the root to the leaf, both included. */
  readonly path: readonly TreeNode[];
}

/** The next open leaf, or null where everything passes. */
export function selectLeaf({ root }: Tree): Selection | null {
  const path = leftmost(root);
  const leaf = path?.at(-1);
  return path === null || leaf === undefined ? null : { leaf, path };
}

function leftmost(node: TreeNode): readonly TreeNode[] | null {
  if (node.passes) return null;
  if (node.children.length === 0) return [node];
  for (const child of node.children.toSorted(compareSiblings)) {
    const found = leftmost(child);
    if (found !== null) return [node, ...found];
  }
  return null;
}

/** Why a sibling was not taken. */
export interface SiblingReason {
  readonly id: string;
  readonly reason: "passes" | "later_order" | "later_id";
  readonly words: string;
}

/** One level of the way to the leaf. */
export interface SelectionStep {
  readonly parent: string;
  readonly chosen: string;
  /** Those that stand before it and those that stand after it. */
  readonly before: readonly SiblingReason[];
  readonly after: readonly SiblingReason[];
}

/** The proof: at each level, why every sibling before the chosen one was passed over and why the others come later. */
export function explainSelection({ path }: Selection): readonly SelectionStep[] {
  return path.slice(1).map((chosen, level) => {
    const parent = path[level];
    const siblings = (parent?.children ?? []).toSorted(compareSiblings);
    const at = siblings.findIndex(({ id }) => id === chosen.id);
    return {
      parent: parent?.id ?? "",
      chosen: chosen.id,
      before: siblings.slice(0, at).map(passedOver),
      after: siblings.slice(at + 1).map((sibling) => comesLater(sibling, chosen)),
    };
  });
}

/** What stands before the chosen one has no open leaf, so it passes. */
function passedOver({ id }: TreeNode): SiblingReason {
  return { id, reason: "passes", words: "passes already" };
}

function comesLater(sibling: TreeNode, chosen: TreeNode): SiblingReason {
  const { id } = sibling;
  if (sibling.order > chosen.order)
    return { id, reason: "later_order", words: `order ${sibling.order} is after ${chosen.order}` };
  return { id, reason: "later_id", words: `the same order, and "${id}" sorts after "${chosen.id}"` };
}
