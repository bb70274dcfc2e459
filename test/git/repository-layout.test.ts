import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRepository } from "../../src/git/repository-layout.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

test("an ordinary repository is found from a folder below it", async () => {
  const { root } = scratchRepository({ "a/b/c.txt": "1\n" });
  expect(await findRepository(join(root, "a/b"), process.env)).toEqual({
    kind: "repository",
    root,
    gitDir: join(root, ".git"),
    commonDir: join(root, ".git"),
    gitFile: false,
    environment: process.env,
  });
});

test("a linked worktree has its own git directory and shares the common one", async () => {
  const { box, root, git } = scratchRepository({ "a.txt": "1\n" });
  git("worktree", "add", "--quiet", "../linked");
  expect(await findRepository(join(box, "linked"), process.env)).toEqual({
    kind: "repository",
    root: join(box, "linked"),
    gitDir: join(root, ".git/worktrees/linked"),
    commonDir: join(root, ".git"),
    gitFile: true,
    environment: process.env,
  });
});

test("a submodule with a relative git file leads into the outer repository's modules", async () => {
  const inner = scratchRepository({ "a.txt": "1\n" });
  const outer = scratchRepository({ "b.txt": "1\n" });
  outer.git("submodule", "--quiet", "add", inner.root, "sub");
  const gitDir = join(outer.root, ".git/modules/sub");
  const found = await findRepository(join(outer.root, "sub"), process.env);
  expect(found).toMatchObject({ root: join(outer.root, "sub"), gitDir, commonDir: gitDir, gitFile: true });
});

test("a symlinked .git is followed", async () => {
  const { box, root } = scratchRepository({ "a.txt": "1\n" });
  renameSync(join(root, ".git"), join(box, "elsewhere"));
  symlinkSync("../elsewhere", join(root, ".git"));
  expect(await findRepository(root, process.env)).toMatchObject({
    root,
    gitDir: join(box, "elsewhere"),
    gitFile: false,
  });
});

test("variables of the environment cannot name another repository", async () => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  const other = scratchRepository({ "a.txt": "1\n" });
  process.env["GIT_DIR"] = join(other.root, ".git");
  try {
    expect(await findRepository(root, process.env)).toMatchObject({ gitDir: join(root, ".git") });
  } finally {
    delete process.env["GIT_DIR"];
  }
});

test("a bare repository, no repository and an empty .git folder are told apart", async () => {
  const { box, git } = scratchRepository({ "a.txt": "1\n" });
  git("clone", "--quiet", "--bare", ".", "../bare.git");
  expect(await findRepository(join(box, "bare.git"), process.env)).toEqual({
    kind: "bare",
    dir: join(box, "bare.git"),
  });
  const folder = scratchFolder();
  mkdirSync(join(folder, "inside/.git"), { recursive: true });
  expect(await findRepository(join(folder, "inside"), process.env)).toEqual({
    kind: "none",
    searched: join(folder, "inside"),
    exists: true,
  });
  expect(await findRepository(join(folder, "absent"), process.env)).toEqual({
    kind: "none",
    searched: join(folder, "absent"),
    exists: false,
  });
});

test.each([
  ["rubbish\n", "names no git directory"],
  ["gitdir: ../nowhere\n", "ENOENT"],
  ["gitdir: ..\n", "no git directory"],
])("a .git file with %j is an error and not the end of the search", async (text, reason) => {
  const { root } = scratchRepository({ "a/b.txt": "1\n" });
  writeFileSync(join(root, "a/.git"), text);
  await expect(findRepository(join(root, "a"), process.env)).rejects.toThrow(reason);
});
