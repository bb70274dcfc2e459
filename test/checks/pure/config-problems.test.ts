import { expect, test } from "vitest";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { findConfigProblems } from "../../../src/checks/pure/config-problems.ts";

function problems(document: object): string[] {
  const parsed = parseConfig(document);
  if (parsed.kind !== "valid") throw new Error(`the fixture is no configuration: ${JSON.stringify(parsed)}`);
  return findConfigProblems(parsed.value);
}

test("the defaults have no problem", () => {
  expect(problems({})).toEqual([]);
});

const fence = { scope: { allowed_globs: ["a{b"], forbidden_globs: ["c{d"] } };

test.each([
  ["runner.runner_owned_globs", { runner: { runner_owned_globs: ["a{b"] } }],
  ["runner.crash_cleanup.delete_tmp_glob", { runner: { crash_cleanup: { delete_tmp_glob: "a{b" } } }],
  ["scope.default_allowed_globs", { scope: { default_allowed_globs: ["src/**", "a{b"] } }],
  ["scope.default_forbidden_globs", { scope: { default_forbidden_globs: ["a{b"] } }],
  ["ignored_writable_globs", { ignored_writable_globs: ["a{b"] }],
  ["verification.scratch_globs", { verification: { scratch_globs: ["a{b"] } }],
  ["verification.oracle_globs", { verification: { oracle_globs: ["a{b"] } }],
])("a glob of %s that cannot be read is named", (place, document) => {
  expect(problems(document)).toEqual([`${place}: the glob \`a{b\` has braces that do not pair.`]);
});

test.each(["tree", "goal", "campaign"])("the globs of %s are read too", (workflow) => {
  expect(problems({ [workflow]: fence })).toEqual([
    `${workflow}.scope.allowed_globs: the glob \`a{b\` has braces that do not pair.`,
    `${workflow}.scope.forbidden_globs: the glob \`c{d\` has braces that do not pair.`,
  ]);
});

test("a program cannot be chosen by a parameter", () => {
  const params = { x: { kind: "path" } };
  const templates = [{ id: "t", cmd: "./{{x}}", args: ["{{x}}"], params }];
  expect(problems({ verification: { templates } })).toEqual([
    "verification.templates: the cmd `./{{x}}` of `t` has a placeholder.",
  ]);
});

test("a role that starts a program needs one", () => {
  const roles = { builder: { driver: "command" } };
  expect(problems({ roles })).toEqual([
    'roles.builder.driver: "command" needs `builder.command`: set it to the program to start.',
  ]);
  expect(problems({ roles, builder: { command: { command: "x" } } })).toEqual([]);
});

test("a protected branch is named alone, or it would protect nothing", () => {
  expect(problems({ git: { protected_branches: ["main", "refs/heads/release"] } })).toEqual([
    "git.protected_branches: name the branch of `refs/heads/release` alone, without `refs/heads/`.",
  ]);
});

test("what relais writes does not go among the data of git", () => {
  const config = { history: { dir: ".git/history" }, runner: { lockfile: "a/.GIT/lock.json" } };
  expect(problems(config)).toEqual([
    "history.dir: `.git/history` lies in the folder of git; choose one of the workspace.",
    "runner.lockfile: `a/.GIT/lock.json` lies in the folder of git; choose one of the workspace.",
  ]);
});
