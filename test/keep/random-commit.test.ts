/** The commit of any change is the one that git would make of the worktree. */
import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { commitAccepted } from "../../src/keep/settle-commit.ts";
import { gitEnvironment } from "../support/repositories.ts";
import type { ScratchRepository } from "../support/scratch-repository.ts";
import { owned, work } from "../support/settling.ts";

/** The tree of everything in the worktree, by git itself and in an index of its own. */
function gitTree({ box, root }: ScratchRepository): string {
  const env = { ...gitEnvironment(box), GIT_INDEX_FILE: join(box, "another-index") };
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, env }).toString().trim();
  git("read-tree", "HEAD");
  git("add", "--all");
  return git("write-tree");
}

/** The same numbers each time. */
function draw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const NAMES = ["a", "a.b", "a0", "b", "b-c", "c", "é", "UPPER"];

function listFiles(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== ".git")
    .flatMap((entry) => (entry.isDirectory() ? listFiles(root, join(folder, entry.name)) : [join(folder, entry.name)]));
}

/** Writes, replaces, links and removes at random, folders in the place of files and the other way round included. */
function edit(root: string, next: (below: number) => number): void {
  for (let count = 0; count < 6; count += 1) {
    const depth = 1 + next(3);
    const path = Array.from({ length: depth }, () => NAMES[next(NAMES.length)] ?? "a").join("/");
    for (const at of path.split("/").map((_, parts, all) => all.slice(0, parts).join("/")))
      if (lstatSync(join(root, at), { throwIfNoEntry: false })?.isDirectory() === false) rmSync(join(root, at));
    rmSync(join(root, path), { recursive: true, force: true });
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (next(4) === 0) symlinkSync(`to-${next(9)}`, join(root, path));
    else writeFileSync(join(root, path), `${next(1000)}\n`, { mode: next(3) === 0 ? 0o755 : 0o644 });
    const there = listFiles(root);
    if (there.length > 12) rmSync(join(root, there[next(there.length)] ?? "a"));
  }
}

test.each([1, 3])("the tree and the index of random changes are those of git (%i)", async (seed) => {
  const scratch = owned({ a: "a\n", "b/c/d": "d\n", "b/e": "e\n" });
  const next = draw(seed);
  for (const round of [0, 1, 2]) {
    const worked = await work(scratch, () => edit(scratch.root, next));
    const tree = gitTree(scratch);
    expect((await commitAccepted(worked.request)).kind).toBe("committed");
    expect(scratch.git("rev-parse", "HEAD^{tree}")).toBe(tree);
    expect(scratch.git("status", "--porcelain")).toBe("");
    expect(scratch.git("diff-files")).toBe("");
    // Trees that the index remembers are used without a look at its entries.
    expect(scratch.git("write-tree")).toBe(tree);
    expect(scratch.git("fsck", "--strict", "--no-dangling")).toBe("");
    if (round === 1) scratch.git("repack", "-q", "-a", "-d");
  }
});

test("objects have the permissions of git's own, and the commit the date of now", async () => {
  const scratch = owned({ a: "a\n" });
  const worked = await work(scratch, () => {
    scratch.put({ "new/file": "new\n" });
    chmodSync(join(scratch.root, "new/file"), 0o600);
  });
  await commitAccepted(worked.request);
  const modeOf = (id: string): number => statSync(join(scratch.root, ".git/objects", id.slice(0, 2), id.slice(2))).mode;
  const ours = ["HEAD", "HEAD^{tree}", "HEAD:new/file"].map((name) => modeOf(scratch.git("rev-parse", name)));
  expect(ours).toEqual(ours.map(() => modeOf(scratch.git("rev-parse", "HEAD^"))));
  const now = scratch.git("log", "-1", "--format=%ad %cd", "--date=raw").split(" ");
  const offset = execFileSync("date", ["+%z"], { env: { PATH: process.env["PATH"] } })
    .toString()
    .trim();
  expect([now[1], now[3], now[0]]).toEqual([offset, offset, now[2]]);
  expect(Math.abs(Number(now[0]) - Date.now() / 1000)).toBeLessThan(600);
});
