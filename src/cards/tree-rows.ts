/** The part of a tree that matters now: the way to the leaf that is worked on, and what stands beside it. */
import { joinLines } from "./report-words.ts";
import { type FrameLine, makeRow, makeSpan, type PartPlace } from "./frame-line.ts";
import type { LiveModel } from "./live-model.ts";
import type { OutlineNode } from "./tree-outline.ts";
import { pickWindow } from "./pick-window.ts";

const TITLE_CHARS = 200;

/** At most so many rows, and the leaf always among them. */
export function renderTreeRows(
  { tree }: LiveModel,
  { columns }: Pick<PartPlace, "columns">,
  rows: number,
): readonly FrameLine[] {
  if (tree === null || rows < 1) return [];
  const head = makeRow("tree", [makeSpan(`${tree.passed} of ${tree.nodes} nodes pass`)], columns);
  const { nodes, path, leafAt } = tree.outline;
  const lines = pickWindow(nodes, { rows: rows - 1, at: leafAt, pinned: path }).map((one) =>
    makeRow("", renderNode(one), columns),
  );
  return [head, ...lines];
}

function renderNode({ node, depth, isOnPath, isLeaf }: OutlineNode): FrameLine {
  const { id, title, passes, attempts, max_attempts, children } = node;
  const mark = passes ? makeSpan("✓ ", "good") : isLeaf ? makeSpan("▸ ", "strong") : makeSpan("○ ", "faint");
  const failed = attempts === 0 || passes ? "" : `  ${attempts} of ${max_attempts} attempts failed`;
  const below = isOnPath || children.length === 0 ? "" : `  +${children.length}`;
  return [
    makeSpan("  ".repeat(depth)),
    mark,
    isLeaf ? makeSpan(id, "strong") : makeSpan(id),
    makeSpan(failed, attempts >= max_attempts ? "bad" : "faint"),
    makeSpan(below, "faint"),
    makeSpan(`  ${joinLines(title.slice(0, TITLE_CHARS))}`, "faint"),
  ];
}
