/**
 * What happens while ticks run, for display only. Recorded lines come from the journal, so another process that follows
 * it gets the same events; only an agent's actions come from its session or its transcript.
 */
import type { AgentEvent } from "./agent-event.ts";
import type { Config } from "../config/config.ts";
import type { JournalLine } from "./event.ts";
import type { WorkspaceState } from "./state.ts";
import type { Tree } from "./tree.ts";

export type LiveEvent =
  /** The first event: all earlier lines, those of other series included. */
  | { readonly kind: "opened"; readonly seriesId: string; readonly lines: readonly JournalLine[] }
  | { readonly kind: "recorded"; readonly line: JournalLine }
  | { readonly kind: "spent"; readonly state: WorkspaceState; readonly budgets: Config["budgets"] }
  /** The time limits of the next tick's sessions; null is the limit of the tick. */
  | { readonly kind: "limits"; readonly limits: SessionLimits }
  | { readonly kind: "tree"; readonly tree: Tree; readonly maxIterations: number }
  | { readonly kind: "agent"; readonly atMs: number; readonly speaker: string; readonly event: AgentEvent }
  /** A line of the journal of one of several attempts. */
  | { readonly kind: "attempt"; readonly number: number; readonly task?: string; readonly line: JournalLine }
  /** A line for each running job of the queue, on whichever machine. */
  | { readonly kind: "jobs"; readonly jobs: readonly string[] }
  /** After the last of these notices the session is restarted. */
  | {
      readonly kind: "silent";
      readonly atMs: number;
      readonly role: "worker" | "verifier";
      readonly seconds: number;
      readonly notice: number;
      readonly of: number;
    };

export const CHECKS = "checks";

export interface SessionLimits {
  readonly orchestrator: number | null;
  readonly builder: number | null;
  readonly reviewer: number | null;
}

/** It must not throw, and nobody waits for it. */
export type LiveListener = (event: LiveEvent) => void;
