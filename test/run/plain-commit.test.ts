/** A commit that is made without git is the one that git would make, and what only git can do is left to it. */
import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { stagePlainTree } from "../../src/io/commit/plain-objects.ts";
import { openFilterView } from "../../src/io/git/filter-view.ts";
import { patchIndex } from "../../src/io/index/index-patch.ts";
import { commitAccepted, listCommittedEntries } from "../../src/run/keep/settle-commit.ts";
import { gitEnvironment } from "../support/repositories.ts";
import type { ScratchRepository } from "../support/scratch-repository.ts";
import { owned, work, type Worked } from "../support/settling.ts";

/** Null where git must make it. */
async function plainTree({ repository, base, request, evidence, state }: Worked): Promise<string | null> {
  const folder = join(state, "view");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const { settings } = request;
  const view = await openFilterView({ repository, settings, folder, objectFormat: "sha1" });
  const entries = listCommittedEntries(evidence.changes);
  return stagePlainTree({ repository, settings, view, base, entries, attributesBefore: new Map() })?.tree ?? null;
}

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

test.each([1, 2, 3])("the tree and the index of random changes are those of git (%i)", async (seed) => {
  const scratch = owned({ a: "a\n", "b/c/d": "d\n", "b/e": "e\n" });
  const next = draw(seed);
  for (const round of [0, 1, 2]) {
    const worked = await work(scratch, () => edit(scratch.root, next));
    const tree = gitTree(scratch);
    expect(await plainTree(worked)).toBe(tree);
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

test.each([
  ["nothing", "", "a\r\n$Id$\n", true],
  ["line endings and a file without any to convert", "* text=auto\n", "a\n", true],
  ["line endings", "* text=auto\n", "a\r\n", false],
  ["an old word for line endings", "*.txt crlf\n", "a\r\n", false],
  ["names of versions", "*.txt ident\n", "$Id: 1 $\n", false],
  ["a filter", "*.dat filter=x\n", "a\n", false],
  ["an encoding", "*.utf working-tree-encoding=UTF-16\n", "a\n", false],
  ["a word of the repository's own", "[attr]mine text\n* mine\n", "a\n", false],
  ["words about other things", "*.txt diff=x -merge linguist-generated\n", "a\r\n", true],
])("attributes about %s are seen, wherever they are", async (_, attributes, content, isPlain) => {
  for (const place of [".gitattributes", "src/.gitattributes", ".git/info/attributes"]) {
    const scratch = owned({ "src/a.txt": "before\n" });
    if (place.startsWith(".git/")) scratch.put({ [place]: attributes });
    else scratch.commit({ [place]: attributes });
    const worked = await work(scratch, () => scratch.put({ "src/a.txt": content }));
    expect((await plainTree(worked)) !== null).toBe(isPlain);
  }
});

test("a configured file of attributes, conversion of line endings and a sparse checkout are left to git", async () => {
  const isPlain = async (settings: readonly (readonly [string, string])[], content: string): Promise<boolean> => {
    const scratch = owned({ a: "before\n" });
    for (const [key, value] of settings) scratch.git("config", key, value);
    scratch.put({ "../attributes": "* filter=x\n" });
    return (await plainTree(await work(scratch, () => scratch.put({ a: content })))) !== null;
  };
  expect(await isPlain([["core.autocrlf", "input"]], "a\r\n")).toBe(false);
  expect(await isPlain([["core.autocrlf", "input"]], "a\n")).toBe(true);
  expect(await isPlain([["core.autocrlf", "false"]], "a\r\n")).toBe(true);
  expect(await isPlain([["core.attributesFile", "../attributes"]], "a\n")).toBe(false);
  expect(await isPlain([["core.sparseCheckout", "true"]], "a\n")).toBe(false);
});

test.each(["a:b", ".GIT ", "x/git~1", "back\\slash", ".gitmodules", "x/\u200c.git"])(
  "a name such as %j is left to git",
  async (name) => {
    const scratch = owned({ a: "a\n" });
    expect(await plainTree(await work(scratch, () => scratch.put({ [name]: "x\n" })))).toBeNull();
  },
);

const index = ({ root }: ScratchRepository): Buffer => readFileSync(join(root, ".git/index"));
const without = (path: string) => ({ writtenAt: Infinity, entries: new Map([[path, null]]), isNoticed: () => true });

test("an index of another form is left to git, and all flags of the others stay", () => {
  const scratch = owned({ a: "a\n", "b/c": "c\n", "b/d": "d\n", e: "e\n" });
  scratch.git("update-index", "--skip-worktree", "a");
  scratch.git("update-index", "--assume-unchanged", "b/c");
  scratch.git("update-index", "--untracked-cache");
  scratch.put({ later: "later\n" });
  scratch.git("add", "--intent-to-add", "later");
  const patched = patchIndex(index(scratch), without("b/d"));
  const shown = scratch.git("ls-files", "-v", "--debug").replace(/^H b\/d\n(?: .*\n)*/m, "");
  writeFileSync(join(scratch.root, ".git/index"), patched ?? "");
  expect(scratch.git("ls-files", "-v", "--debug")).toBe(shown);
  const damaged = index(scratch);
  damaged[20] = 1;
  expect(patchIndex(damaged, without("a"))).toBeNull();
  expect(patchIndex(index(scratch), { ...without("a"), entries: new Map([["e/f", Buffer.alloc(60)]]) })).toBeNull();
  expect(patchIndex(index(scratch), { ...without("a"), entries: new Map([["b", Buffer.alloc(60)]]) })).toBeNull();
  expect(patchIndex(index(scratch), { ...without("a"), writtenAt: 0, isNoticed: () => false })).toBeNull();
  scratch.git("update-index", "--index-version=4");
  expect(patchIndex(index(scratch), without("a"))).toBeNull();
  scratch.git("update-index", "--index-version=2");
  scratch.git("update-index", "--split-index");
  expect(patchIndex(index(scratch), without("a"))).toBeNull();
});

test("a file that was changed within the second of its index is still seen as changed", async () => {
  const scratch = owned({ a: "a\n", b: "old\n" });
  scratch.git("config", "core.trustctime", "false");
  const moment = new Date(Date.now() - 60_000);
  utimesSync(join(scratch.root, "b"), moment, moment);
  scratch.git("update-index", "--refresh");
  utimesSync(join(scratch.root, ".git/index"), moment, moment);
  const worked = await work(scratch, () => scratch.put({ a: "two\n" }));
  writeFileSync(join(scratch.root, "b"), "new\n");
  utimesSync(join(scratch.root, "b"), moment, moment);
  expect((await commitAccepted(worked.request)).kind).toBe("committed");
  expect(scratch.git("status", "--porcelain")).toBe("M b");
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
