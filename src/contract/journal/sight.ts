/**
 * What somebody sees who looks on while ticks run: the one port through which the runner tells of them.
 *
 * Nothing is decided by it. What is in the journal is told from the journal, so that another process that follows it sees
 * the same; only what the agents do right now comes from elsewhere.
 */
import type { AgentEvent } from "../agents/agent-event.ts";
import type { Config } from "../config/config.ts";
import type { JournalLine } from "./event.ts";
import type { WorkspaceState } from "../documents/state.ts";
import type { Tree } from "../workflows/tree.ts";

export type Sight =
  /** From here on it is looked at: what was recorded before, the lines of other series among them. */
  | { readonly kind: "opened"; readonly seriesId: string; readonly lines: readonly JournalLine[] }
  | { readonly kind: "recorded"; readonly line: JournalLine }
  /** What has been spent by now, and what may be. */
  | { readonly kind: "spent"; readonly state: WorkspaceState; readonly budgets: Config["budgets"] }
  /** How long the sessions of the next tick may take; null is as long as the tick. */
  | { readonly kind: "limits"; readonly limits: SessionLimits }
  | { readonly kind: "tree"; readonly tree: Tree; readonly maxIterations: number }
  /** The speaker is a role, or a role and a name. */
  | { readonly kind: "agent"; readonly atMs: number; readonly speaker: string; readonly event: AgentEvent };

/** In milliseconds, by who is called. */
export interface SessionLimits {
  readonly orchestrator: number | null;
  readonly builder: number | null;
  readonly reviewer: number | null;
}

/** Looks on. It must not throw, and whoever tells it does not wait. */
export type See = (sight: Sight) => void;
