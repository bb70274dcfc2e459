import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encodeIndex, readPlainIndex } from "../../src/io/index/plain-index.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

const FILES = {
  "a.ts": "1\n",
  "日本/ü.txt": "2\n",
  ".gitignore": "x\n",
  "deep/er/b": "3\n",
  ["n".repeat(200)]: "4\n",
};

test("git reads what was written", () => {
  const { root, git } = scratchRepository(FILES);
  const listed = git("ls-files", "-s", "-t", "-z");
  const entries = readPlainIndex(join(root, ".git")) ?? [];
  expect(entries.map(({ path }) => Buffer.from(path, "latin1").toString())).toEqual(
    Object.keys(FILES).toSorted(byBytes),
  );
  writeFileSync(join(root, ".git/index"), encodeIndex(entries));
  expect(git("ls-files", "-s", "-t", "-z")).toBe(listed);
  expect(git("diff-index", "--cached", "HEAD")).toBe("");
  const flagged = entries.map((entry, at) => ({ ...entry, skipWorktree: at === 1 }));
  writeFileSync(join(root, ".git/index"), encodeIndex(flagged));
  expect(git("ls-files", "-t", "-z").match(/S /g)).toHaveLength(1);
  expect(readPlainIndex(join(root, ".git"))).toEqual(flagged);
});

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

test("a missing index is empty, and a split one is left to git", () => {
  const { root, git } = scratchRepository(FILES);
  expect(readPlainIndex(join(root, "deep"))).toEqual([]);
  git("update-index", "--split-index");
  expect(readPlainIndex(join(root, ".git"))).toBeNull();
});

/** What git would refuse, expand or correct. */
const ODD: readonly (readonly [string, number])[] = [
  [".git/config", 0o100644],
  ["a/.GIT", 0o100644],
  ["a/.gi\u00e2\u0080\u008ct/x", 0o100644],
  ["a/git~1", 0o100644],
  ["a/.git. ", 0o100644],
  ["../x", 0o100644],
  ["a//b", 0o100644],
  ["a\\b", 0o100644],
  [".gitmodules", 0o120000],
  ["folder/", 0o40000],
  ["a", 0o100664],
];

test.each(ODD)("an index with %j of mode %o is left to git", (path, mode) => {
  const { root } = scratchRepository({ "a.ts": "1\n" });
  const entry = { path, mode, id: "1".repeat(40), skipWorktree: false };
  writeFileSync(join(root, ".git/index"), encodeIndex([entry]));
  expect(readPlainIndex(join(root, ".git"))).toBeNull();
});

test("an unordered, damaged or foreign index is left to git", () => {
  const { root } = scratchRepository({ "a.ts": "1\n" }, "sha256");
  expect(readPlainIndex(join(root, ".git"))).toBeNull();
  const write = (bytes: Buffer) => writeFileSync(join(root, ".git/index"), bytes);
  const entry = { mode: 0o100644, id: "1".repeat(40), skipWorktree: false };
  write(encodeIndex(["b", "a"].map((path) => ({ ...entry, path }))));
  expect(readPlainIndex(join(root, ".git"))).toBeNull();
  write(Buffer.from("DIRC and nothing else"));
  expect(readPlainIndex(join(root, ".git"))).toBeNull();
});
