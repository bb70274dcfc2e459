import type * as v from "valibot";
import type { Rules } from "./evidence.ts";
import type { Finding } from "./judgement.ts";
import type { Code } from "../base/codes.ts";
import type { DriverName } from "./agent.ts";

/** Why a tick would not start; null if it would. */
export type DryRefusal = {
  readonly code: Code;
  readonly cause: string | null;
  readonly message: string | null;
} | null;

export interface ForeseenChange {
  readonly paths: readonly string[];
  readonly lines_added: number;
  readonly lines_deleted: number;
  readonly findings: readonly Finding[];
}

/** What a tick would start with, or why it would not start. */
export interface DryRun {
  readonly kind: "dry";
  readonly refusal: DryRefusal;
  readonly rules: Rules;
  readonly checks: readonly string[];
  readonly builder: string;
  /** Null if no patch can be foreseen. */
  readonly foreseen: ForeseenChange | null;
  /** Of the builder; null if no session is started. */
  readonly prompt: string | null;
  readonly caps: DryCaps;
}

/** The most that the tick may cost. */
export interface DryCaps {
  /** With reviewers, a retry of the orchestrator and fallbacks. */
  readonly sessions: number;
  readonly seconds: number;
  /** Of the builder; null is no limit. */
  readonly turns: number | null;
  /** Null if no cap is set. */
  readonly dollars: number | null;
}

/** The same without a task: the size of each section of the orchestrator's prompt. */
export interface PlanDryRun {
  readonly kind: "dry-plan";
  readonly refusal: DryRefusal;
  readonly orchestrator: string;
  readonly builder: string;
  readonly promptBytes: Readonly<Record<string, number>>;
  readonly caps: DryCaps;
}

/** What a running series reports besides its ticks. */
export interface SeriesBeginning {
  readonly seriesId: string;
  readonly resumed: boolean;
  /** The branch for its commits, because the one that is checked out is protected; null is that one. */
  readonly branch: string | null;
  /** The tick that was recovered first. */
  readonly recoveredRunId: string | null;
}

export interface SeriesPause {
  readonly leftMs: number;
  readonly until: string;
  /** Whether it waits for a service. */
  readonly isLimit: boolean;
}

/** What a tick will do, for the person who typed a sentence. */
export interface StartNotice {
  readonly agent: v.InferOutput<typeof DriverName>;
  /** Null is the program's usual model. */
  readonly model: string | null;
  readonly allowedGlobs: readonly string[];
  /** Protected paths that the sentence or the task file names. */
  readonly liftedPaths: readonly string[];
  /** How many paths that are not committed it begins with. */
  readonly uncommitted: number;
  readonly checks: readonly string[];
  /** The tool to install the packages with that a check needs; null if they are there. */
  readonly installer: string | null;
  /** Whether a passing change is committed: at once, or after the person's decision. */
  readonly isCommitted: boolean;
  /** The branch for its commit, because the one that is checked out is protected; null is that one. */
  readonly branch: string | null;
  /** Whether a passing change waits until a person decides. */
  readonly isAsked: boolean;
}
