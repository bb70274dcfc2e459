/** What is known of ticks that run right now: a fold of everything that was seen, from which each frame is drawn. */
import type { AgentEvent } from "../records/agent-event.ts";
import type { Code } from "../base/codes.ts";
import type { Config } from "../config/config.ts";
import type { SeriesOptions } from "../records/series.ts";
import type { SessionLimits } from "../records/live-event.ts";
import type { WorkspaceState } from "../records/state.ts";
import type { CampaignState } from "../workflows/pure/campaign-state.ts";
import type { GoalState } from "../workflows/pure/goal-state.ts";
import type { TickState } from "../tick/pure/tick-state.ts";
import type { TreeOutline } from "./tree-outline.ts";

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
