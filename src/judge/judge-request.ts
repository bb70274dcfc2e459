import type { Rules } from "../records/evidence.ts";
import type { Judgement } from "../records/judgement.ts";
import type { Misuse } from "../workspace/misuse.ts";
import type { Caller } from "../base/environment.ts";

/** Revisions are as typed and may not exist. */
export type JudgeTarget =
  | { readonly kind: "worktree"; readonly base: string }
  | { readonly kind: "staged"; readonly base: string }
  | { readonly kind: "range"; readonly from: string; readonly to: string };

/** Rules for one judgement only. */
export interface JudgeFlags {
  /** Takes the place of the allowed globs where it is not empty. */
  readonly allow: readonly string[];
  readonly forbid: readonly string[];
  readonly maxFiles: number | null;
  readonly maxLines: number | null;
  readonly noNewFiles: boolean;
}

export interface ProofWish {
  /** A file outside the change; null for the one that the rules name. */
  readonly signersFile: string | null;
}

export interface JudgeRequest extends Caller {
  readonly target: JudgeTarget;
  readonly taskFile: string | null;
  readonly flags: JudgeFlags;
  /** Whether each commit of a range must carry a proof, and who may sign; null asks for none. */
  readonly proof: ProofWish | null;
  readonly signal?: AbortSignal | undefined;
}

/** Where the rules were read, before a task or flags changed them. */
export type RulesOrigin =
  /** The configuration as of a commit that is not part of the change, so that it cannot loosen its own rules. */
  | { readonly kind: "base"; readonly commit: string }
  /** HEAD has no configuration, but there is one on the disk. */
  | { readonly kind: "worktree" }
  /** That commit has none; null where there is none on the disk either. */
  | { readonly kind: "built-in"; readonly commit: string | null };

/** What was judged, with commit ids. */
export interface JudgedSubject {
  readonly kind: JudgeTarget["kind"];
  readonly base: string;
  /** Further commits where the sides of a range parted, after merges both ways. */
  readonly otherBases: readonly string[];
  /** The end of a range; null where the other side is the working tree or the index. */
  readonly head: string | null;
  readonly rules: {
    readonly commit: string;
    /** Whether a configuration that nobody has committed yet counts where that commit has none. */
    readonly mayBeOnDisk: boolean;
  };
}

export type JudgeOutcome =
  | {
      readonly kind: "judged";
      readonly judgement: Judgement;
      readonly subject: JudgedSubject;
      readonly origin: RulesOrigin;
      readonly rules: Rules;
      readonly touchedPaths: readonly string[];
    }
  /** No repository, no commit, or no usable configuration. */
  | {
      readonly kind: "blocked";
      readonly cause: string | null;
      readonly message: string;
      readonly problems: readonly string[];
      readonly remedy?: string;
    }
  | Misuse
  | { readonly kind: "unmeasured"; readonly what: string; readonly detail: string };
