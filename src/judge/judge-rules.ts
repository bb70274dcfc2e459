import type { Change, Rules } from "../records/evidence.ts";
import type { Judgement } from "../records/judgement.ts";
import type { Misuse } from "../workspace/misuse.ts";
import type { Caller } from "../base/environment.ts";
import { chooseGlobs, type ScopeChoices } from "../config/choices.ts";
import { DEFAULT_WORKSPACE } from "../config/workspace-path.ts";
import { type Config, makeDefaultConfig } from "../config/config.ts";
import type { CheckRule } from "../base/check-rules.ts";
import type { Task } from "../records/task.ts";
import { makeWeakeningRules } from "../checks/pure/check-steering.ts";
import type { RememberedContents } from "./base-commit.ts";
import { readTaskWords } from "./pure/asked-work.ts";
import { combineProtection } from "./pure/lifted-paths.ts";
import { combineRules } from "./pure/combine-rules.ts";

/** Revisions are as typed and may not exist. */
export type JudgeTarget =
  | { readonly kind: "worktree"; readonly base: string }
  | { readonly kind: "staged"; readonly base: string }
  | { readonly kind: "range"; readonly from: string; readonly to: string };

/** Rules for one judgement only. */
export interface JudgeFlags {
  readonly scope: ScopeChoices;
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
  /** Of one who judges many changes of one repository. */
  readonly remembered?: RememberedContents;
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
      readonly changes: readonly Change[];
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

/**
 * Which rules a judgement without a tick follows.
 *
 * The configuration is the one of a commit that is not part of the change, because a change must not loosen the rules
 * it is judged by. Only while a person sets relais up, in a working tree whose HEAD has none, does the file on the disk
 * count, and then it may add protection but take none away. Without any, every path may change but for what is
 * protected by default. A task then narrows, and flags of the command line have the last word: they come from the
 * person who asks.
 */

type ScopeSettings = Parameters<typeof combineRules>[0];
type TaskScope = NonNullable<Parameters<typeof combineRules>[1]>;

interface RulesSource {
  readonly origin: RulesOrigin;
  readonly config: Config | null;
  readonly task: ScopedTask | null;
  readonly flags: JudgeFlags;
  /** Whether a person gave the task, which may then lift protected paths. */
  readonly isTyped: boolean;
}

/** Not a control task, which has no rules for a change. */
export type ScopedTask = Exclude<Task, { readonly control: object }>;

export function makeJudgeRules(source: RulesSource): Rules {
  const { origin, config, task, flags } = source;
  const settings = origin.kind === "base" && config !== null ? config : protectByDefault(config);
  const rules = combineRules(settings, task === null ? null : readTaskScope(task, settings));
  return {
    ...rules,
    allowed_globs: chooseGlobs(rules.allowed_globs, flags.scope),
    ...readProtection(source, settings),
    // Before a configuration is committed there is no runner that could own anything.
    runner_owned_globs: origin.kind === "base" ? rules.runner_owned_globs : [],
    allow_new_files: rules.allow_new_files && !flags.noNewFiles,
    max_files_touched: flags.maxFiles ?? rules.max_files_touched,
    max_lines_changed: flags.maxLines ?? rules.max_lines_changed,
    ...makeWeakeningRules(readVerification(origin, config), listAllowed(task), {
      text: task?.intent,
      isOwn: true,
    }),
  };
}

function readProtection({ task, flags, isTyped }: RulesSource, { scope }: ScopeSettings) {
  return combineProtection(
    scope.default_forbidden_globs,
    [...(task?.scope?.forbidden_globs ?? []), ...flags.forbid],
    task !== null && isTyped ? readTaskWords(task) : "",
  );
}

let defaults: Config | null = null;

function readDefaults(): Config {
  return (defaults ??= makeDefaultConfig());
}

/** An uncommitted configuration cannot switch a rule off. */
function readVerification(origin: RulesOrigin, config: Config | null): Config["verification"] {
  return (origin.kind === "base" ? config : null)?.verification ?? readDefaults().verification;
}

function listAllowed(task: ScopedTask | null): readonly CheckRule[] {
  return task?.allows ?? [];
}

/** An uncommitted configuration, plus the default protection. */
function protectByDefault(config: Config | null): ScopeSettings {
  const usual = makeBuiltInSettings();
  if (config === null) return usual;
  const forbidden = [...usual.scope.default_forbidden_globs, ...config.scope.default_forbidden_globs];
  return { ...config, scope: { ...config.scope, default_forbidden_globs: [...new Set(forbidden)] } };
}

function makeBuiltInSettings(): ScopeSettings {
  const { scope, ...rest } = readDefaults();
  return {
    ...rest,
    scope: {
      ...scope,
      default_allowed_globs: ["**"],
      // Without a configuration, a folder of that name is ordinary code.
      default_forbidden_globs: scope.default_forbidden_globs.filter((glob) => glob !== `${DEFAULT_WORKSPACE}/**`),
      default_allow_new_files: true,
      default_allow_lockfile_changes: true,
    },
    diff_limits: { default_max_files_touched: null, default_max_lines_changed: null },
  };
}

/** A question may have no scope: nothing may change anyway. */
function readTaskScope(task: ScopedTask, { scope }: ScopeSettings): TaskScope {
  return {
    task_kind: task.task_kind,
    scope: task.scope ?? {
      allowed_globs: scope.default_allowed_globs,
      forbidden_globs: [],
      allow_new_files: scope.default_allow_new_files,
      allow_lockfile_changes: scope.default_allow_lockfile_changes,
    },
    diff_limits: task.diff_limits ?? { max_files_touched: null, max_lines_changed: null },
  };
}
