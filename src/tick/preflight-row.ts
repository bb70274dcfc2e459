/** The input of a preflight row, and its refusal. */
import type { Code } from "../base/codes.ts";
import type { Config } from "../config/config.ts";
import type { FoldedLines } from "../records/folded-lines.ts";
import type { ReviewPlan } from "../checks/pure/review-plan.ts";
import type { Work } from "../workflows/pure/workflow.ts";
import type { FilterSettings } from "../git/filter-settings.ts";
import type { Repository } from "../git/repository-layout.ts";

export interface PreflightRefusal {
  readonly code: Code;
  readonly cause: string;
  readonly message: string;
  readonly until?: string;
  /** Must be answered first. */
  readonly question?: { readonly prompt: string; readonly choices: string[] };
}

interface CalledAgent {
  readonly fallbacks: readonly unknown[];
}

export interface PreflightWork extends Pick<
  Work,
  | "task"
  | "checks"
  | "settle"
  | "hasOwnBranch"
  | "commitsHere"
  | "takesUncommitted"
  | "finished"
  | "landing"
  | "mayOpenMilestone"
  | "leadsTo"
> {
  readonly orchestrator: CalledAgent | null;
  readonly builder: CalledAgent | null;
  readonly review: (CalledAgent & { readonly plan: Pick<ReviewPlan, "role" | "reviewers"> }) | null;
}

/** A tick that is about to start, or that could. */
export interface PreflightSubject {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly workspace: string;
  readonly config: Config;
  readonly configText: string;
  readonly settings: FilterSettings;
  readonly runId: string;
  /** Absent where no series has begun: then only a branch above its name can be in the way. */
  readonly ownBranch?: string;
  readonly signal: AbortSignal;
  readonly journal: FoldedLines;
  /** Absent where no task is chosen yet. */
  readonly work?: PreflightWork | null;
  /** Several sessions side by side; absent or null is one. */
  readonly attempts?: { readonly count: number } | null;
}

export type PreflightRow = (subject: PreflightSubject) => PreflightRefusal | null | Promise<PreflightRefusal | null>;

/** Where no work is chosen yet, a builder, which nearly every tick needs. */
export function listCalledRoles(work: PreflightSubject["work"]) {
  if (work === undefined || work === null) return ["builder"] as const;
  return [
    ...(work.orchestrator === null ? [] : (["orchestrator"] as const)),
    ...(work.builder === null ? [] : (["builder"] as const)),
    ...(work.review === null ? [] : [work.review.plan.role]),
  ];
}

const SHOWN_PATHS_MAX = 5;

export function describePaths(paths: readonly string[]): string {
  const more = paths.length > SHOWN_PATHS_MAX ? ` and ${paths.length - SHOWN_PATHS_MAX} more` : "";
  return `${paths.slice(0, SHOWN_PATHS_MAX).join(", ")}${more}`;
}
