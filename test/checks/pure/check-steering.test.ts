import { describe, expect, test } from "vitest";
import { checkSteering } from "../../../src/checks/pure/check-steering.ts";
import { validateGlob } from "../../../src/base/glob-validity.ts";
import { compileForbidden } from "../../../src/base/globs.ts";
import { FILES_OF_TOOL, RUNNER_SETTINGS } from "../../../src/checks/pure/steering-files.ts";

const steers = (path: string, cmd: string, ...args: string[]) =>
  compileForbidden(checkSteering([{ id: "check", cmd, args }]))(path) !== null;

describe("what a check starts steers it", () => {
  test.each([
    ["checks/run.sh", "sh", ["checks/run.sh"]],
    ["checks/run.sh", "bash", ["-e", "./checks/run.sh", "src/main.ts"]],
    ["checks/run.mjs", "node", ["--import", "tsx", "--test", "checks/run.mjs"]],
    ["checks/run.py", "/usr/bin/python3", ["-W", "error", "checks/run.py"]],
    ["checks/run", "./checks/run", []],
    ["checks/[id].mjs", "node", ["checks/[id].mjs"]],
    ["package.json", "npm", ["run", "test"]],
    ["packages/a/package.json", "pnpm", ["-w", "test"]],
    [".npmrc", "npx", ["vitest"]],
    ["Makefile", "make", ["test"]],
    ["rules/test.mk", "make", ["test"]],
    ["justfile", "just", ["ci"]],
    ["vitest.config.ts", "true", []],
    ["tests/conftest.py", "pytest", []],
    [".yarnrc.yml", "yarn", ["test"]],
    [".yarn/releases/yarn-4.cjs", "yarn", ["test"]],
    [".pnpmfile.cjs", "pnpm", ["test"]],
    ["package.json", "jest", []],
    ["pyproject.toml", "pytest", []],
    ["setup.cfg", "python3", ["-m", "pytest"]],
    ["Cargo.toml", "cargo", ["test"]],
    ["crates/a/build.rs", "cargo", ["test"]],
    [".cargo/config.toml", "cargo", ["test"]],
    ["go.mod", "go", ["test", "./..."]],
    ["go.work", "go", ["test", "./..."]],
    ["Taskfile.yml", "task", ["test"]],
    ["build.gradle.kts", "./gradlew", ["test"]],
    ["gradlew", "./gradlew", ["test"]],
    ["pom.xml", "mvn", ["test"]],
    ["CMakeLists.txt", "ctest", []],
    ["lib/BUILD.bazel", "bazel", ["test", "//..."]],
    ["lib/BUILD", "bazel", ["test", "//..."]],
  ])("%s by %s %j", (path, cmd, args) => {
    expect(steers(path, cmd, ...args)).toBe(true);
  });
});

describe("what stands behind a wrapper steers it", () => {
  test.each([
    ["check.sh", "timeout", ["60", "./check.sh"]],
    ["check.sh", "timeout", ["-k", "5", "--signal=INT", "60", "sh", "check.sh"]],
    ["check.sh", "/usr/bin/env", ["-u", "HOME", "A=b", "./check.sh"]],
    ["check.sh", "env", ["-S", "sh check.sh"]],
    ["check.sh", "cross-env", ["CI=1", "nice", "-n", "10", "./check.sh"]],
    ["check.sh", "xvfb-run", ["-a", "-s", "-screen 0 1024x768x24", "./check.sh"]],
    ["check.sh", "sh", ["-c", "cd here && ./check.sh"]],
    ["check.sh", "bash", ["-lc", "timeout 60 ./check.sh"]],
    ["check.sh", "npx", ["-p", "zx", "./check.sh"]],
    ["check.sh", "npm", ["exec", "--", "./check.sh"]],
    ["checks/run.py", "uv", ["run", "--with", "pytest", "python", "checks/run.py"]],
    ["pyproject.toml", "timeout", ["60", "poetry", "run", "pytest"]],
    ["package.json", "xvfb-run", ["npm", "test"]],
    ["Makefile", "flock", ["/tmp/lock", "make", "ci"]],
  ])("%s by %s %j", (path, cmd, args) => {
    expect(steers(path, cmd, ...args)).toBe(true);
  });

  test.each([
    ["src/main.ts", "timeout", ["60", "./check.sh", "src/main.ts"]],
    ["src/main.ts", "npx", ["prettier", "--check", "src/main.ts"]],
    ["src/main.ts", "grep", ["-q", "x", "src/main.ts"]],
    ["src/run.sh", "npm", ["test", "src/run.sh"]],
  ])("but an argument does not: %s by %s %j", (path, cmd, args) => {
    expect(steers(path, cmd, ...args)).toBe(false);
  });
});

describe("settings of tools steer every check", () => {
  test.each([
    "bunfig.toml",
    "deno.json",
    "deno.jsonc",
    "vite.config.mts",
    "vitest.workspace.ts",
    "packages/a/jest.config.js",
    "playwright.config.ts",
    "cypress.config.ts",
    ".mocharc.cjs",
    "ava.config.js",
    "karma.conf.js",
    "tsconfig.json",
    "tsconfig.build.json",
    "pytest.ini",
    "tox.ini",
    "noxfile.py",
    "turbo.json",
    "nx.json",
    "Taskfile.yaml",
    "eslint.config.mjs",
    ".eslintrc.json",
    "lint.config.json",
    "tools/linter.toml",
    ".lintrc",
    ".shellcheckrc",
    ".eslintignore",
    "biome.jsonc",
    ".oxlintrc.json",
    ".prettierrc",
    "ruff.toml",
    "mypy.ini",
    ".flake8",
    ".golangci.yml",
    "clippy.toml",
    "phpunit.xml.dist",
    ".pre-commit-config.yaml",
  ])("%s", (path) => {
    expect(steers(path, "true")).toBe(true);
  });
});

test("every glob can be read", () => {
  const unreadable = [...RUNNER_SETTINGS, ...[...FILES_OF_TOOL.values()].flat()].filter(
    (glob) => validateGlob(glob) !== null,
  );
  expect(unreadable).toEqual([]);
});

describe("what a check only reads does not", () => {
  test.each([
    ["src/main.ts", "grep", ["-q", "42", "src/main.ts"]],
    ["src/main.ts", "node", ["checks/run.mjs", "src/main.ts"]],
    ["src/main.ts", "sh", ["-ec", "grep -q 42 src/main.ts"]],
    ["src/main.ts", "python3", ["-m", "src/main.ts"]],
    ["package.json", "make", ["test"]],
    ["Makefile", "npm", ["test"]],
    ["run.sh", "sh", ["../run.sh"]],
    ["bin/check", "/bin/check", []],
    ["pyproject.toml", "npm", ["test"]],
    ["src/config.ts", "vitest", []],
    ["src/tsc.ts", "npm", ["test"]],
    ["docs/eslint.md", "eslint", []],
  ])("%s by %s %j", (path, cmd, args) => {
    expect(steers(path, cmd, ...args)).toBe(false);
  });
});
