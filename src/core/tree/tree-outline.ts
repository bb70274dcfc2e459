import type { Tree, TreeNode } from "../../contract/workflows/tree.ts";
import type { Selection } from "./select-leaf.ts";
import { compareSiblings } from "./tree-nodes.ts";

const LINES_MAX = 300;
const LEVELS_MAX = 4;

/** The rest of the tree in a few lines: what passes is one line, and what lies deep is only counted. */
export function outlineTree({ root }: Tree, { path, leaf }: Selection): string {
  const onPath = new Set(path.map(({ id }) => id));
  const lines: string[] = [];
  const visit = (node: TreeNode, level: number): void => {
    if (lines.length > LINES_MAX) return;
    const isOpen = !node.passes && (level < LEVELS_MAX || onPath.has(node.id));
    const hidden = isOpen || node.children.length === 0 ? "" : ` (${countBelow(node)} below)`;
    const here = node.id === leaf.id ? "  <- selected" : "";
    lines.push(`${"  ".repeat(level)}${mark(node)} ${node.id}: ${node.title}${hidden}${here}`);
    if (isOpen) for (const child of node.children.toSorted(compareSiblings)) visit(child, level + 1);
  };
  visit(root, 0);
  return lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX), "..."].join("\n") : lines.join("\n");
}

function mark({ passes, attempts }: TreeNode): string {
  if (passes) return "[x]";
  return attempts === 0 ? "[ ]" : `[ ] ${attempts} failed`;
}

function countBelow({ children }: TreeNode): number {
  return children.reduce((count, child) => count + 1 + countBelow(child), 0);
}
