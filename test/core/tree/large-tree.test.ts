/** Reading, writing and selecting at size. */
import { expect, test } from "vitest";
import type { Tree, TreeNode } from "../../../src/contract/workflows/tree.ts";
import { readTree } from "../../../src/core/tree/read-tree.ts";
import { selectLeaf } from "../../../src/core/tree/select-leaf.ts";
import { canonicaliseTree, listTreeNodes, writeTree } from "../../../src/core/tree/tree-nodes.ts";
import { node } from "../../support/tree-node.ts";

const encoder = new TextEncoder();

/** A tree of about so many nodes, four levels deep, in which only the very last leaf is open. */
function largeTree(count: number): Tree {
  const width = Math.round(Math.cbrt(count));
  let left = 0;
  const make = (level: number, isLast: boolean): TreeNode => {
    left += 1;
    const id = `n${left}`;
    const children =
      level === 3 ? [] : Array.from({ length: width }, (_, index) => make(level + 1, isLast && index === width - 1));
    return node(id, { order: level, passes: level === 3 && !isLast, children });
  };
  const root = make(0, true);
  return canonicaliseTree({ version: 1, root });
}

function millisecondsFor(text: string): number {
  const began = process.cpuUsage();
  const read = readTree(encoder.encode(text));
  if (read.kind === "invalid") throw new Error(read.problems[0]?.message);
  expect(selectLeaf(canonicaliseTree(read.tree))).not.toBeNull();
  expect(writeTree(read.tree).length).toBe(text.length);
  // The machine may be busy with something else, so only the time of this process counts.
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

test("a hundred thousand nodes take time in proportion to their number", () => {
  const [small, large] = [writeTree(largeTree(25_000)), writeTree(largeTree(100_000))];
  expect(listTreeNodes(largeTree(100_000)).length).toBeGreaterThan(95_000);
  millisecondsFor(small);
  const best = (text: string): number => Math.min(...[1, 2].map(() => millisecondsFor(text)));
  expect(best(large) / best(small)).toBeLessThan(4 * 2.5);
}, 120_000);
