import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { relais } from "../support/in-process.ts";
import { environmentOf, executable } from "../support/relais.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

const isRoot = process.getuid?.() === 0;
const config = (isolation = "auto") =>
  JSON.stringify({
    isolation,
    scope: { default_allowed_globs: ["**"], default_allow_new_files: true },
    verification: { templates: [{ id: "test", cmd: "node", args: ["check.mjs"] }] },
  });
const PRICE = "export function price(count) {\n  return count * 2;\n}\n";
const DISCOUNT = "export function price(count) {\n  if (count > 10) return count + 9;\n  return count * 2;\n}\n";
const CHECK = 'import { price } from "./price.mjs";\nif (price(3) !== 6) process.exit(1);\n';
const FILES = { "relais.config.json": config(), "check.mjs": CHECK, "price.mjs": PRICE };

async function mutate(root: string, ...args: readonly string[]) {
  const { status, stdout } = await relais(["judge", "--mutate", "--json", ...args], { cwd: root });
  return { status, mutation: JSON.parse(stdout).mutation };
}

test("mutations that no check notices are named, and the worktree stays as it is", async () => {
  const { root, put, git } = scratchRepository(FILES);
  put({ "price.mjs": DISCOUNT });
  const temporary = scratchFolder();
  const env = { TMPDIR: temporary };
  const { status, stdout, stderr } = await relais(["judge", "--mutate"], { cwd: root, env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("ok SUCCESS: All rules passed.\n");
  expect(stdout).toMatch(/\n\d of 10 mutations survived test\.\n/);
  expect(stdout).toContain("  price.mjs:2:13 `>` → `>=`\n");
  expect(stdout).not.toContain("price.mjs:3");
  expect(readFileSync(join(root, "price.mjs"), "utf8")).toBe(DISCOUNT);
  expect(git("status", "--porcelain")).toBe("M price.mjs");
  expect(readdirSync(temporary)).toEqual([]);
});

test("the staged content and a range are mutated, not the working tree", async () => {
  const { root, put, git, commit } = scratchRepository(FILES);
  put({ "price.mjs": DISCOUNT });
  git("add", "price.mjs");
  // Neither would let a check pass.
  put({ "price.mjs": "export const price = 1;\n", "check.mjs": "process.exit(1);\n", "new.mjs": "" });
  const staged = await mutate(root, "--staged", "--mutations", "4");
  expect(staged.mutation).toMatchObject({
    skipped: null,
    tried: 4,
    possible: 10,
    checks: ["test"],
    out_of_time: false,
  });
  git("checkout", "--quiet", "--force", ".");
  git("commit", "--quiet", "--message", "discount");
  commit({ "check.mjs": "process.exit(1);\n" });
  expect((await mutate(root, "--range", "HEAD~2..HEAD~1")).mutation).toMatchObject({ skipped: null, tried: 10 });
});

test("without an overlay, a copy is mutated", async () => {
  const { root, put, git } = scratchRepository({ ...FILES, "relais.config.json": config("clone") });
  put({ "price.mjs": DISCOUNT });
  expect((await mutate(root, "--mutations", "3")).mutation).toMatchObject({ skipped: null, tried: 3 });
  expect(git("status", "--porcelain")).toBe("M price.mjs");
});

test.runIf(isRoot)("an ordinary user can try them, too", async () => {
  const { root, box, put } = scratchRepository(FILES);
  put({ "price.mjs": DISCOUNT });
  const temporary = join(box, "temporary");
  mkdirSync(temporary);
  execFileSync("chown", ["-R", "65534:65534", box]);
  const options = { cwd: root, env: environmentOf({ cwd: root, env: { TMPDIR: temporary } }) };
  const user = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath, executable];
  const args = [...user, "judge", "--mutate", "--mutations", "2", "--json"];
  const { stdout } = await promisify(execFile)("setpriv", args, options);
  expect(JSON.parse(stdout)).toMatchObject({ mutation: { skipped: null, tried: 2 } });
  expect(readdirSync(temporary)).toEqual([]);
});

test("a better test notices more", async () => {
  const strict = `${CHECK}if (price(10) !== 20 || price(11) !== 20 || price(12) !== 21) process.exit(1);\n`;
  const { root, put } = scratchRepository({ ...FILES, "check.mjs": strict });
  put({ "price.mjs": DISCOUNT });
  const { status, mutation } = await mutate(root);
  expect({ status, mutation }).toMatchObject({ status: 0, mutation: { tried: 10, survivors: [] } });
});

test("where mutations say nothing, none is tried", async () => {
  const { root, put } = scratchRepository(FILES);
  const reasons: string[] = [];
  const note = async (...args: readonly string[]) => reasons.push((await mutate(root, ...args)).mutation.skipped);
  put({ "notes.md": "a < b\n" });
  await note();
  put({ "price.mjs": `${DISCOUNT}throw new Error("broken");\n` });
  await note();
  await note("--forbid", "price.mjs");
  expect(reasons).toEqual([
    "no changed line of JavaScript or TypeScript allows one",
    expect.stringMatching(/^test fails without a mutation: /),
    "the change breaks a rule",
  ]);
  const { stdout } = await relais(["judge", "--mutate"], { cwd: root });
  expect(stdout).toContain("No mutation was tried: test fails without a mutation:");
});

test("a check that is not there, and options without --mutate, are refused", async () => {
  const { root } = scratchRepository(FILES);
  const unknown = await relais(["judge", "--mutate", "--check", "lint"], { cwd: root });
  expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no check "lint"') });
  const alone = await relais(["judge", "--mutations", "3"], { cwd: root });
  expect(alone).toMatchObject({ status: 2, stderr: expect.stringContaining("need --mutate") });
});
