import { parseWith } from "../../base/schema-error.ts";
import { type Tree, TreeResult } from "../../records/tree.ts";
import { extractAnswer } from "../../base/strict-json.ts";
import type { BuilderBrief, BuilderWords } from "./workflow.ts";
import { writeTree } from "./tree-nodes.ts";
import { findProposalProblems } from "./check-proposal.ts";
import type { IterationFacts } from "./iteration-facts.ts";
import { readTree } from "./read-tree.ts";

export const TREE_FILE = "tree.json";
export const UNREADABLE = "tree_unreadable";

const PROBLEMS_MAX = 12;

type ReadResult = ReturnType<BuilderBrief["read"]>;

export function readIteration(left: BuilderWords, facts: IterationFacts): ReadResult {
  const { result, proposals, refused } = left;
  const extracted = extractAnswer(result);
  if (extracted.kind === "refused") return refuseIteration(`result_${extracted.cause}`, [extracted.message]);
  const said = parseWith(TreeResult, extracted.value);
  if (said.kind === "invalid")
    return refuseIteration(
      "result_invalid",
      said.problems.map(({ message }) => message),
    );
  // A refused file was meant to last, so the session must fix it, like an unreadable tree.
  const lost = [...(refused ?? [])].map(([name, reason]) => `${name} in the drop folder was not taken: ${reason}`);
  if (lost.length > 0) return refuseIteration("proposal_refused", lost);
  const data = proposals.get(TREE_FILE);
  const { status, summary } = said.value;
  if (data === undefined) return { kind: "valid", summary, data: { status, tree_changed: false } };
  const read = readTree(data);
  if (read.kind === "invalid")
    return refuseIteration(
      UNREADABLE,
      read.problems.map(({ message }) => message),
    );
  const problems = findProposalProblems(facts.tree, read.tree, facts.settings);
  if (problems.length > 0) return refuseIteration("tree_refused", problems);
  const isChanged = writeTree(read.tree) !== writeTree(facts.tree);
  return { kind: "valid", summary, data: { status, tree_changed: isChanged } };
}

function refuseIteration(cause: string, problems: readonly string[]): ReadResult {
  const more = problems.length > PROBLEMS_MAX ? [`and ${problems.length - PROBLEMS_MAX} more`] : [];
  return { kind: "invalid", cause, message: [...problems.slice(0, PROBLEMS_MAX), ...more].join("; ") };
}

export function findProposedTree(proposals: BuilderWords["proposals"]): Tree | null {
  const data = proposals.get(TREE_FILE);
  const read = data === undefined ? null : readTree(data);
  return read?.kind === "tree" ? read.tree : null;
}
