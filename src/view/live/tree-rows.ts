/** The part of a tree that matters now: the way to the leaf that is worked on, and what stands beside it. */
import { oneLine } from "../cards/report-words.ts";
import { type Line, row, span } from "./frame-line.ts";
import type { PartPlace } from "./frame-place.ts";
import type { LiveModel } from "./live-model.ts";
import type { OutlineNode } from "./tree-outline.ts";
import { windowed } from "./windowed.ts";

const TITLE_CHARS = 200;

/** At most so many rows, and the leaf always among them. */
export function treeRows(
  { tree }: LiveModel,
  { columns }: Pick<PartPlace, "columns">,
  rows: number,
): readonly Line[] {
  if (tree === null || rows < 1) return [];
  const head = row("tree", [span(`${tree.passed} of ${tree.nodes} nodes pass`)], columns);
  const { nodes, path, leafAt } = tree.outline;
  const lines = windowed(nodes, { rows: rows - 1, at: leafAt, pinned: path }).map((one) =>
    row("", nodeLine(one), columns),
  );
  return [head, ...lines];
}

function nodeLine({ node, depth, isOnPath, isLeaf }: OutlineNode): Line {
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
