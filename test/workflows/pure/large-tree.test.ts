/** Reading, writing and selecting at size. */
import { expect, test } from "vitest";
import type { Tree, TreeNode } from "../../../src/records/tree.ts";
import { readTree } from "../../../src/workflows/pure/read-tree.ts";
import { canonicaliseTree, listTreeNodes, selectLeaf, writeTree } from "../../../src/workflows/pure/tree-nodes.ts";
import { node } from "../../support/tree-node.ts";

const encoder = new TextEncoder();

/** A tree of about so many nodes, four levels deep, in which only the very last leaf is open. */
function largeTree(count: number, watch: (node: TreeNode) => TreeNode = (same) => same): Tree {
  const width = Math.round(Math.cbrt(count));
  let left = 0;
  const make = (level: number, isLast: boolean): TreeNode => {
    left += 1;
    const id = `n${left}`;
    const children =
      level === 3 ? [] : Array.from({ length: width }, (_, index) => make(level + 1, isLast && index === width - 1));
    return watch(node(id, { order: level, passes: level === 3 && !isLast, children }));
  };
  return { version: 1, root: make(0, true) };
}

test("a hundred thousand nodes are read, and one is found", () => {
  const text = writeTree(largeTree(100_000));
  const read = readTree(encoder.encode(text));
  if (read.kind === "invalid") throw new Error(read.problems[0]?.message);
  expect(listTreeNodes(read.tree).length).toBeGreaterThan(95_000);
  expect(selectLeaf(canonicaliseTree(read.tree))).not.toBeNull();
  expect(writeTree(read.tree)).toBe(text);
});

/** How many times a field of a node is read, for each node. */
function readsPerNode(count: number): number {
  let reads = 0;
  const watch = (watched: TreeNode): TreeNode =>
    new Proxy(watched, { get: (target, name): unknown => ((reads += 1), Reflect.get(target, name)) });
  const tree = largeTree(count, watch);
  const nodes = listTreeNodes(tree).length;
  reads = 0;
  expect(selectLeaf(tree)).not.toBeNull();
  listTreeNodes(canonicaliseTree(tree));
  return reads / nodes;
}

test("a node is looked at as often in a large tree as in a small one", () => {
  const [small, large] = [readsPerNode(1_000), readsPerNode(30_000)];
  expect(small).toBeGreaterThan(1);
  // Siblings are sorted, so it is a little more.
  expect(large / small).toBeLessThan(1.5);
});
