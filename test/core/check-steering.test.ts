import { describe, expect, test } from "vitest";
import { checkSteering } from "../../src/core/check-steering.ts";
import { compileForbidden } from "../../src/core/globs.ts";

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
  ])("%s by %s %j", (path, cmd, args) => {
    expect(steers(path, cmd, ...args)).toBe(true);
  });
});

describe("what a check only reads does not", () => {
  test.each([
    ["src/main.ts", "grep", ["-q", "42", "src/main.ts"]],
    ["src/main.ts", "node", ["checks/run.mjs", "src/main.ts"]],
    ["src/main.ts", "sh", ["-ec", "src/main.ts"]],
    ["src/main.ts", "python3", ["-m", "src/main.ts"]],
    ["package.json", "make", ["test"]],
    ["Makefile", "npm", ["test"]],
    ["run.sh", "sh", ["../run.sh"]],
    ["bin/check", "/bin/check", []],
  ])("%s by %s %j", (path, cmd, args) => {
    expect(steers(path, cmd, ...args)).toBe(false);
  });
});
