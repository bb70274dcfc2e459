import assert from "node:assert/strict";
import { generateValue } from "../generate-value.ts";
import type { FuzzTarget } from "../target.ts";
import type { Random } from "../../../scripts/random.ts";
import { NodeTools, Tree, type TreeNode, TreeResult } from "../../../src/records/tree.ts";
import { fillTemplate, findTemplateProblem } from "../../../src/tick/pure/framed-section.ts";
import { findFalseCitation, listCitations } from "../../../src/checks/pure/citations.ts";
import { findProposalProblems } from "../../../src/workflows/pure/check-proposal.ts";
import { findProposedTree, readIteration, TREE_FILE } from "../../../src/workflows/pure/tree-work.ts";
import { readNodeTools, readTree } from "../../../src/workflows/pure/read-tree.ts";
import { listTreeNodes, writeTree } from "../../../src/workflows/pure/tree-nodes.ts";

const CAPS = { max_attempts: 3 };
const NODE = {
  goal: "It is there",
  acceptance: ["It passes"],
  passes: false,
  attempts: 0,
  max_attempts: 3,
  children: [],
};
const LEAVES: readonly TreeNode[] = [
  { ...NODE, id: "a", order: 0, title: "A", passes: true },
  { ...NODE, id: "b", order: 1, title: "B", attempts: 1 },
];
const BEFORE: Tree = { version: 1, root: { ...NODE, id: "root", order: 0, title: "All", children: [...LEAVES] } };
const OWNED = ["passes", "attempts", "max_attempts"] as const;
const RESULT = '{"status":"done","summary":"Done."}';
const SLOTS = { GOAL: "{{TASK}}", TASK: "x" };
const REALITY = { linesOf: (path: string) => (path === "src/a.ts" ? 3 : null), runs: [] };

/** What an agent of a tree answers, what a reviewer cites, and templates that people write. */
export const treeAnswers: FuzzTarget = {
  name: "tree-answers",
  seeds: () =>
    [
      writeTree(BEFORE),
      RESULT,
      '{"allowed_tools":["Read","Bash(just *)"]}',
      "file: `src/a.ts:1-3` - it is there",
      "Do {{GOAL}} and {{REPO_SUMMARY}}",
    ].map((seed) => Buffer.from(seed)),
  words: ["passes", '"children":[', '"id":"b"', "command: ", "#L1-L2", ":1:5", "{{TASK}}", "Bash(", "max_attempts"],
  generate,
  check: (data) => {
    checkIteration(data);
    checkTools(data.toString("utf8"));
    checkCitations(data.toString("utf8"));
    checkTemplate(data.toString("utf8"));
  },
};

/** The tree before with a few changed values, or any tree. */
function generate(random: Random): Buffer {
  if (random.below(4) === 0) {
    const schema = random.pick([Tree, TreeResult, NodeTools]) ?? Tree;
    return Buffer.from(JSON.stringify(generateValue(schema, random)) ?? "");
  }
  const change = (node: TreeNode): TreeNode => ({
    ...node,
    ...(random.below(8) === 0 ? { passes: !node.passes } : {}),
    ...(random.below(8) === 0 ? { title: "Other" } : {}),
    ...(random.below(8) === 0 ? { attempts: random.below(4) } : {}),
    ...(random.below(8) === 0 ? { acceptance: ["Less"] } : {}),
    children: [
      ...node.children.filter(() => random.below(10) > 0).map(change),
      ...(random.below(5) === 0 ? [{ ...NODE, id: `n${random.below(5)}`, order: 9, title: "New", children: [] }] : []),
    ],
  });
  return Buffer.from(writeTree({ version: 1, root: change(BEFORE.root) }));
}

/** A proposal that is taken kept everything that was passed or asked for, by a comparison of its own. */
function checkIteration(data: Buffer): void {
  const read = readTree(data);
  const proposals = new Map([[TREE_FILE, data]]);
  const settings = { ...CAPS, guard: ["true"] };
  const facts = Object({ tree: BEFORE, settings });
  const taken = readIteration({ result: Buffer.from(RESULT), proposals, refused: new Map() }, facts);
  readIteration({ result: data, proposals: new Map(), refused: new Map() }, facts);
  if (taken.kind === "invalid") assert(taken.message !== "" && taken.cause !== "", "a refusal without words");
  if (read.kind === "invalid") return assert.equal(taken.kind, "invalid", "a tree that is none was taken");
  const again = readTree(Buffer.from(writeTree(read.tree)));
  assert(again.kind === "tree", "a tree that is not taken again");
  assert.equal(writeTree(again.tree), writeTree(read.tree), "another tree when it is written twice");
  assert.deepEqual(findProposedTree(proposals), read.tree);
  assert.equal(taken.kind === "valid", findProposalProblems(BEFORE, read.tree, CAPS).length === 0);
  if (taken.kind === "valid") checkKept(read.tree);
}

function checkKept(after: Tree): void {
  const is = new Map(listTreeNodes(after).map(({ node }) => [node.id, node]));
  for (const { node } of listTreeNodes(BEFORE)) {
    const kept = is.get(node.id);
    assert(kept !== undefined, `the node ${node.id} is gone`);
    assert.deepEqual(kept.acceptance, node.acceptance, "other criteria");
    // As it is written: JSON knows one zero.
    for (const name of OWNED) assert.equal(JSON.stringify(kept[name]), JSON.stringify(node[name]), `another ${name}`);
    is.delete(node.id);
  }
  for (const node of is.values()) assert(!node.passes && node.attempts === 0, "a new node that has passed");
}

/** A list that cannot be read is not the same as none. */
function checkTools(text: string): void {
  const read = readNodeTools(text);
  if (read.kind === "invalid") return assert(read.problem !== "");
  assert(read.tools !== null && read.tools.length > 0, "no list, or an empty one");
  for (const tool of read.tools) assert.match(tool, /^[A-Za-z][^,\n]*(?:\([^()\n]+\))?$/u);
}

/** Only an existing line of an existing file is true. */
function checkCitations(text: string): void {
  const citations = listCitations(text);
  for (const one of citations) {
    if (one.kind === "command") assert(one.command !== "");
    else if (one.lines !== null) assert(Number.isSafeInteger(one.lines.first) && Number.isSafeInteger(one.lines.last));
  }
  const isFalse = findFalseCitation([text], REALITY) !== null;
  const isTrue = citations.some(
    (one) =>
      one.kind === "file" &&
      one.path === "src/a.ts" &&
      [one.lines?.first ?? 1, one.lines?.last ?? 1].every((line) => line >= 1 && line <= 3),
  );
  assert.equal(isFalse, citations.length > 0 && !isTrue, "a citation is true or false");
}

/** Inserted text is never taken for a slot, and a template without a problem has no slot left. */
function checkTemplate(text: string): void {
  const problem = findTemplateProblem(text, Object.keys(SLOTS));
  const filled = fillTemplate(text, SLOTS);
  assert.equal(filled.split("{{TASK}}").length >= text.split("{{GOAL}}").length, true, "an inserted slot was filled");
  if (problem === null) assert.doesNotMatch(filled.replaceAll("{{TASK}}", ""), /\{\{[A-Z_]+\}\}/u);
}
