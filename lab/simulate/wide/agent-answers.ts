/** The documents that agents leave: tasks, results, receipts, signals, votes. */
import { readTree } from "../../../src/workflows/pure/read-tree.ts";
import { writeTree } from "../../../src/workflows/pure/tree-nodes.ts";
import type { TreeNode } from "../../../src/records/tree.ts";
import type { AgentCall } from "./agents-model.ts";
import type { World } from "./world.ts";

export function writeAnswer({ world }: AgentCall): string {
  const kind = world.isBad()
    ? world.pick(["verify", "question", "stop", "continue", "wrong", "unknown check", "again"] as const)
    : world.random.below(9) === 0
      ? "stop"
      : "work";
  if (kind === "wrong") return JSON.stringify({ task_id: "t", task_kind: "execute" });
  const name = kind === "again" ? "again" : world.makeName();
  const ids = { task_id: `task-${name}`, milestone_id: `m-${Math.floor(world.draws / 60)}` };
  if (kind === "stop" || kind === "continue") return JSON.stringify({ ...ids, control: { action: kind } });
  const checks = kind === "unknown check" ? ["none"] : world.pick([["fast"], ["fast"], []]);
  const work = {
    ...ids,
    intent: `do ${name}`,
    scope: { allowed_globs: ["src/**"], forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false },
    diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
    verification: { fast: checks, slow: world.pick([[], ["slow"]]) },
  };
  if (kind === "question")
    return JSON.stringify({ ...work, task_kind: "question", question: { prompt: "which?", choices: ["a", "b"] } });
  if (kind === "verify") return JSON.stringify({ ...work, task_kind: "verify_only" });
  return JSON.stringify({ ...work, task_kind: "execute", builder: { mode: "command", instructions: `do ${name}` } });
}

export function writeResult(call: AgentCall): string {
  const { world, session } = call;
  switch (session.work.brief.schema) {
    case "goal_receipt":
      return JSON.stringify({ receipt: `Progress made ${world.makeName()}` });
    case "campaign_signal":
      return writeSignal(call);
    case "tree_result":
      return writeIteration(call);
    default:
      return JSON.stringify({ summary: "done", files_intended: [], commands_ran: [], notes: [] });
  }
}

/** The address is part of the task, and the nonce is that of the world. */
function makeAddress({ world, session }: AgentCall, taskId: string) {
  const [, iteration = "0", story = "ALL"] = /^(?:iter|verify)-(\d+)-(.+)$/.exec(taskId) ?? [];
  const { slug = "model" } = { slug: session.work.task?.milestone_id.split("-")[1] };
  return { slug, iteration: Number(iteration), story, nonce: world.watch.nonce };
}

function writeSignal(call: AgentCall): string {
  const { world, session, files } = call;
  const address = makeAddress(call, session.work.task?.task_id ?? "");
  const status = world.isBad() ? world.pick(["continue", "blocked", "verify"] as const) : "verify";
  const lie = world.isBad() && world.random.below(3) === 0 ? { nonce: "stale" } : {};
  if (status === "verify")
    files.set(
      "done-claim.json",
      JSON.stringify({ kind: "claim", ...address, criteria: [], changes: listChanges(world) }),
    );
  files.set("memory.md", `memory ${world.makeName()}`);
  files.set("context-latest.md", `context ${world.makeName()}`);
  return JSON.stringify({ kind: "signal", ...address, ...lie, status, summary: "worked" });
}

function listChanges(world: World): readonly object[] {
  if (world.isBad()) return [];
  return [...world.repository.files.keys()]
    .filter((path) => path.startsWith("src/"))
    .map((path) => ({ path, issue: 1 }));
}

function writeIteration(call: AgentCall): string {
  const { world, files } = call;
  const status = world.isBad() ? world.pick(["retry", "decomposed", "done"] as const) : "done";
  if (status === "decomposed" || (world.isBad() && world.random.below(3) === 0))
    files.set("tree.json", proposeTree(world));
  return JSON.stringify({ status, summary: "worked" });
}

/** Takes the first open leaf apart, breaks a rule, or is no tree. */
function proposeTree(world: World): string {
  const read = readTree(Buffer.from(world.repository.files.get("relais/tree.json") ?? ""));
  const deed = world.pick(["split", "split", "pass", "broken"] as const);
  if (read.kind !== "tree" || deed === "broken") return "{";
  const child = makeNode(`n${world.makeName()}`);
  const change = (node: TreeNode): TreeNode => {
    if (node.children.length > 0) return { ...node, children: node.children.map(change) };
    if (node.passes) return node;
    return deed === "pass" ? { ...node, passes: true } : { ...node, children: [child] };
  };
  return writeTree({ version: 1, root: change(read.tree.root) });
}

export function makeNode(id: string, children: readonly TreeNode[] = []): TreeNode {
  const own = { id, order: 1, title: id, goal: id, acceptance: [], passes: false };
  return { ...own, attempts: 0, max_attempts: 2, children };
}

export function writeReview(call: AgentCall): string {
  const { world, session } = call;
  const plan = session.work.review?.plan;
  if (plan?.schema === "goal_decision") return writeGoalDecision(call);
  if (plan?.schema === "campaign_verdict") return writeVerdict(call);
  const isRefused = world.isBad();
  const decision = isRefused ? "refuse" : "approve";
  return JSON.stringify({ decision, explanation: "looked", reasons: isRefused ? ["not yet"] : [] });
}

function writeGoalDecision({ world, session, name }: AgentCall): string {
  const decision = world.isBad() ? world.pick(["continue", "blocked", "lie"] as const) : "complete";
  const isComplete = decision === "complete" || decision === "lie";
  const approves = decision === "complete";
  world.watch.series.voted(session.tick.runId, { subject: "goal", name: name ?? "", approves });
  return JSON.stringify({
    decision: decision === "lie" ? "complete" : decision,
    // A lie cites nothing.
    evidence: decision === "complete" ? ["the checks passed"] : [],
    gaps: isComplete ? [] : ["a gap"],
    blocker: decision === "blocked" ? "no access" : null,
    blocker_id: decision === "blocked" ? "no-access" : null,
    confidence_score: 0.5,
    explanation: "looked",
  });
}

function writeVerdict(call: AgentCall): string {
  const { world, session } = call;
  const address = makeAddress(call, session.work.task?.task_id ?? "");
  const verdict = world.isBad() ? world.pick(["fail", "request_info", "blocked", "fail"] as const) : "pass";
  const vote = { subject: address.story, name: call.name ?? "", approves: verdict === "pass" };
  world.watch.series.voted(session.tick.runId, vote);
  const criterion = `${address.story === "ALL" ? "US-001" : address.story} AC1`;
  const issue = { criterion, severity: "major", description: "wrong", fix_hint: null };
  return JSON.stringify({
    kind: "verdict",
    ...address,
    verdict,
    summary: "looked",
    evidence: verdict === "pass" ? ["it works"] : [],
    issues: verdict === "fail" ? [issue] : [],
    questions: verdict === "request_info" ? ["why?"] : [],
    blocker: verdict === "blocked" ? "no access" : null,
  });
}
