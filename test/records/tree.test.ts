/** Reading, writing and selecting, by property. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Tree, TreeNode } from "../../src/records/tree.ts";
import { readTree } from "../../src/workflows/pure/read-tree.ts";
import {
  canonicaliseTree,
  explainSelection,
  listTreeNodes,
  selectLeaf,
  writeTree,
} from "../../src/workflows/pure/tree-nodes.ts";
import { node } from "../support/tree-node.ts";

const encoder = new TextEncoder();
const bytes = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/** Any tree: the shape is drawn, and ids are dealt out so that each occurs once. */
const anyTree: fc.Arbitrary<Tree> = fc
  .letrec<{ node: TreeNode }>((tie) => ({
    node: fc.record({
      id: fc.constant(""),
      order: fc.integer({ min: -3, max: 3 }),
      title: fc.string({ minLength: 1, maxLength: 20 }),
      goal: fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }),
      acceptance: fc.array(fc.string({ minLength: 1, maxLength: 9 }), { maxLength: 2 }),
      passes: fc.boolean(),
      attempts: fc.nat(5),
      max_attempts: fc.integer({ min: 1, max: 5 }),
      children: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie("node"), { maxLength: 3 })),
    }),
  }))
  .node.chain((root) => {
    const count = listTreeNodes({ root }).length;
    return fc
      .uniqueArray(fc.stringMatching(/^[a-c0-9]{1,4}$/), { minLength: count, maxLength: count })
      .map((ids) => ({ version: 1 as const, root: withIds(root, [...ids]) }));
  });

function withIds(root: TreeNode, ids: string[]): TreeNode {
  return { ...root, id: ids.pop() ?? "", children: root.children.map((child) => withIds(child, ids)) };
}

/** The naive way: every leaf with the keys of its path, sorted, and the first one that is open. */
function oracle({ root }: Tree): string | null {
  const leaves: { readonly keys: readonly (readonly [number, string])[]; readonly node: TreeNode }[] = [];
  const visit = (one: TreeNode, keys: readonly (readonly [number, string])[]): void => {
    const here = [...keys, [one.order, one.id] as const];
    if (one.children.length === 0) leaves.push({ keys: here, node: one });
    for (const child of one.children) visit(child, here);
  };
  visit(root, []);
  leaves.sort((a, b) => {
    for (const [index, [order, id]] of a.keys.entries()) {
      const [otherOrder, otherId] = b.keys[index] ?? [order, id];
      if (order !== otherOrder) return order - otherOrder;
      if (id !== otherId) return id < otherId ? -1 : 1;
    }
    return 0;
  });
  return leaves.find(({ node: leaf }) => !leaf.passes)?.node.id ?? null;
}

describe("selection", () => {
  test("takes the leaf that a naive search takes", () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const canonical = canonicaliseTree(tree);
        expect(selectLeaf(canonical)?.leaf.id ?? null).toBe(oracle(canonical));
      }),
    );
  });

  test("does not depend on how siblings stand in the file", () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const turned = (one: TreeNode): TreeNode => ({
          ...one,
          children: one.children.map(turned).toReversed(),
        });
        const other = canonicaliseTree({ ...tree, root: turned(tree.root) });
        expect(selectLeaf(other)?.leaf.id).toBe(selectLeaf(canonicaliseTree(tree))?.leaf.id);
      }),
    );
  });

  test("proves itself: what stands before passes, what stands after has a larger key", () => {
    const children = [
      node("b", { order: 1 }),
      node("a", { order: 1 }),
      node("z", { order: 0, passes: true }),
      node("c", { order: 2 }),
    ];
    const selection = selectLeaf({ version: 1, root: node("root", { children }) });
    expect(selection?.path.map(({ id }) => id)).toEqual(["root", "a"]);
    expect(selection === null ? null : explainSelection(selection)).toEqual([
      {
        parent: "root",
        chosen: "a",
        before: [{ id: "z", reason: "passes", words: "passes already" }],
        after: [
          { id: "b", reason: "later_id", words: 'the same order, and "b" sorts after "a"' },
          { id: "c", reason: "later_order", words: "order 2 is after 1" },
        ],
      },
    ]);
  });
});

function problem(root: object): unknown {
  const read = readTree(bytes({ version: 1, root }));
  return read.kind === "tree" ? [] : read.problems.map(({ path }) => path);
}

describe("the file", () => {
  test("what is read and written again is the same to the byte", () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const text = writeTree(tree);
        const read = readTree(encoder.encode(text));
        expect(read.kind === "tree" ? writeTree(read.tree) : read.problems).toBe(text);
      }),
    );
  });

  test("a parent passes exactly when all of its children do", () => {
    const half = node("root", { passes: true, children: [node("a", { passes: true }), node("b")] });
    expect(canonicaliseTree({ version: 1, root: half }).root.passes).toBe(false);
    const whole = node("root", { children: [node("a", { passes: true })] });
    expect(canonicaliseTree({ version: 1, root: whole }).root.passes).toBe(true);
  });

  const { goal: _goal, ...withoutGoal } = node("a");

  test.each([
    ["a missing field", { ...node("root"), children: [withoutGoal] }, ["root.children[0].goal"]],
    ["an extra field", { ...node("root"), mode: "x" }, ["root.mode"]],
    ["an extra field far below", { ...node("root"), children: [{ ...node("a"), note: 1 }] }, ["root.children[0].note"]],
    [
      "an id that occurs twice",
      node("root", { children: [node("a"), node("b", { children: [node("a")] })] }),
      ["root.children[1].children[0].id"],
    ],
    ["an id that is no file name", node("../x"), ["root.id"]],
    ["an order that is no integer", node("root", { order: 0.5 }), ["root.order"]],
    ["a passed node with an open child", node("root", { passes: true, children: [node("a")] }), ["root.passes"]],
    ["several at once", { ...node("root"), attempts: -1, title: 3 }, ["root.title", "root.attempts"]],
    [
      "what the shape does not tell beside what it does",
      {
        ...node("root", { passes: true, children: [node("a"), node("b"), node("a", { order: 0.5 })] }),
        extra: 1,
      },
      ["root.extra", "root.children[2].order", "root.passes", "root.children[2].id"],
    ],
    ["nothing", node("root"), []],
  ])("%s is reported with its place", (_name, root, paths) => {
    expect(problem(root)).toEqual(paths);
  });

  test("what is no JSON, what has a key twice and what is nested without end are refused", () => {
    for (const text of ["", "{", '{"version":1,"version":1}', `{"root":${'{"children":['.repeat(5000)}`])
      expect(readTree(encoder.encode(text)).kind).toBe("invalid");
  });
});
