import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type IndexEntry, readIndexFile } from "../../src/store/git-index.ts";
import { place } from "../support/workplace.ts";

const readIndex = (bytes: Buffer): readonly IndexEntry[] => readIndexFile(bytes).entries;

const AWKWARD = {
  "src/a b/é.ts": "x",
  'src/"q".ts': "x",
  "src/new\nline": "x",
  [`src/${"d".repeat(200)}`]: "x",
};

test.each(["2", "3", "4"])("version %s of the index is read as git reads it", (version) => {
  const repo = place(AWKWARD);
  repo.git("update-index", `--index-version=${version}`);
  repo.git("update-index", "--assume-unchanged", "src/a.ts");
  repo.git("update-index", "--skip-worktree", "src/b.ts");
  const listed = repo.git("ls-files", "-v", "-z").split("\0").filter(Boolean);
  const read = readIndex(readFileSync(join(repo.root, ".git/index"))).map((entry) => {
    const letter = entry.skipWorktree ? "S" : "H";
    const name = Buffer.from(entry.path, "latin1").toString("utf8");
    return `${entry.assumeUnchanged ? letter.toLowerCase() : letter} ${name}`;
  });
  expect(read).toEqual(listed);
});

test("the three sides of a conflict are entries of their own", () => {
  const repo = place();
  repo.git("checkout", "--quiet", "-b", "other");
  repo.write("src/a.ts", "theirs\n");
  repo.git("commit", "--quiet", "--all", "--message=theirs");
  repo.git("checkout", "--quiet", "main");
  repo.write("src/a.ts", "ours\n");
  repo.git("commit", "--quiet", "--all", "--message=ours");
  expect(() => repo.git("merge", "other")).toThrow(/Command failed/);
  const stages = readIndex(readFileSync(join(repo.root, ".git/index"))).filter(({ path }) => path === "src/a.ts");
  expect(stages.map(({ stage }) => stage)).toEqual([1, 2, 3]);
});

test("a repository with SHA-256 ids is read too", () => {
  const repo = place();
  repo.git("init", "--quiet", "--object-format=sha256", "../sha256");
  repo.write("../sha256/x.ts", "x");
  repo.git("-C", "../sha256", "add", "--all");
  expect(readIndex(readFileSync(join(repo.root, "../sha256/.git/index"))).map(({ path }) => path)).toEqual(["x.ts"]);
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["other bytes", Buffer.from("not an index at all, but long enough to be one")],
])("%s is not an index", (_, bytes) => {
  expect(() => readIndex(bytes)).toThrow(/index/);
});

test("one changed byte anywhere is noticed", () => {
  const index = readFileSync(join(place().root, ".git/index"));
  for (let at = 0; at < index.length; at += 7) {
    const bent = Buffer.from(index);
    bent[at] = (bent[at] ?? 0) ^ 0x40;
    expect(() => readIndex(bent), `byte ${at}`).toThrow(/index/);
  }
});
