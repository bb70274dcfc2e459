/**
 * What an iteration comes to: the tree as the runner writes it, and what is remembered.
 *
 * A leaf passes only where three things are true at once: something outside the workspace changed, the session says
 * that it is done, and the guard is green. What is the agent's fault costs an attempt; what is the machine's or the
 * runner's costs nothing and is no iteration at all.
 */
import * as v from "valibot";
import type { Code } from "../../contract/values/codes.ts";
import type { Tree, TreeNode } from "../../contract/workflows/tree.ts";
import type { TreeIteration } from "../../contract/workflows/tree-iteration.ts";
import { TreeResult } from "../../contract/workflows/tree-result.ts";
import { findBuilt, findVerification } from "../tick/tick-facts.ts";
import type { JudgedFacts } from "../tick/tick-state.ts";
import type { BuilderWords } from "../workflow/builder-brief.ts";
import type { EndedWork, OwnRecord } from "../workflow/workflow.ts";
import { writeTree } from "./canonical-tree.ts";
import { classify } from "./classify.ts";
import { describeFeedback } from "./iteration-feedback.ts";
import { GUARD, type IterationFacts } from "./iteration-facts.ts";
import { MEMORY_DOCUMENTS } from "./memory-documents.ts";
import { findProposedTree, UNREADABLE } from "./read-iteration.ts";
import { isExhausted } from "./tree-nodes.ts";

/** What the agent cannot help. */
const NOT_THE_AGENT: readonly Code[] = ["STOP_RATE_LIMITED", "STOP_TICK_TIMEOUT"];

/** The record of an iteration; null where the tick was cut short by something that is not the agent's fault. */
export function endIteration(facts: IterationFacts, ended: EndedWork): OwnRecord | null {
  if (isRunnerError(ended)) return null;
  const { seriesId, proposals } = ended;
  const isKept = ended.action === "commit";
  const proposed = isKept ? findProposedTree(proposals) : null;
  const iteration = iterationOf(facts, ended, proposed ?? facts.tree);
  const text = writeTree(updated(proposed ?? facts.tree, facts, iteration));
  const { iter_n, selected_leaf_id, classification, guard } = iteration;
  const number = String(iter_n).padStart(4, "0");
  return {
    files: { "tree.json": text, ...(isKept ? changedDocuments(facts, proposals) : {}) },
    subject: `chore(loop): run ${seriesId} iter ${number} node ${selected_leaf_id} ${classification} guard=${guard}`,
    data: iteration,
    logs: { "tree.before.json": writeTree(facts.tree), "tree.after.json": text },
    copies: {
      bytesMax: facts.settings.max_log_bytes,
      names: { "executor.log": "builder.log", ...(guard === "skipped" ? {} : { "guard.log": "verify.log" }) },
    },
  };
}

/** Only a judged change says something about the agent; a signal or a lost disk afterwards does not. */
function isRunnerError({ facts, outcome: { code } }: EndedWork): boolean {
  if (NOT_THE_AGENT.includes(code)) return true;
  return code === "STOP_INTERRUPTED" && findBuilt(facts)?.failure?.code !== "STOP_INTERRUPTED";
}

function iterationOf(facts: IterationFacts, ended: EndedWork, after: Tree): TreeIteration {
  const { selection, kind, iterN } = facts;
  const classification = classify(facts, ended.facts);
  const guard = guardOf(ended.facts);
  const part = { classification, guard } as const;
  const outcome = outcomeOf(facts, ended, { ...part, after });
  return {
    iter_n: iterN,
    kind,
    selected_leaf_id: selection.leaf.id,
    selected_leaf_path: selection.path.map(({ id }) => id),
    ...part,
    outcome,
    feedback: outcome === "attempt" ? describeFeedback(ended, { kind, classification }) : null,
    unreadable: findBuilt(ended.facts)?.failure?.cause === UNREADABLE,
  };
}

function guardOf(facts: JudgedFacts): TreeIteration["guard"] {
  const verified = findVerification(facts);
  const run = verified?.runs.find(({ template_id }) => template_id === GUARD);
  if (run === undefined) return "skipped";
  return run.exit_code === 0 && verified?.code === null ? "pass" : "fail";
}

interface Measured extends Pick<TreeIteration, "classification" | "guard"> {
  readonly after: Tree;
}

function outcomeOf(
  { kind, selection: { leaf } }: IterationFacts,
  { facts, outcome }: EndedWork,
  { classification, guard, after }: Measured,
): TreeIteration["outcome"] {
  if (outcome.code !== "SUCCESS") return "attempt";
  const { status, isTreeChanged } = readIterationWords(facts);
  if (kind === "work" && status === "done" && classification === "execute")
    return guard === "pass" ? "passed" : "attempt";
  const isPlanned = {
    demand: isRewritten(leaf, after),
    repair: isTreeChanged,
    work: status !== "retry" && isTreeChanged,
  };
  return isPlanned[kind] ? "planned" : "attempt";
}

const Said = v.object({ status: TreeResult.entries.status, tree_changed: v.boolean() });

/** What the session said, as the journal has it. */
export function readIterationWords(facts: JudgedFacts): {
  readonly status: TreeResult["status"];
  readonly isTreeChanged: boolean;
} {
  const said = v.safeParse(Said, findBuilt(facts)?.data);
  if (!said.success) return { status: "retry", isTreeChanged: false };
  return { status: said.output.status, isTreeChanged: said.output.tree_changed };
}

/** Whether a leaf without attempts left was taken apart, or asks for something else by now. */
function isRewritten(leaf: TreeNode, after: Tree): boolean {
  const now = find(after.root, leaf.id);
  if (now === null) return false;
  return now.children.length > 0 || now.title !== leaf.title || now.goal !== leaf.goal;
}

function find(node: TreeNode, id: string): TreeNode | null {
  if (node.id === id) return node;
  for (const child of node.children) {
    const found = find(child, id);
    if (found !== null) return found;
  }
  return null;
}

/** The tree with what the runner alone records in it. */
function updated(tree: Tree, { selection }: IterationFacts, { outcome }: TreeIteration): Tree {
  const update = (node: TreeNode): TreeNode => {
    if (node.id !== selection.leaf.id) return { ...node, children: node.children.map(update) };
    if (outcome === "passed") return { ...node, passes: node.children.length === 0 };
    if (outcome === "attempt") return { ...node, attempts: node.attempts + 1 };
    // A leaf that was rewritten is another piece of work, with attempts of its own. So is one that the repair of a
    // tree has rewritten that was demanded.
    const isNew = isExhausted(selection.leaf) && isRewritten(selection.leaf, tree);
    return isNew && node.children.length === 0 ? { ...node, attempts: 0 } : node;
  };
  return { version: tree.version, root: update(tree.root) };
}

/** The notes that the session left, as far as they are text and differ from what was there. */
function changedDocuments(
  { documents }: IterationFacts,
  proposals: BuilderWords["proposals"],
): Readonly<Record<string, string>> {
  const changed = MEMORY_DOCUMENTS.flatMap((name) => {
    const text = textOf(proposals.get(name));
    return text === null || text === documents[name] ? [] : [[name, text] as const];
  });
  return Object.fromEntries(changed);
}

function textOf(data: Uint8Array | undefined): string | null {
  if (data === undefined) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return null;
  }
}
