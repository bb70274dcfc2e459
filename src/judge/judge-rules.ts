/**
 * Which rules a judgement without a tick follows.
 *
 * The configuration is the one of a commit that is not part of the change, because a change must not loosen the rules
 * it is judged by. Only while a person sets relais up, in a working tree whose HEAD has none, does the file on the disk
 * count, and then it may add protection but take none away. Without any, every path may change but for what is
 * protected by default. A task then narrows, and flags of the command line have the last word: they come from the
 * person who asks.
 */
import { DEFAULT_WORKSPACE } from "../config/workspace-path.ts";
import type { Rules } from "../records/evidence.ts";
import { type Config, makeDefaultConfig } from "../config/config.ts";
import type { CheckRule } from "../base/check-rules.ts";
import type { Task } from "../records/task.ts";
import { makeWeakeningRules } from "../checks/pure/weakening-rules.ts";
import { combineRules } from "./pure/combine-rules.ts";
import type { JudgeFlags, RulesOrigin } from "./judge-request.ts";

type ScopeSettings = Parameters<typeof combineRules>[0];
type TaskScope = NonNullable<Parameters<typeof combineRules>[1]>;

interface RulesSource {
  readonly origin: RulesOrigin;
  readonly config: Config | null;
  readonly task: ScopedTask | null;
  readonly flags: JudgeFlags;
}

/** Not a control task, which has no rules for a change. */
export type ScopedTask = Exclude<Task, { readonly control: object }>;

export function makeJudgeRules({ origin, config, task, flags }: RulesSource): Rules {
  const settings = origin.kind === "base" && config !== null ? config : protectByDefault(config);
  const rules = combineRules(settings, task === null ? null : readTaskScope(task, settings));
  return {
    ...rules,
    allowed_globs: flags.allow.length > 0 ? [...flags.allow] : rules.allowed_globs,
    forbidden_globs: [...new Set([...rules.forbidden_globs, ...flags.forbid])],
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
