import type { CampaignStage, CampaignStatus } from "./campaign-files.ts";
import type { GoalLedger } from "./goal.ts";

export interface MadeFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly state: "written" | "kept";
}

/** The answer of `relais init`. */

export interface CheckTemplate {
  readonly id: string;
  readonly cmd: string;
  readonly args: readonly string[];
}

export interface Detection {
  readonly languages: readonly string[];
  /** One line for each source of checks. */
  readonly found: readonly string[];
  readonly templates: readonly CheckTemplate[];
  /** Commands that make what the checks need; absent is none. */
  readonly setup?: readonly Omit<CheckTemplate, "id">[];
  readonly allowedGlobs: readonly string[];
}

export interface FoundAgent {
  readonly program: string;
  readonly file: string | null;
}

export interface InitFacts {
  readonly branch: string | null;
  readonly isProtected: boolean;
  /** `file` is null where this machine lacks the program. */
  readonly agents: readonly FoundAgent[];
  /** The driver that the configuration names, or the default. */
  readonly builder: string;
  readonly canBuild: boolean;
  readonly canPlan: boolean;
}

export type WorkspaceCommit =
  | { readonly kind: "committed"; readonly commit: string }
  /** Nothing was committed, and nothing is staged that was not before. */
  | { readonly kind: "refused"; readonly reason: string };

export interface Initialised {
  readonly kind: "initialised";
  readonly root: string;
  readonly workspace: string;
  readonly detection: Detection | null;
  readonly files: readonly MadeFile[];
  /** Null where nothing was to be committed. */
  readonly commit: WorkspaceCommit | null;
  /** What belongs to relais here and is in no commit yet. */
  readonly uncommitted: readonly string[];
  readonly hasCommit: boolean;
  readonly missing: readonly string[];
  readonly surroundings: InitFacts;
}

/** The answers of `relais campaign`. */

export interface MadeCampaign {
  readonly kind: "made";
  readonly slug: string;
  readonly files: readonly MadeFile[];
  readonly problems: readonly string[];
}

export interface StartedStage {
  readonly kind: "on-stage";
  readonly session: string;
  readonly panes: CampaignStage["panes"];
  readonly pid: number | null;
  readonly attach: string;
}

export interface CampaignFacts {
  readonly slug: string;
  /** From the root of the repository. */
  readonly folderPath: string;
  readonly status: CampaignStatus;
  readonly branch: string | null;
  readonly commits: readonly string[];
}

/** The answers of `relais eject`. */

export interface ShippedFile {
  readonly name: string;
  /** From the root of the repository. */
  readonly path: string;
  /** Whether the workspace has its own, which counts then. */
  readonly isEjected: boolean;
}

export interface EjectedFile {
  readonly kind: "ejected";
  readonly path: string;
  readonly files: readonly MadeFile[];
}

export interface ShippedFiles {
  readonly kind: "listed";
  readonly files: readonly ShippedFile[];
}

/** The answer of `relais goal`. */
export interface GoalFacts {
  readonly ledger: GoalLedger;
  readonly ledgerPath: string;
  /** Null while a process runs, or if the last one was killed. */
  readonly lastEnd: { readonly message: string; readonly hint: string | null } | null;
  readonly branch: string | null;
  /** The checkpoints, oldest first. */
  readonly commits: readonly string[];
}
