/** `relais run --dry-run`: what a tick would begin with. */
import type { Rules } from "../evidence/evidence.ts";
import type { Finding } from "../evidence/judgement.ts";
import type { Code } from "../values/codes.ts";

/** Why a tick would not begin; null where it would. */
export type DryRefusal = {
  readonly code: Code;
  readonly cause: string | null;
  readonly message: string | null;
} | null;

/** What a patch would change, before anything is written. */
export interface ForeseenChange {
  readonly paths: readonly string[];
  readonly lines_added: number;
  readonly lines_deleted: number;
  readonly findings: readonly Finding[];
}

/** What a tick would begin with, or why it would not begin. */
export interface DryRun {
  readonly kind: "dry";
  readonly refusal: DryRefusal;
  readonly rules: Rules;
  readonly checks: readonly string[];
  readonly builder: string;
  /** What a patch would change; null where nothing can be foreseen. */
  readonly foreseen: ForeseenChange | null;
}

/** The same for a tick whose task is not known yet: what the orchestrator would be asked, by its sections. */
export interface PlanDryRun {
  readonly kind: "dry-plan";
  readonly refusal: DryRefusal;
  readonly orchestrator: string;
  readonly builder: string;
  readonly promptBytes: Readonly<Record<string, number>>;
}
