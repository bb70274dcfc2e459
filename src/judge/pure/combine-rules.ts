/**
 * The rules in force for one task. An agent writes the task, so it can only add protection: forbidden globs add up and
 * the smaller cap counts. For defaults of the configuration (allowed globs, new files, lockfiles) the task's own choice
 * wins. The workspace and the configuration always belong to the runner.
 */
import type { Config } from "../../config/config.ts";
import type { Change, Rules } from "../../records/evidence.ts";
import { shortenList } from "../../base/words.ts";
import { compileAllowed } from "../../base/globs.ts";
import { combineProtection } from "./lifted-paths.ts";

interface ScopeSettings extends Pick<Config, "workspace_dir" | "scope" | "ignored" | "ignored_writable_globs"> {
  readonly runner: Pick<Config["runner"], "runner_owned_globs">;
  readonly journal?: Pick<Config["journal"], "allowed_signers">;
  readonly diff_limits: Readonly<Record<keyof Config["diff_limits"], number | null>>;
}

/** A control task has no kind. */
interface TaskScope extends Pick<Rules, "task_kind"> {
  readonly scope: Pick<Rules, "allow_new_files" | "allow_lockfile_changes"> &
    Readonly<Record<"allowed_globs" | "forbidden_globs", readonly string[]>>;
  readonly diff_limits: Pick<Rules, "max_files_touched" | "max_lines_changed">;
}

/** `typed` is what a person typed or gave; it may name protected paths. */
export function combineRules(settings: ScopeSettings, task: TaskScope | null, typed = ""): Rules {
  const { scope, diff_limits } = settings;
  const chosen = task?.scope ?? chooseDefaultScope(settings);
  const caps = task?.diff_limits ?? { max_files_touched: null, max_lines_changed: null };
  return {
    task_kind: task?.task_kind ?? null,
    allowed_globs: [...chosen.allowed_globs],
    ...combineProtection(scope.default_forbidden_globs, chosen.forbidden_globs, typed),
    runner_owned_globs: uniteLists(listRunnerOwned(settings.workspace_dir), [
      ...settings.runner.runner_owned_globs,
      // Who may sign decides what later changes prove.
      ...[settings.journal?.allowed_signers ?? []].flat(),
    ]),
    allow_new_files: chosen.allow_new_files,
    allow_lockfile_changes: chosen.allow_lockfile_changes,
    lockfiles: [...scope.lockfiles],
    max_files_touched: pickSmaller(diff_limits.default_max_files_touched, caps.max_files_touched),
    max_lines_changed: pickSmaller(diff_limits.default_max_lines_changed, caps.max_lines_changed),
    ignored: settings.ignored,
    ignored_writable_globs: [...settings.ignored_writable_globs],
  };
}

/** A task that asks for everything gets the ceiling. */
export function limitToCeiling(rules: Rules, ceiling: readonly string[]): Rules {
  const isAll = rules.allowed_globs.includes("**");
  return { ...rules, allowed_globs: isAll ? [...ceiling] : rules.allowed_globs, ceiling_globs: [...ceiling] };
}

/** For a person's own task, which may exceed the ceiling. A path that the task does not allow has a finding. */
export function listBeyondCeilingNotes(
  changes: readonly Pick<Change, "path" | "standing">[],
  { allowed, ceiling }: { readonly allowed: readonly string[]; readonly ceiling: readonly string[] },
): readonly string[] {
  const [asks, grants] = [compileAllowed(allowed), compileAllowed(ceiling)];
  const paths = changes
    .filter(({ standing }) => standing !== "ignored")
    .filter(({ path }) => asks(path) !== null && grants(path) === null && grants(`${path}/x`) === null)
    .map(({ path }) => path);
  if (paths.length === 0) return [];
  return [`Your own task goes beyond scope.default_allowed_globs: ${shortenList(paths)}.`];
}

function chooseDefaultScope({ scope }: ScopeSettings): TaskScope["scope"] {
  return {
    allowed_globs: scope.default_allowed_globs,
    forbidden_globs: [],
    allow_new_files: scope.default_allow_new_files,
    allow_lockfile_changes: scope.default_allow_lockfile_changes,
  };
}

function listRunnerOwned(workspaceDir: string): readonly string[] {
  const folder = workspaceDir.replace(/^(?:\.\/+)+/u, "").replace(/\/+$/u, "");
  return [`${folder}/**`, "relais.config.json"];
}

function uniteLists(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])];
}

function pickSmaller(ceiling: number | null, wanted: number | null): number | null {
  if (wanted === null) return ceiling;
  return ceiling === null ? wanted : Math.min(ceiling, wanted);
}
