import type { TreeNode } from "../../src/records/tree.ts";

/** A node with the fields that a test does not care about. */
export function node(id: string, over: Partial<TreeNode> = {}): TreeNode {
  const usual = { order: 0, title: `Do ${id}`, goal: `Reach ${id}`, acceptance: [`${id} works`] };
  return { id, ...usual, passes: false, attempts: 0, max_attempts: 3, children: [], ...over };
}
