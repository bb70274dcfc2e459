/** A commit that is made without git is the one that git would make, and what only git can do is left to it. */
import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { stagePlainTree } from "../../src/io/commit/plain-objects.ts";
import { isStoredAsIs } from "../../src/io/commit/stored-as-is.ts";
import { readFilterSettings } from "../../src/io/git/filter-settings.ts";
import { findRepository } from "../../src/io/git/repository-layout.ts";
import { isNoticedByGit } from "../../src/io/index/file-entry.ts";
import { computeBlobId } from "../../src/io/files/blob-id.ts";
import { patchIndex } from "../../src/io/index/index-patch.ts";
import { commitAccepted, listCommittedEntries } from "../../src/run/keep/settle-commit.ts";
import { gitEnvironment } from "../support/repositories.ts";
import type { ScratchRepository } from "../support/scratch-repository.ts";
import { owned, work, type Worked } from "../support/settling.ts";

/** Null where git must make it. */
function plainTree({
  repository,
  base,
  request,
  evidence,
}: Pick<Worked, "repository" | "base" | "request" | "evidence">) {
  const { settings } = request;
  const entries = listCommittedEntries(evidence.changes);
  return stagePlainTree({ repository, settings, base, entries, attributesBefore: new Map() })?.tree ?? null;
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

test.each([1, 3])("the tree and the index of random changes are those of git (%i)", async (seed) => {
  const scratch = owned({ a: "a\n", "b/c/d": "d\n", "b/e": "e\n" });
  const next = draw(seed);
  for (const round of [0, 1, 2]) {
    const worked = await work(scratch, () => edit(scratch.root, next));
    const tree = gitTree(scratch);
    expect(plainTree(worked)).toBe(tree);
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

interface Attributes {
  readonly place: string;
  readonly text: string;
  readonly content: string;
  readonly isPlain: boolean;
}

const ROOT = ".gitattributes";
const FOLDER = "src/.gitattributes";
const INFO = ".git/info/attributes";
const ATTRIBUTES: readonly Attributes[] = [
  { place: ROOT, text: "", content: "a\r\n$Id$\n", isPlain: true },
  { place: ROOT, text: "* text=auto\n", content: "a\n", isPlain: true },
  { place: ROOT, text: "* text=auto\n", content: "a\r\n", isPlain: false },
  { place: FOLDER, text: "*.txt crlf\n", content: "a\r\n", isPlain: false },
  { place: INFO, text: "*.txt ident\n", content: "$Id: 1 $\n", isPlain: false },
  { place: FOLDER, text: "*.dat filter=x\n", content: "a\n", isPlain: false },
  { place: INFO, text: "*.u working-tree-encoding=UTF-16\n", content: "a\n", isPlain: false },
  { place: ROOT, text: "[attr]mine text\n", content: "a\n", isPlain: false },
  { place: ROOT, text: "*.txt diff=x -merge\n", content: "a\r\n", isPlain: true },
];

async function isAsIs(scratch: ScratchRepository, content: string): Promise<boolean> {
  const repository = await findRepository(scratch.root, process.env);
  if (repository.kind !== "repository") throw new Error("no repository");
  const settings = await readFilterSettings(repository);
  return isStoredAsIs({ repository, settings, contents: new Map([["src/a.txt", Buffer.from(content)]]) });
}

test("attributes are seen, wherever they are", async () => {
  const scratch = owned({ "src/a.txt": "before\n" });
  for (const { place, text, content, isPlain } of ATTRIBUTES) {
    scratch.put({ [place]: text });
    expect(await isAsIs(scratch, content)).toBe(isPlain);
    rmSync(join(scratch.root, place));
  }
  symlinkSync("elsewhere", join(scratch.root, ".gitattributes"));
  expect(await isAsIs(scratch, "a\n")).toBe(false);
});

test.each([
  ["core.autocrlf", "input", false],
  ["core.autocrlf", "False", true],
  ["core.attributesFile", "../attributes", false],
  ["core.sparseCheckout", "true", false],
])("with %s=%s content with line endings is stored as it is: %s", async (key, value, isPlain) => {
  const scratch = owned({ a: "before\n" });
  scratch.git("config", key, value);
  scratch.put({ "../attributes": "* filter=x\n" });
  expect(await isAsIs(scratch, "a\r\n")).toBe(isPlain);
});

test("attributes that are missing in the worktree still count, because git takes them from the base", async () => {
  const scratch = owned({ ".gitattributes": "*.dat filter=x\n", "src/a": "a\n" });
  rmSync(join(scratch.root, ".gitattributes"));
  const worked = await work(scratch, () => scratch.put({ "src/a": "b\n" }));
  expect(plainTree(worked)).toBeNull();
});

test("names that a file system may take for git's own are left to git", async () => {
  const worked = await work(owned({ a: "a\n", "b/c": "c\n" }), () => undefined);
  const remove = (path: string) => plainTree({ ...worked, evidence: { ...worked.evidence, changes: [removal(path)] } });
  for (const name of ["b/c", ".gitignore", "git/x", "x..", "github"]) expect(remove(name)).not.toBeNull();
  const odd = ["a:b", ".GIT ", ".git/x", "x/git~1", "back\\slash", ".gitmodules", "x/\u200c.git", "a//b", "../x"];
  for (const name of odd) expect(remove(name)).toBeNull();
});

function removal(path: string): Worked["evidence"]["changes"][number] {
  const before = { type: "file", mode: "0644", size: 1, id: "0".repeat(40), link_target: null, hard_links: 1 } as const;
  const counts = { lines_added: 0, lines_deleted: 0, bytes_changed: 0 };
  const context = { path_base64: null, inside_repository: null, collides_with: null, made_readable: false };
  return { ...counts, ...context, path, before, after: null, standing: "tracked" };
}

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

test("a file that was changed within the second of its index is left to git, which may overlook it later", () => {
  const { root, put } = owned({ b: "old\n" });
  const moment = new Date(1_700_000_000_500);
  const look = (content: string, at: Date): boolean => {
    put({ b: content });
    utimesSync(join(root, "b"), at, at);
    const id = computeBlobId(Buffer.from("old\n"));
    return isNoticedByGit(root, { path: "b", id, seconds: 1_700_000_000, size: 4 });
  };
  expect([look("old\n", moment), look("new\n", moment)]).toEqual([true, false]);
  expect([look("longer\n", moment), look("new\n", new Date(1_700_000_009_000))]).toEqual([true, true]);
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
