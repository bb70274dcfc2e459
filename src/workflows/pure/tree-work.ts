import * as v from "valibot";
import { parseWith } from "../../base/schema-error.ts";
import { GUARD, type Tree, type TreeNode, TreeResult } from "../../records/tree.ts";
import { extractAnswer } from "../../base/strict-json.ts";
import {
  type BuilderBrief,
  type BuilderWords,
  type EndedWork,
  makeCeiling,
  type OwnRecord,
  type Work,
} from "./workflow.ts";
import { isExhausted, listTreeNodes, writeTree } from "./tree-nodes.ts";
import { findProposalProblems } from "./check-proposal.ts";
import {
  classify,
  DOCUMENT_BYTES_MAX,
  type IterationFacts,
  MEMORY_DOCUMENTS,
  type PromptFacts,
  type TreeSettings,
} from "./iteration-facts.ts";
import { readTree, TREE_BYTES_MAX } from "./read-tree.ts";
import type { Code } from "../../base/codes.ts";
import type { TreeIteration } from "../../records/tree-iteration.ts";
import { describeRejection } from "../../tick/pure/rejection-words.ts";
import { findBuilt, findFindings, findVerification } from "../../tick/pure/tick-facts.ts";
import type { JudgedFacts } from "../../tick/pure/tick-state.ts";
import type { Config } from "../../config/config.ts";
import type { Task } from "../../records/task.ts";
import { findConfiguredReview } from "../../checks/pure/review-plan.ts";
import { readConfiguredMode } from "../../tick/pure/task-admission.ts";
import { shorten } from "../../base/words.ts";
import { type Check, isSameCommand } from "../../checks/pure/verification-plan.ts";
import { composeTreePrompt } from "./tree-prompt.ts";

export const TREE_FILE = "tree.json";
const UNREADABLE = "tree_unreadable";

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

/**
 * The result of an iteration: the tree that the runner writes, and the record of the iteration. A leaf passes only if
 * something outside the workspace changed, the session reports it as done, and the guard passes. An agent's failure
 * costs an attempt; a failure of the machine or the runner is no iteration.
 */

const NOT_THE_AGENT: readonly Code[] = ["STOP_RATE_LIMITED", "STOP_TICK_TIMEOUT", "STOP_UNDECIDED"];

/** Of each log that is kept of an iteration. */
const LOG_BYTES_MAX = 1024 * 1024;

/** Null if the tick was interrupted without the agent's fault. */
function endIteration(facts: IterationFacts, ended: EndedWork): OwnRecord | null {
  if (isRunnerError(ended)) return null;
  const { seriesId, proposals } = ended;
  const isKept = ended.action === "commit";
  const proposed = isKept ? findProposedTree(proposals) : null;
  const iteration = summariseIteration(facts, ended, proposed ?? facts.tree);
  const text = writeTree(updateTree(proposed ?? facts.tree, facts, iteration));
  const { iter_n, selected_leaf_id, classification, guard } = iteration;
  const number = String(iter_n).padStart(4, "0");
  return {
    files: { "tree.json": text, ...(isKept ? listChangedDocuments(facts, proposals) : {}) },
    subject: `chore(loop): run ${seriesId} iter ${number} node ${selected_leaf_id} ${classification} guard=${guard}`,
    data: iteration,
    logs: { "tree.before.json": writeTree(facts.tree), "tree.after.json": text },
    copies: {
      bytesMax: LOG_BYTES_MAX,
      names: { "executor.log": "builder.log", ...(guard === "skipped" ? {} : { "guard.log": "verify.log" }) },
    },
  };
}

/** Only a judged change says something about the agent; a later signal or disk failure does not. */
function isRunnerError({ facts, outcome: { code } }: EndedWork): boolean {
  if (NOT_THE_AGENT.includes(code)) return true;
  return code === "STOP_INTERRUPTED" && findBuilt(facts)?.failure?.code !== "STOP_INTERRUPTED";
}

