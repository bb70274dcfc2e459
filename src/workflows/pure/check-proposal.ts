/**
 * Whether a proposed tree may replace the current one. An agent plans with the open nodes. Passed nodes are final, the
 * counters belong to the runner, acceptance criteria stay, and no open node disappears. All violations are listed for
 * the next session.
 */
import type { Tree, TreeNode } from "../../records/tree.ts";
import type { TreeSettings } from "./iteration-facts.ts";
import { type PlacedNode, listTreeNodes } from "./tree-nodes.ts";

/** Most levels below the root, and most children of one node, that an agent may plan. */
export const DEPTH_MAX = 6;
export const CHILDREN_MAX = 12;

type TreeCaps = Pick<TreeSettings, "max_attempts">;

type ById = ReadonlyMap<string, PlacedNode>;

/** One sentence for each violation. Both trees are valid by themselves. */
export function findProposalProblems(before: Tree, after: Tree, caps: TreeCaps): readonly string[] {
  const [was, is] = [indexById(before), indexById(after)];
  return [
    ...(before.root.id === after.root.id
      ? []
      : [`the root must stay "${before.root.id}", and here it is "${after.root.id}"`]),
    ...[...was.values()].flatMap((placed) => findKeptProblems(placed, is.get(placed.node.id) ?? null)),
    ...[...is.values()].flatMap((placed) => findNewProblems(placed, was, caps)),
    ...[...is.values()].flatMap((placed) => findCapProblems(placed, was)),
  ];
}

function indexById(tree: Tree): ById {
  return new Map(listTreeNodes(tree).map((placed) => [placed.node.id, placed] as const));
}

function findKeptProblems(before: PlacedNode, after: PlacedNode | null): readonly string[] {
  const { id, passes } = before.node;
  const name = `the ${passes ? "passed" : "open"} node "${id}"`;
  if (after === null) return [`${name} is missing; nothing that was planned may be dropped`];
  return passes ? findPassedProblems(name, before, after) : findOpenProblems(name, before.node, after.node);
}

const SCALARS = ["order", "title", "goal", "passes", "attempts", "max_attempts"] as const;

function findPassedProblems(name: string, before: PlacedNode, after: PlacedNode): readonly string[] {
  const changed = SCALARS.filter((field) => before.node[field] !== after.node[field]).map(String);
  if (!isSameList(before.node.acceptance, after.node.acceptance)) changed.push("acceptance");
  if (!isSameList(listChildIds(before.node), listChildIds(after.node))) changed.push("children");
  const moved = before.parent?.id === after.parent?.id ? [] : [`${name} was moved to another parent`];
  return [...moved, ...(changed.length === 0 ? [] : [`${name} is final, and its ${changed.join(", ")} changed`])];
}

function listChildIds({ children }: TreeNode): readonly string[] {
  return children.map(({ id }) => id).toSorted();
}

const OWNED = ["passes", "attempts", "max_attempts"] as const;

function findOpenProblems(name: string, before: TreeNode, after: TreeNode): readonly string[] {
  const owned = OWNED.filter((field) => before[field] !== after[field]).map(
    (field) => `${name} has \`${field}\` ${after[field]}; only the runner changes it from ${before[field]}`,
  );
  const isWeakened = !isSameList(before.acceptance, after.acceptance);
  return [
    ...owned,
    ...(isWeakened ? [`${name} has another acceptance; what is to be accepted stays, more goes into new nodes`] : []),
  ];
}

function findNewProblems({ node }: PlacedNode, was: ById, { max_attempts }: TreeCaps): readonly string[] {
  if (was.has(node.id)) return [];
  const wanted = { passes: false, attempts: 0, max_attempts };
  return OWNED.filter((field) => node[field] !== wanted[field]).map(
    (field) => `the new node "${node.id}" has \`${field}\` ${node[field]}, and it begins with ${wanted[field]}`,
  );
}

/** Nodes of a person may exceed the caps; they may not grow further. */
function findCapProblems({ node, depth }: PlacedNode, was: ById): readonly string[] {
  const before = was.get(node.id);
  const isDeeper = depth > Math.max(DEPTH_MAX, before?.depth ?? 0);
  const isWider = node.children.length > Math.max(CHILDREN_MAX, before?.node.children.length ?? 0);
  return [
    ...(isDeeper ? [`the node "${node.id}" is ${depth} levels below the root, and ${DEPTH_MAX} are the most`] : []),
    ...(isWider
      ? [`the node "${node.id}" has ${node.children.length} children, and ${CHILDREN_MAX} are the most`]
      : []),
  ];
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
