/**
 * What happens while ticks run: the one port through which the runner shows it.
 *
 * Nothing is decided by these events. What the journal records is shown from the journal, so a process that follows the
 * journal gets the same events; only the doings of an agent come from its session or its transcript.
 */
import type { AgentEvent } from "../agents/agent-event.ts";
import type { Config } from "../config/config.ts";
import type { JournalLine } from "./event.ts";
import type { WorkspaceState } from "../documents/state.ts";
import type { Tree } from "../workflows/tree.ts";

export type LiveEvent =
  /** The first event: the lines recorded before, those of other series included. */
  | { readonly kind: "opened"; readonly seriesId: string; readonly lines: readonly JournalLine[] }
  | { readonly kind: "recorded"; readonly line: JournalLine }
  /** What is spent so far, and the caps. */
  | { readonly kind: "spent"; readonly state: WorkspaceState; readonly budgets: Config["budgets"] }
  /** The time limits of the next tick's sessions; null is the limit of the tick. */
  | { readonly kind: "limits"; readonly limits: SessionLimits }
  | { readonly kind: "tree"; readonly tree: Tree; readonly maxIterations: number }
  /** The speaker is a role, or a role and a name. */
  | { readonly kind: "agent"; readonly atMs: number; readonly speaker: string; readonly event: AgentEvent }
  /** A session of a campaign says nothing for long; after the last of these notices it is restarted. */
  | {
      readonly kind: "silent";
      readonly atMs: number;
      readonly role: "worker" | "verifier";
      readonly seconds: number;
      readonly notice: number;
      readonly of: number;
    };

/** The speaker of what checks print. It is no agent. */
export const CHECKS = "checks";

/** In milliseconds. */
export interface SessionLimits {
  readonly orchestrator: number | null;
  readonly builder: number | null;
  readonly reviewer: number | null;
}

/** Receives the events. It must not throw, and nobody waits for it. */
export type LiveListener = (event: LiveEvent) => void;
