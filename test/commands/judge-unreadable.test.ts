import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/in-process.ts";
import { executable } from "../support/relais.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

test("a repository in the tree that has no commit is told by its name, with what to do", async () => {
  const { root, git } = scratchRepository({ "a.txt": "1\n" });
  git("init", "--quiet", "inner");
  const { status, stderr } = await relais(["judge"], { cwd: root });
  expect(status).toBe(10);
  expect(stderr).toMatch(
    /^stop STOP_INTERRUPTED: inner\/ could not be measured: is a repository without a commit; .+\n/,
  );
});

const damaged: readonly (readonly [string, (root: string) => void, RegExp])[] = [
  [
    "an extension that git does not know",
    (root) => writeFileSync(join(root, ".git/config"), "[core]\nrepositoryformatversion = 1\n[extensions]\nnew = 1\n"),
    /unknown repository extension/,
  ],
  [
    "a configuration that git cannot read",
    (root) => writeFileSync(join(root, ".git/config"), "[core\n"),
    /bad config line/,
  ],
  [
    "a branch that is no id",
    (root) => writeFileSync(join(root, ".git/refs/heads/main"), "nonsense\n"),
    /leads to no commit|bad ref|broken/,
  ],
  [
    "a packed branch whose commit is lost",
    (root) => {
      rmSync(join(root, ".git/refs/heads/main"));
      writeFileSync(join(root, ".git/packed-refs"), `${"1".repeat(40)} refs/heads/main\n`);
    },
    /leads to no commit/,
  ],
  [
    "a branch whose commit is lost",
    (root) => writeFileSync(join(root, ".git/refs/heads/main"), `${"1".repeat(40)}\n`),
    /leads to no commit/,
  ],
];

test.each(damaged)("%s is a failed measurement, not a repository without commits", async (_, damage, words) => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  damage(root);
  const { status, stderr } = await relais(["judge"], { cwd: root });
  expect(stderr).toMatch(/^stop STOP_INTERRUPTED: /);
  expect(stderr).toMatch(words);
  expect(status).toBe(10);
});

test("a range in a repository that git cannot read is a failed measurement as well", async () => {
  const { root, commit } = scratchRepository({ "a.txt": "1\n" });
  commit({ "a.txt": "2\n" });
  writeFileSync(join(root, ".git/config"), "[core\n");
  const { status, stderr } = await relais(["judge", "--range", "HEAD~1..HEAD"], { cwd: root });
  expect({ status, stderr }).toMatchObject({
    status: 10,
    stderr: expect.stringContaining("bad config line"),
  });
});

test("a revision that git cannot make sense of is a mistake of the person who asks", async () => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  const { status, stderr } = await relais(["judge", "--base", "@{upstream}"], { cwd: root });
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining("no commit") });
});

test.runIf(existsSync("/dev/full"))("an answer that cannot be written is told in one line", () => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  const command = `exec "${process.execPath}" "${executable}" judge > /dev/full`;
  const { status, stderr } = spawnSync("/bin/sh", ["-c", command], { cwd: root, encoding: "utf8" });
  expect(stderr).toMatch(/^relais: the output was lost: ENOSPC[^\n]*\n$/);
  expect(status).toBe(1);
});
