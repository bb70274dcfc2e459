/** A tree of about so many nodes, in which only the last few leaves are open. */
import type { TreeNode } from "../../src/records/tree.ts";
import { canonicaliseTree, writeTree } from "../../src/workflows/pure/tree-nodes.ts";

const LEVELS = 3;
const OPEN = 2;

export function makeLargeTree(count: number): string {
  const width = Math.max(2, Math.round(count ** (1 / LEVELS)));
  let made = 0;
  const make = (level: number, isLast: boolean): TreeNode => {
    made += 1;
    const id = `n${made}`;
    const isLeaf = level === LEVELS;
    const children = isLeaf
      ? []
      : Array.from({ length: width }, (_, at) => make(level + 1, isLast && at >= width - OPEN));
    return {
      id,
      order: made,
      title: `Do ${id}`,
      goal: `Reach ${id}`,
      acceptance: [`${id} works`],
      passes: isLeaf && !isLast,
      attempts: 0,
      max_attempts: 3,
      children,
    };
  };
  return writeTree(canonicaliseTree({ version: 1, root: make(0, true) }));
}
