import type { Tree, TreeNode } from "../../records/tree.ts";
import { canonicaliseTree, listTreeNodes, writeTree } from "./tree-nodes.ts";
import { MEMORY_DOCUMENTS } from "./iteration-facts.ts";
import { type ReadTree, readTree } from "./read-tree.ts";
import type { JournalLine } from "../../records/event.ts";
import { readIterationLine } from "./tree-workflow.ts";

/**
 * Two changes of one tree as one tree, node by node and field by field: a landing puts what a job did on top of what
 * is there by now. Where both sides changed the same thing differently, or one side passed a node that the other side
 * made into something else, nobody can know what holds, and a person or another session decides.
 */

export interface TreeSides {
  /** The tree that both sides started from. */
  readonly base: Tree;
  readonly here: Tree;
  readonly change: Tree;
}

export type MergedTree =
  | { readonly kind: "tree"; readonly tree: Tree }
  /** One sentence each. */
  | { readonly kind: "clash"; readonly problems: readonly string[] };

/** A node without its place in the lists. */
interface FlatNode extends Omit<TreeNode, "children"> {
  readonly parent: string | null;
  readonly childIds: readonly string[];
}

type ById = ReadonlyMap<string, FlatNode>;

interface ThreeNodes {
  readonly base: FlatNode | undefined;
  readonly here: FlatNode | undefined;
  readonly change: FlatNode | undefined;
}

type MergedNode =
  | { readonly kind: "node"; readonly node: FlatNode }
  | { readonly kind: "gone" }
  | { readonly kind: "clash"; readonly problem: string };

export function mergeTreeSides(sides: TreeSides): MergedTree {
  const [base, here, change] = [index(sides.base), index(sides.here), index(sides.change)];
  const problems: string[] = [];
  const nodes: FlatNode[] = [];
  for (const id of new Set([...here.keys(), ...change.keys()])) {
    const merged = mergeNode({ base: base.get(id), here: here.get(id), change: change.get(id) });
    if (merged.kind === "clash") problems.push(`the node "${id}" ${merged.problem}`);
    if (merged.kind === "node") nodes.push(merged.node);
  }
  return problems.length > 0 ? { kind: "clash", problems } : build(nodes);
}

function index(tree: Tree): ById {
  const placed = listTreeNodes(canonicaliseTree(tree));
  return new Map(
    placed.map(({ node: { children, ...own }, parent }) => {
      const childIds = children.map(({ id }) => id).toSorted();
      return [own.id, { ...own, parent: parent?.id ?? null, childIds }] as const;
    }),
  );
}

function mergeNode({ base, here, change }: ThreeNodes): MergedNode {
  if (here !== undefined && change !== undefined) return mergeFields({ base, here, change });
  const left = here ?? change;
  if (left === undefined) return { kind: "gone" };
  if (base === undefined) return { kind: "node", node: left };
  if (isSame(left, base)) return { kind: "gone" };
  return { kind: "clash", problem: "was removed on one side and changed on the other" };
}

type TwoNodes = ThreeNodes & Readonly<Record<"here" | "change", FlatNode>>;

const FIELDS = ["parent", "order", "title", "goal", "acceptance", "passes", "max_attempts"] as const;

function mergeFields({ base, here, change }: TwoNodes): MergedNode {
  if (isPassedAndChanged(base, here, change) || isPassedAndChanged(base, change, here))
    return { kind: "clash", problem: "passed on one side and became something else on the other" };
  const isAsBefore = (side: FlatNode, field: keyof FlatNode): boolean => isSame(side[field], base?.[field]);
  const clashes = FIELDS.filter(
    (field) => !isSame(here[field], change[field]) && !isAsBefore(here, field) && !isAsBefore(change, field),
  );
  if (clashes.length > 0) return { kind: "clash", problem: `has another ${clashes.join(", ")} on each side` };
  const newer = FIELDS.map((field) => [field, (isAsBefore(here, field) ? change : here)[field]] as const);
  return {
    kind: "node",
    node: { ...here, ...Object.fromEntries(newer), attempts: countAttempts({ base, here, change }) },
  };
}

/** An attempt that both sides have may be the same one. */
function countAttempts({ base, here, change }: TwoNodes): number {
  if (change.attempts === base?.attempts) return here.attempts;
  return here.attempts === base?.attempts ? change.attempts : Math.max(here.attempts, change.attempts);
}

/** What passed is not what the other side has. */
function isPassedAndChanged(base: FlatNode | undefined, one: FlatNode, other: FlatNode): boolean {
  if (base === undefined || base.passes || !isPassedLeaf(one) || isPassedLeaf(other)) return false;
  return !isSame(listContent(other), listContent(base));
}

function isPassedLeaf({ passes, childIds }: FlatNode): boolean {
  return passes && childIds.length === 0;
}

function listContent({ title, goal, acceptance, childIds }: FlatNode): readonly unknown[] {
  return [title, goal, acceptance, childIds];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function build(nodes: readonly FlatNode[]): MergedTree {
  const built = new Set<string>();
  const grow = (node: FlatNode): TreeNode => {
    built.add(node.id);
    return { ...node, children: nodes.filter(({ parent }) => parent === node.id).map(grow) };
  };
  const roots = nodes.filter(({ parent }) => parent === null);
  const [root] = roots;
  if (root === undefined || roots.length > 1) return { kind: "clash", problems: ["the sides have different roots"] };
  const tree = canonicaliseTree({ version: 1, root: grow(root) });
  const lost = nodes.filter(({ id }) => !built.has(id));
  if (lost.length === 0) return { kind: "tree", tree };
  return { kind: "clash", problems: lost.map(({ id }) => `the node "${id}" lost its parent on the other side`) };
}

/** The files of the workspace that the runner commits in a tree series, and how a landing puts them on newer ones. */

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
