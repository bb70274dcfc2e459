/** The files of the workspace that the runner commits in a tree series, and how a landing puts them on newer ones. */
import { MEMORY_DOCUMENTS } from "./iteration-facts.ts";
import { mergeTreeSides, type MergedTree } from "./merge-sides.ts";
import { type ReadTree, readTree } from "./read-tree.ts";
import { listTreeNodes, writeTree } from "./tree-nodes.ts";
import type { JournalLine } from "../../records/event.ts";
import { readIterationLine } from "./tree-workflow.ts";

const TREE_NAME = "tree.json";

export const LANDED_FILES: readonly string[] = [TREE_NAME, ...MEMORY_DOCUMENTS];

/** Null where a side has no such file. */
export interface FileSides {
  readonly base: Uint8Array | null;
  readonly here: Uint8Array | null;
  readonly change: Uint8Array | null;
}

type MergedFile =
  | { readonly kind: "text"; readonly text: string }
  /** One sentence each. */
  | { readonly kind: "clash"; readonly problems: readonly string[] };

export function mergeLandedFile(name: string, sides: FileSides): MergedFile {
  return name === TREE_NAME ? mergeTreeFile(sides) : mergeNotes(sides);
}

function mergeTreeFile(sides: FileSides): MergedFile {
  const merged = mergeRead(read(sides.base), read(sides.here), read(sides.change));
  return merged.kind === "clash" ? merged : { kind: "text", text: writeTree(merged.tree) };
}

function mergeRead(base: ReadTree, here: ReadTree, change: ReadTree): MergedTree {
  if (base.kind === "tree" && here.kind === "tree" && change.kind === "tree")
    return mergeTreeSides({ base: base.tree, here: here.tree, change: change.tree });
  return { kind: "clash", problems: ["the tree is missing or cannot be read on one of the sides"] };
}

function read(data: Uint8Array | null): ReadTree {
  return data === null ? { kind: "invalid", problems: [] } : readTree(data);
}

/** What both sides added at the end stays, first what is there. */
function mergeNotes(sides: FileSides): MergedFile {
  const [base, here, change] = [sides.base, sides.here, sides.change].map((data) =>
    new TextDecoder().decode(data ?? undefined),
  );
  if (
    base === undefined ||
    here === undefined ||
    change === undefined ||
    !here.startsWith(base) ||
    !change.startsWith(base)
  )
    return { kind: "clash", problems: ["both sides changed what was there before"] };
  const gap = here === "" || here.endsWith("\n") ? "" : "\n";
  return { kind: "text", text: `${here}${gap}${change.slice(base.length)}` };
}

/** Leaves that pass at the end of a branch and did not before, although no iteration of its journal passed them. */
export function findUnprovedLeaves(
  { base, change }: Pick<FileSides, "base" | "change">,
  lines: readonly JournalLine[],
): readonly string[] {
  const [was, is] = [read(base), read(change)];
  const passed = lines
    .map(readIterationLine)
    .flatMap((one) => (one?.outcome === "passed" ? [one.selected_leaf_id] : []));
  const known = new Set([...listPassed(was), ...passed]);
  return listPassed(is).filter((id) => !known.has(id));
}

function listPassed(tree: ReadTree): readonly string[] {
  if (tree.kind === "invalid") return [];
  return listTreeNodes(tree.tree).flatMap(({ node }) => (node.passes && node.children.length === 0 ? [node.id] : []));
}
