/**
 * Problems of a configuration with the right shape, found before a tick starts: a glob that cannot be read would forbid
 * everything or allow nothing, and a role without a program would fail when it is used.
 */
import { findCommandProgram } from "../../config/command-program.ts";
import type { Config } from "../../config/config.ts";
import { findHeldOutProblems } from "./held-out.ts";
import { listPlainChecks } from "./verification-plan.ts";
import { validateGlob } from "../../base/glob-validity.ts";
import { quote } from "../../base/words.ts";

/** One sentence for each problem. */
export function findConfigProblems(config: Config): string[] {
  return [
    ...listGlobLists(config).flatMap(([place, globs]) => findGlobProblems(place, globs)),
    ...findTemplateProblems(config),
    ...findRequiredProblems(config),
    ...findHeldOutProblems(config),
    ...findRoleProblems(config),
    ...findBranchProblems(config),
    ...findOwnFileProblems(config),
  ];
}

/** A full ref is not the name of a branch, and would protect nothing. */
function findBranchProblems({ git }: Config): string[] {
  return git.protected_branches
    .filter((name) => name.startsWith("refs/heads/"))
    .map((name) => `git.protected_branches: name the branch of ${quote(name)} alone, without \`refs/heads/\`.`);
}

/** Files of relais must not lie in git's folder, where git may fail on them. */
function findOwnFileProblems({ history, runner }: Config): string[] {
  const paths = [
    ["history.dir", history.dir],
    ["runner.lockfile", runner.lockfile],
  ] as const;
  return paths
    .filter(([, path]) => path.split("/").some((part) => part.toLowerCase() === ".git"))
    .map(([place, path]) => `${place}: ${quote(path)} lies in the folder of git; choose one of the workspace.`);
}

function listGlobLists(config: Config): readonly (readonly [string, readonly string[]])[] {
  const { runner, scope, verification } = config;
  const fenced = (["tree", "goal", "campaign"] as const).flatMap((workflow) => {
    const { allowed_globs, forbidden_globs } = config[workflow].scope;
    return [
      [`${workflow}.scope.allowed_globs`, allowed_globs],
      [`${workflow}.scope.forbidden_globs`, forbidden_globs],
    ] as const;
  });
  return [
    ["runner.runner_owned_globs", runner.runner_owned_globs],
    ["runner.crash_cleanup.delete_tmp_glob", [runner.crash_cleanup.delete_tmp_glob]],
    ["scope.default_allowed_globs", scope.default_allowed_globs],
    ["scope.default_forbidden_globs", scope.default_forbidden_globs],
    ["ignored_writable_globs", config.ignored_writable_globs],
    ["verification.scratch_globs", verification.scratch_globs],
    ["verification.oracle_globs", verification.oracle_globs],
    ...fenced,
  ];
}

export function findGlobProblems(place: string, globs: readonly string[]): string[] {
  return globs.flatMap((glob) => {
    const problem = validateGlob(glob);
    return problem === null ? [] : [`${place}: the glob ${quote(glob)} ${problem}.`];
  });
}

/** A parameter may choose what a program works on, never the program. */
function findTemplateProblems({ verification }: Config): string[] {
  return verification.templates
    .filter(({ cmd }) => /\{\{[^{}]*\}\}/.test(cmd))
    .map(({ id, cmd }) => `verification.templates: the cmd ${quote(cmd)} of ${quote(id)} has a placeholder.`);
}

function findRequiredProblems({ verification }: Config): string[] {
  const plain = listPlainChecks(verification);
  return (verification.required ?? [])
    .filter((id) => !plain.includes(id))
    .map((id) => `verification.required: ${quote(id)} is no template that needs no parameters.`);
}

function findRoleProblems({ roles, builder, orchestrator }: Config): string[] {
  if (findCommandProgram("builder", builder).settings !== undefined) return [];
  return Object.entries(roles)
    .filter(([role, settings]) => {
      const hasOwn = role === "orchestrator" && findCommandProgram("orchestrator", orchestrator).settings !== undefined;
      return settings.driver === "command" && !hasOwn;
    })
    .map(([role]) => `roles.${role}.driver: "command" needs \`builder.command\`: set it to the program to start.`);
}