function summariseIteration(facts: IterationFacts, ended: EndedWork, after: Tree): TreeIteration {
  const { selection, kind, iterN } = facts;
  const classification = classify(facts, ended.facts);
  const guard = readGuardResult(ended.facts);
  const part = { classification, guard } as const;
  const outcome = decideOutcome(facts, ended, { ...part, after });
  return {
    iter_n: iterN,
    kind,
    selected_leaf_id: selection.leaf.id,
    selected_leaf_path: selection.path.map(({ id }) => id),
    ...part,
    outcome,
    feedback:
      outcome === "attempt" ? writeFeedbackLines(ended, { kind, classification }).join("\n").slice(0, CHARS_MAX) : null,
    unreadable: findBuilt(ended.facts)?.failure?.cause === UNREADABLE,
  };
}

function readGuardResult(facts: JudgedFacts): TreeIteration["guard"] {
  const verified = findVerification(facts);
  const run = verified?.runs.find(({ template_id }) => template_id === GUARD);
  if (run === undefined) return "skipped";
  return run.exit_code === 0 && verified?.code === null ? "pass" : "fail";
}

interface IterationMeasure extends Pick<TreeIteration, "classification" | "guard"> {
  readonly after: Tree;
}

function decideOutcome(
  { kind, selection: { leaf } }: IterationFacts,
  { facts, outcome }: EndedWork,
  { classification, guard, after }: IterationMeasure,
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

const IterationWords = v.object({ status: TreeResult.entries.status, tree_changed: v.boolean() });

function readIterationWords(facts: JudgedFacts): {
  readonly status: TreeResult["status"];
  readonly isTreeChanged: boolean;
} {
  const said = v.safeParse(IterationWords, findBuilt(facts)?.data);
  if (!said.success) return { status: "retry", isTreeChanged: false };
  return { status: said.output.status, isTreeChanged: said.output.tree_changed };
}

/** Whether the leaf was split or rewritten. */
function isRewritten(leaf: TreeNode, after: Tree): boolean {
  const now = listTreeNodes(after).find(({ node }) => node.id === leaf.id)?.node;
  if (now === undefined) return false;
  return now.children.length > 0 || now.title !== leaf.title || now.goal !== leaf.goal;
}

/** Adds what only the runner records. */
function updateTree(tree: Tree, { selection }: IterationFacts, { outcome }: TreeIteration): Tree {
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

/** Only documents that are valid text and differ from before. */
function listChangedDocuments(
  { documents }: IterationFacts,
  proposals: BuilderWords["proposals"],
): Readonly<Record<string, string>> {
  const changed = MEMORY_DOCUMENTS.flatMap((name) => {
    const text = decodeText(proposals.get(name));
    return text === null || text === documents[name] ? [] : [[name, text] as const];
  });
  return Object.fromEntries(changed);
}

function decodeText(data: Uint8Array | undefined): string | null {
  if (data === undefined) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return null;
  }
}

const FINDINGS_MAX = 10;
const CHARS_MAX = 3500;

function writeFeedbackLines(
  ended: EndedWork,
  { kind, classification }: Pick<TreeIteration, "kind" | "classification">,
): readonly string[] {
  if (ended.outcome.code !== "SUCCESS") return writeFailureLines(ended);
  if (kind === "demand")
    return ["The leaf has no attempts left and was neither taken apart into children nor rewritten."];
  if (kind === "repair") return ["The tree was not repaired: the proposal changed nothing."];
  return writeIdleLines(ended, classification);
}

function writeIdleLines({ facts }: EndedWork, classification: TreeIteration["classification"]): readonly string[] {
  const built = findBuilt(facts);
  const said = `It said: ${built?.summary ?? "nothing"}`;
  if (built?.data?.["status"] === "retry") return ["The session asked for another attempt.", said];
  if (classification === "decompose")
    return ["Neither the tree nor anything outside the workspace changed, so nothing was done.", said];
  return ["The tree was said to be decomposed, and it was not changed.", said];
}

function writeFailureLines({ action, facts, outcome: { code, cause, message } }: EndedWork): readonly string[] {
  const built = findBuilt(facts);
  const findings = findFindings(facts).slice(0, FINDINGS_MAX);
  const hasReason = built !== null && built.failure !== null && built.summary !== null;
  return [
    `The attempt ended with ${code}${cause === null ? "" : ` (${cause})`}.`,
    action === "rollback" ? "All of its changes were reverted." : "Its changes are committed.",
    ...(hasReason ? [`Reason: ${built.summary}`] : []),
    ...(code === "STOP_REVIEW_REFUSED" && message !== null ? [`The reviewers: ${message}`] : []),
    ...(code === "STOP_REJECTED" ? [describeRejection(message)] : []),
    ...findings.map(({ subject, rule }) => `- ${subject}: ${rule}`),
  ];
}

/** Read from the repository and from the files of the last iteration. */
export interface Materials extends Pick<PromptFacts, "goal" | "sidecars" | "guardFiles" | "guardOutput"> {
  readonly documents: IterationFacts["documents"];
  /** Whether there is something that the guard can run: the work may have to write it first. */
  readonly isGuardThere: boolean;
  /** The unreadable proposal of the last iteration. */
  readonly brokenTree: string | null;
}

interface WorkFacts extends PromptFacts, Pick<Materials, "brokenTree" | "isGuardThere"> {
  /** Each series has its own account, so that costs of an earlier one do not end it. */
  readonly seriesId: string;
  /** The checks that a written configuration requires besides the guard. */
  readonly required: readonly Check[];
  readonly tools: readonly string[] | null;
}

export function planIteration(facts: WorkFacts, config: Config): Work {
  const { settings } = facts;
  const guard = makeGuardCheck(settings);
  const others = facts.required.filter((check) => !isSameCommand(check, guard));
  const checks = [guard, ...others];
  return {
    task: makeTask(facts, config),
    ceiling: makeCeiling(settings.diff_limits),
    brief: makeBrief(facts),
    checks: {
      max: checks.length,
      known: checks,
      ...(facts.iterN === 1 ? { base: facts.isGuardThere ? checks : others } : {}),
      choose: (change) => (isGuarded(facts, change) ? checks : []),
    },
    review: findConfiguredReview(config.review),
    settle: { onSuccess: "commit", onFailure: "commit" },
    maxSeconds: settings.iteration_timeout_seconds,
    hasOwnBranch: true,
    record: (ended) => endIteration(facts, ended),
  };
}

/** The guard runs only after work that is reported as done. */
function isGuarded(facts: IterationFacts, change: JudgedFacts): boolean {
  return facts.kind === "work" && classify(facts, change) === "execute" && readIterationWords(change).status === "done";
}

/** It has the rest of the iteration's time, so a timeout ends the tick and not the check. */
export function makeGuardCheck({
  guard: [cmd = "", ...args],
  iteration_timeout_seconds,
}: Pick<TreeSettings, "guard" | "iteration_timeout_seconds">): Check {
  return {
    templateId: GUARD,
    phase: "slow",
    cmd,
    args,
    timeoutSeconds: iteration_timeout_seconds,
    stopCode: "STOP_GUARD_FAILED",
  };
}

function makeBrief(facts: WorkFacts): BuilderBrief {
  const { sidecars, brokenTree, kind } = facts;
  const { context, tools } = sidecars;
  return {
    prompt: composeTreePrompt(facts),
    files: {
      [TREE_FILE]: writeTree(facts.tree),
      ...facts.documents,
      ...(kind === "repair" && brokenTree !== null ? { "tree.broken.json": brokenTree } : {}),
      ...(context === null ? {} : { "context.md": context }),
      ...(tools === null ? {} : { "tools.json": tools }),
    },
    proposals: {
      [TREE_FILE]: TREE_BYTES_MAX,
      ...Object.fromEntries(MEMORY_DOCUMENTS.map((name) => [name, DOCUMENT_BYTES_MAX] as const)),
    },
    ...(facts.tools === null ? {} : { tools: facts.tools }),
    schema: "tree_result",
    isStrict: true,
    read: (left) => readIteration(left, facts),
  };
}

function makeTask(facts: WorkFacts, config: Config): Task {
  const { selection, settings, kind, guardFiles, seriesId } = facts;
  const { leaf } = selection;
  const { scope, diff_limits } = settings;
  const mode = readConfiguredMode(config);
  return {
    task_id: `node:${leaf.id}`,
    milestone_id: shorten(`tree-${seriesId}`, 80),
    task_kind: "execute",
    intent: shorten(kind === "work" ? leaf.title : `${kind}: ${leaf.title}`, 1000),
    scope: {
      ...scope,
      forbidden_globs: [...new Set([...scope.forbidden_globs, ...guardFiles])],
    },
    diff_limits,
    verification: { fast: [], slow: [] },
    builder: {
      mode: mode === "patch" ? "claude_code" : mode,
      instructions: `Work on the node ${leaf.id} of the tree, as the prompt says.`,
    },
  };
}
