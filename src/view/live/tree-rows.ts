/** The part of a tree that matters now: the way to the leaf that is worked on, and what stands beside it. */
import type { TreeNode } from "../../contract/tree.ts";
import { selectLeaf } from "../../core/tree/select-leaf.ts";
import { compareSiblings } from "../../core/tree/tree-nodes.ts";
import { oneLine } from "../report-words.ts";
import { type Line, row, span } from "./frame-line.ts";
import type { PartPlace } from "./frame-place.ts";
import type { LiveModel, LiveTree } from "./live-model.ts";
import { windowed } from "./windowed.ts";

const TITLE_CHARS = 200;

interface Shown {
  readonly node: TreeNode;
  readonly depth: number;
  readonly isOnPath: boolean;
  readonly isLeaf: boolean;
}

/** At most so many rows, and the leaf always among them. */
export function treeRows(
  { tree }: LiveModel,
  { columns }: Pick<PartPlace, "columns">,
  rows: number,
): readonly Line[] {
  if (tree === null || rows < 1) return [];
  const head = row("tree", [span(`${tree.passed} of ${tree.nodes} nodes pass`)], columns);
  const shown = shownOf(tree);
  const isPinned = shown.map(({ isOnPath }) => isOnPath);
  const at = Math.max(
    0,
    shown.findIndex(({ isLeaf }) => isLeaf),
  );
  const lines = windowed(shown, { rows: rows - 1, at, isPinned }).map((one) =>
    row("", nodeLine(one), columns),
  );
  return [head, ...lines];
}

/** Only the way to the leaf is unfolded; everything beside it stays closed. */
function shownOf({ tree }: LiveTree): readonly Shown[] {
  const path = new Set((selectLeaf(tree)?.path ?? [tree.root]).map(({ id }) => id));
  const leaf = selectLeaf(tree)?.leaf.id;
  const shown: Shown[] = [];
  const visit = (node: TreeNode, depth: number): void => {
    const isOnPath = path.has(node.id);
    shown.push({ node, depth, isOnPath, isLeaf: node.id === leaf });
    if (isOnPath) for (const child of node.children.toSorted(compareSiblings)) visit(child, depth + 1);
  };
  visit(tree.root, 0);
  return shown;
}

function nodeLine({ node, depth, isOnPath, isLeaf }: Shown): Line {
  const { id, title, passes, attempts, max_attempts, children } = node;
  const mark = passes ? span("✓ ", "good") : isLeaf ? span("▸ ", "strong") : span("○ ", "faint");
  const failed = attempts === 0 || passes ? "" : `  ${attempts} of ${max_attempts} attempts failed`;
  const below = isOnPath || children.length === 0 ? "" : `  +${children.length}`;
  return [
    span("  ".repeat(depth)),
    mark,
    isLeaf ? span(id, "strong") : span(id),
    span(failed, attempts >= max_attempts ? "bad" : "faint"),
    span(below, "faint"),
    span(`  ${oneLine(title.slice(0, TITLE_CHARS))}`, "faint"),
  ];
}
