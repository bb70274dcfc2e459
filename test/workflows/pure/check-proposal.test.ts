import { expect, test } from "vitest";
import type { Tree, TreeNode } from "../../../src/records/tree.ts";
import { findProposalProblems } from "../../../src/workflows/pure/check-proposal.ts";
import { node } from "../../support/tree-node.ts";

const CAPS = { max_attempts: 3 };
const done = node("done", { order: 1, passes: true });
const open = node("open", { order: 2, attempts: 1 });
const group = node("group", { order: 3, children: [node("inner")] });
const tree = (...children: readonly TreeNode[]): Tree => ({ version: 1, root: node("root", { children }) });
const BEFORE = tree(done, open, group);

const listNodes = (count: number) => Array.from({ length: count }, (_, at) => node(`n${at}`));
const chain = (depth: number): TreeNode => node(`d${depth}`, { children: depth === 0 ? [] : [chain(depth - 1)] });

test.each<readonly [string, Tree, readonly RegExp[]]>([
  ["nothing", BEFORE, []],
  ["another order of the file", tree(group, open, done), []],
  ["a new child", tree(done, { ...open, children: [node("new")] }, group), []],
  ["another goal of an open node", tree(done, { ...open, goal: "Something else" }, group), []],
  ["an open node under another parent", tree(done, { ...group, children: [node("inner"), open] }), []],
  ["a passed node is changed", tree({ ...done, title: "Other" }, open, group), [/"done" is final.*title/]],
  ["a passed node gets a child", tree({ ...done, children: [node("x")] }, open, group), [/"done" is final.*children/]],
  ["a passed node is ordered anew", tree({ ...done, order: 9 }, open, group), [/"done" is final.*order/]],
  ["a passed node is moved", tree(open, { ...group, children: [node("inner"), done] }), [/"done" was moved/]],
  ["a passed node is missing", tree(open, group), [/passed node "done" is missing/]],
  ["a node is passed by hand", tree(done, { ...open, passes: true }, group), [/`passes` true/]],
  ["attempts are taken back", tree(done, { ...open, attempts: 0 }, group), [/`attempts` 0/]],
  ["more attempts are granted", tree(done, { ...open, max_attempts: 9 }, group), [/`max_attempts` 9/]],
  ["acceptance is weakened", tree(done, { ...open, acceptance: [] }, group), [/another acceptance/]],
  ["an open node is dropped", tree(done, open, { ...group, children: [] }), [/open node "inner" is missing/]],
  [
    "a new node begins with a pass",
    tree(done, open, group, node("new", { passes: true })),
    [/new node "new" has `passes`/],
  ],
  ["a new node begins with attempts", tree(done, open, group, node("new", { attempts: 1 })), [/`attempts` 1/]],
  ["a new node has other attempts", tree(done, open, group, node("new", { max_attempts: 1 })), [/`max_attempts` 1/]],
  ["too deep", tree(done, open, group, chain(6)), [/"d0" is 7 levels below.*6 are the most/]],
  ["too wide", tree(done, open, group, ...listNodes(10)), [/"root" has 13 children.*12 are the most/]],
  ["another root", { version: 1, root: node("other", { children: [BEFORE.root] }) }, [/root must stay "root"/]],
])("%s", (_name, after, expected) => {
  const problems = findProposalProblems(BEFORE, after, CAPS);
  expect(problems).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(problems[index]).toMatch(pattern);
});

test("what a person made wider than the caps may stay so, and may not grow", () => {
  const wide = tree(...listNodes(13));
  expect(findProposalProblems(wide, wide, CAPS)).toEqual([]);
  const wider = tree(...wide.root.children, node("one-more"));
  expect(findProposalProblems(wide, wider, CAPS)).toHaveLength(1);
});
