/** The release script in a copy of this repository: what it refuses, what it makes, and that it leaves the rest alone. */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gitEnvironment } from "../support/repositories.ts";

const ROOT = join(import.meta.dirname, "../..");
const NOT_COPIED = new Set([".git", "node_modules", "dist", ".cache"]);
const folder = realpathSync(mkdtempSync(join(tmpdir(), "relais-release-test-")));
const copy = join(folder, "copy");
const env = { ...gitEnvironment(folder), TMPDIR: folder };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]): string => execFileSync("git", args, { cwd: copy, env, encoding: "utf8" }).trim();
/** Its end is waited for without blocking: a release takes its time, and the runner of the tests wants to hear from us. */
const release = async (...args: string[]) => {
  const child = spawn(process.execPath, ["scripts/run.mjs", "scripts/release.ts", ...args], {
    cwd: copy,
    env,
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (said.stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (said.stderr += chunk));
  const [status]: unknown[] = await once(child, "close");
  return { status, ...said };
};
const refusal = async (...args: string[]) => {
  const { status, stderr } = await release(...args);
  return [status, stderr];
};
const read = (path: string): string => readFileSync(join(copy, path), "utf8");

beforeAll(() => {
  cpSync(ROOT, copy, { recursive: true, filter: (path) => path === ROOT || !NOT_COPIED.has(basename(path)) });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message=first");
});

test("what is no version, an old one or one that exists is refused, and so is a tree that is not clean", async () => {
  expect(await refusal()).toEqual([2, "release: usage: npm run release -- X.Y.Z [--dry-run]\n"]);
  expect(await refusal("v1.0.0")).toEqual([2, "release: usage: npm run release -- X.Y.Z [--dry-run]\n"]);
  expect(await refusal("0.0.1")).toEqual([2, expect.stringContaining("0.0.1 comes before")]);
  git("tag", "v97.0.0");
  expect(await refusal("97.0.0")).toEqual([2, "release: the tag v97.0.0 exists already\n"]);
  writeFileSync(join(copy, "notes.txt"), "mine\n");
  expect(await refusal("98.7.6")).toEqual([2, expect.stringContaining("the tree is not clean")]);
  expect(read("notes.txt")).toBe("mine\n");
  rmSync(join(copy, "notes.txt"));
});

test("a package that does not work is not released, and the tree is as it was", async () => {
  writeFileSync(join(copy, "src/bin.ts"), "process.exit(3);\n");
  git("commit", "--quiet", "--all", "--message=broken");
  const { status, stderr } = await release("98.7.6");
  expect([status, stderr]).toEqual([1, expect.stringContaining("the installed package does not work")]);
  expect([git("status", "--porcelain"), git("tag", "--list", "v98*")]).toEqual(["", ""]);
  git("reset", "--quiet", "--hard", "HEAD~1");
});

test("a dry run makes the tarball and leaves the tree as it was", async () => {
  const head = git("rev-parse", "HEAD");
  const { status, stdout } = await release("98.7.6", "--dry-run");
  expect([status, stdout]).toEqual([0, "A dry run: .cache/release/relais-98.7.6.tgz works. Nothing was committed.\n"]);
  expect(existsSync(join(copy, ".cache/release/relais-98.7.6.tgz"))).toBe(true);
  expect([git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag", "--list", "v98*")]).toEqual([
    head,
    "",
    "",
  ]);
});

test("a release is one commit with a tag, and what comes next is printed and not done", async () => {
  const { status, stdout } = await release("98.7.6");
  expect(status).toBe(0);
  expect(stdout).toContain("git push origin HEAD v98.7.6\n  npm publish .cache/release/relais-98.7.6.tgz\n");
  expect(git("log", "--format=%s", "v98.7.6^{commit}")).toBe("chore: release 98.7.6\nfirst");
  expect(git("diff", "--name-only", "HEAD~1", "HEAD").split("\n")).toEqual([
    "CHANGELOG.md",
    "README.md",
    "docs/judge.md",
    "package-lock.json",
    "package.json",
  ]);
  const sha256 = createHash("sha256")
    .update(readFileSync(join(copy, ".cache/release/relais-98.7.6.tgz")))
    .digest("hex");
  expect(JSON.parse(read(".cache/release/relais-98.7.6.cdx.json"))).toMatchObject({
    metadata: { component: { version: "98.7.6", hashes: [{ content: sha256 }] } },
  });
  expect(JSON.parse(read(".cache/release/relais-98.7.6.provenance.json"))).toMatchObject({
    subject: [{ digest: { sha256 } }],
    predicate: {
      buildDefinition: {
        resolvedDependencies: [
          { digest: { gitCommit: git("rev-parse", "HEAD") } },
          { name: "package.json" },
          { digest: { sha256: createHash("sha256").update(read("package-lock.json")).digest("hex") } },
        ],
      },
    },
  });
  expect(read("CHANGELOG.md")).toMatch(/^## Unreleased\n\n## 98\.7\.6 - \d{4}-\d\d-\d\d\n\n(?:- |### )/m);
  expect(read("README.md")).toContain("./relais-98.7.6.tgz");
  expect(JSON.parse(read("package.json"))).toMatchObject({ version: "98.7.6" });
  expect(git("status", "--porcelain")).toBe("");
});
