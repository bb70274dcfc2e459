/** The answer of `relais init`. */
import type { MadeFile } from "./made-file.ts";

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

export interface InitSurroundings {
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
  readonly surroundings: InitSurroundings;
}
