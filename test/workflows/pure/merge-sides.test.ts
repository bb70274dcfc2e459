import { expect, test } from "vitest";
import type { Tree, TreeNode } from "../../../src/records/tree.ts";
import { mergeLandedFile, mergeTreeSides } from "../../../src/workflows/pure/landed-files.ts";
import { listTreeNodes, writeTree } from "../../../src/workflows/pure/tree-nodes.ts";
import { node } from "../../support/tree-node.ts";

function tree(...children: TreeNode[]): Tree {
  return { version: 1, root: node("root", { children }) };
}

const ONE = node("one");
const TWO = node("two", { order: 1 });
const BASE = tree(ONE, TWO);

function merge(here: Tree, change: Tree): Tree {
  const merged = mergeTreeSides({ base: BASE, here, change });
  if (merged.kind === "clash") throw new Error(merged.problems.join(" "));
  return merged.tree;
}

function listProblems(here: Tree, change: Tree): readonly string[] {
  const merged = mergeTreeSides({ base: BASE, here, change });
  return merged.kind === "clash" ? merged.problems : [];
}

test("what each side passed passes, and the root when all is done", () => {
  const merged = merge(tree(node("one", { passes: true }), TWO), tree(ONE, node("two", { order: 1, passes: true })));
  expect(listTreeNodes(merged).map(({ node: { id, passes } }) => [id, passes])).toEqual([
    ["root", true],
    ["one", true],
    ["two", true],
  ]);
});

function tried(attempts: number): Tree {
  return tree(node("one", { attempts }), TWO);
}

function count(merged: Tree): number | undefined {
  return merged.root.children[0]?.attempts;
}

test("attempts of one side count, and the same number on both sides counts once", () => {
  expect(count(merge(tried(2), BASE))).toBe(2);
  expect(count(merge(BASE, tried(2)))).toBe(2);
  expect(count(merge(tried(1), tried(1)))).toBe(1);
  expect(count(merge(tried(1), tried(3)))).toBe(3);
});

test("a person's new and rewritten nodes stay beside what passed", () => {
  const here = tree(ONE, node("two", { order: 1, title: "Do it otherwise" }), node("three", { order: 2 }));
  const merged = merge(here, tree(node("one", { passes: true }), TWO));
  expect(merged).toEqual(
    tree(
      node("one", { passes: true }),
      node("two", { order: 1, title: "Do it otherwise" }),
      node("three", { order: 2 }),
    ),
  );
});

test("a leaf that was split stays split, with what passed below it", () => {
  const split = tree(node("one", { children: [node("one-a", { passes: true }), node("one-b", { order: 1 })] }), TWO);
  expect(merge(tree(ONE, node("two", { order: 1, attempts: 1 })), split).root.children[0]?.children).toHaveLength(2);
});

test("a node that one side removed and the other left alone is gone", () => {
  expect(merge(tree(ONE), tree(node("one", { passes: true }), TWO))).toEqual({
    version: 1,
    root: node("root", { passes: true, children: [node("one", { passes: true })] }),
  });
});

test.each<[string, readonly [here: Tree, change: Tree], RegExp]>([
  [
    "both rewrote a node",
    [tree(node("one", { title: "A" }), TWO), tree(node("one", { title: "B" }), TWO)],
    /"one" has another title/,
  ],
  [
    "what passed was rewritten",
    [tree(node("one", { goal: "Another" }), TWO), tree(node("one", { passes: true }), TWO)],
    /"one" passed on one side/,
  ],
  [
    "what passed was split",
    [tree(node("one", { passes: true }), TWO), tree(node("one", { children: [node("a")] }), TWO)],
    /"one" passed on one side/,
  ],
  ["what passed was removed", [tree(TWO), tree(node("one", { passes: true }), TWO)], /"one" was removed on one side/],
  [
    "both added the same id",
    [tree(ONE, TWO, node("x", { goal: "A" })), tree(ONE, TWO, node("x", { goal: "B" }))],
    /"x" has another goal/,
  ],
  [
    "another root",
    [
      { version: 1, root: node("other") },
      { version: 1, root: node("third") },
    ],
    /roots/,
  ],
])("%s: nobody can know what holds", (_name, [here, change], problem) => {
  expect(listProblems(here, change).join(" ")).toMatch(problem);
});

function mergeNotes([base = "", here = "", change = ""]: readonly string[]) {
  const sides = { base: Buffer.from(base), here: Buffer.from(here), change: Buffer.from(change) };
  return mergeLandedFile("FEEDBACK_LOG.md", sides);
}

test("notes of both sides stay; an edit of older notes on both sides is a clash", () => {
  expect(mergeNotes(["a\n", "a\nb\n", "a\nc\n"])).toEqual({ kind: "text", text: "a\nb\nc\n" });
  expect(mergeNotes(["a", "a b", "a c"])).toEqual({ kind: "text", text: "a b\n c" });
  expect(mergeNotes(["a\n", "x\n", "a\nc\n"])).toMatchObject({ kind: "clash" });
});

test("an unreadable tree is a clash", () => {
  const good = Buffer.from(writeTree(BASE));
  expect(mergeLandedFile("tree.json", { base: good, here: Buffer.from("{"), change: good })).toMatchObject({
    kind: "clash",
  });
  expect(mergeLandedFile("tree.json", { base: good, here: null, change: good })).toMatchObject({ kind: "clash" });
});
