import type { Tree, TreeNode } from "../records/tree.ts";
import { selectLeaf, compareSiblings } from "../workflows/pure/tree-nodes.ts";
import type { AgentEvent } from "../records/agent-event.ts";
import type { Code } from "../base/codes.ts";
import type { Config } from "../config/config.ts";
import type { SeriesOptions } from "../records/series.ts";
import type { SessionLimits, LiveEvent } from "../records/live-event.ts";
import type { WorkspaceState } from "../records/state.ts";
import type { CampaignState } from "../workflows/pure/campaign-state.ts";
import type { GoalState } from "../workflows/pure/goal-state.ts";
import type { TickState } from "../tick/pure/tick-state.ts";
import type { TickEvent } from "../records/event.ts";

export interface OutlineNode {
  readonly node: TreeNode;
  readonly depth: number;
  readonly isOnPath: boolean;
  readonly isLeaf: boolean;
}

/** What may be shown of a tree. It is made once for each tree and not for each frame, because a tree may be large. */
export interface TreeOutline {
  readonly nodes: readonly OutlineNode[];
  /** Where the nodes on the way to the next leaf stand among them. */
  readonly path: readonly number[];
  /** Where the leaf itself stands; where there is none, the first one. */
  readonly leafAt: number;
}

/** Only the way to the next leaf is unfolded; everything beside it stays closed. */
export function renderTreeOutline(tree: Tree): TreeOutline {
  const selection = selectLeaf(tree);
  const way = new Set((selection?.path ?? [tree.root]).map(({ id }) => id));
  const nodes: OutlineNode[] = [];
  const path: number[] = [];
  const visit = (node: TreeNode, depth: number): void => {
    const isOnPath = way.has(node.id);
    if (isOnPath) path.push(nodes.length);
    nodes.push({ node, depth, isOnPath, isLeaf: node.id === selection?.leaf.id });
    if (isOnPath) for (const child of node.children.toSorted(compareSiblings)) visit(child, depth + 1);
  };
  visit(tree.root, 0);
  return { nodes, path, leafAt: selection === null ? 0 : (path.at(-1) ?? 0) };
}

/** What is known of ticks that run right now: a fold of everything that was seen, from which each frame is drawn. */

export interface LiveModel {
  /** What was typed, without the name of the program; null where another process runs it. */
  readonly command: string | null;
  /** Null before anything was seen. */
  readonly seriesId: string | null;
  /** What was asked of the series; null where a tick stands alone. */
  readonly options: SeriesOptions | null;
  readonly limits: SessionLimits;
  /** How many ticks of the series are over and count. */
  readonly ticks: number;
  readonly tick: LiveTick | null;
  /** Those whose sessions run, and those of this tick that have ended. */
  readonly agents: readonly LiveAgent[];
  /** The last ticks, the newest last. */
  readonly recent: readonly LiveVerdict[];
  readonly spent: LiveSpending | null;
  readonly wait: LiveWait | null;
  readonly question: LiveQuestion | null;
  readonly tree: LiveTree | null;
  readonly goal: GoalState | null;
  readonly campaign: CampaignState | null;
  /** A line for each running job of the queue. */
  readonly jobs: readonly string[];
  /** Whether the series, or the tick that stands alone, is over. */
  readonly isOver: boolean;
}

interface LiveTick {
  readonly runId: string;
  readonly seriesId: string;
  readonly state: TickState;
  readonly startedMs: number;
  /** When the current phase began. */
  readonly phaseMs: number;
}

export interface LiveAgent {
  readonly speaker: string;
  readonly startedMs: number;
  /** The last thing that it did, and when; null where nothing was heard yet. */
  readonly doing: AgentEvent | null;
  readonly doingMs: number;
  /** The last words that it said. */
  readonly said: string | null;
  readonly tools: number;
  readonly usage: Extract<AgentEvent, { type: "usage" }> | null;
}

export interface LiveVerdict {
  readonly code: Code;
  /** The words of a turn that leads to the next one; null for every other tick. */
  readonly turn: string | null;
  readonly intent: string | null;
  readonly durationMs: number;
}

interface LiveSpending {
  readonly state: WorkspaceState;
  readonly budgets: Config["budgets"];
}

export interface LiveWait {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Whether a service has refused, and it is not a pause of our own. */
  readonly isLimit: boolean;
}

interface LiveQuestion {
  readonly prompt: string;
  readonly choices: readonly string[];
}

export interface LiveTree {
  readonly outline: TreeOutline;
  readonly maxIterations: number;
  readonly nodes: number;
  readonly passed: number;
}

export function createLive(command: string | null): LiveModel {
  return {
    command,
    seriesId: null,
    options: null,
    limits: { orchestrator: null, builder: null, reviewer: null },
    ticks: 0,
    tick: null,
    agents: [],
    recent: [],
    spent: null,
    wait: null,
    question: null,
    tree: null,
    goal: null,
    campaign: null,
    jobs: [],
    isOver: false,
  };
}

/** The agents of a tick: their sessions, and the last event of each. */

export function updateAgents(
  agents: readonly LiveAgent[],
  { speaker, event, atMs }: Extract<LiveEvent, { kind: "agent" }>,
): readonly LiveAgent[] {
  const known = agents.find((one) => one.speaker === speaker) ?? createAgent(speaker, atMs);
  const next = event.type === "usage" ? { ...known, usage: event } : updateAgent(known, event, atMs);
  return [...agents.filter((one) => one.speaker !== speaker), next].toSorted(compareStarts);
}

function updateAgent(agent: LiveAgent, event: NonNullable<LiveAgent["doing"]>, atMs: number): LiveAgent {
  return {
    ...agent,
    doing: event,
    doingMs: atMs,
    said: event.type === "text" ? event.text : agent.said,
    tools: agent.tools + (event.type === "tool_call" ? 1 : 0),
  };
}

function compareStarts(a: LiveAgent, b: LiveAgent): number {
  if (a.startedMs !== b.startedMs) return a.startedMs - b.startedMs;
  return a.speaker < b.speaker ? -1 : 1;
}

function createAgent(speaker: string, atMs: number): LiveAgent {
  return { speaker, startedMs: atMs, doing: null, doingMs: atMs, said: null, tools: 0, usage: null };
}

/** The sessions that begin with an event; a retry starts a new session. */
export function startSessions(agents: readonly LiveAgent[], event: TickEvent, atMs: number): readonly LiveAgent[] {
  const speakers = findSpeakers(event);
  if (speakers.length === 0) return agents;
  const kept = agents.filter(({ speaker }) => !speakers.includes(speaker));
  return [...kept, ...speakers.map((speaker) => createAgent(speaker, atMs))];
}

function findSpeakers(event: TickEvent): readonly string[] {
  if (event.type === "plan_started") return ["orchestrator"];
  if (event.type === "build_started")
    return event.kept === undefined && event.driver !== "patch" ? listBuilders(event) : [];
  return [];
}

export const nameAttempt = ({ number, task }: { readonly number: number; readonly task?: string }): string =>
  task ?? `attempt ${number}`;

function listBuilders({ attempts, tasks }: Extract<TickEvent, { type: "build_started" }>): readonly string[] {
  if (attempts === undefined) return ["builder"];
  if (tasks !== undefined) return tasks;
  return Array.from({ length: attempts }, (_, index) => nameAttempt({ number: index + 1 }));
}
