import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitAccepted } from "../../src/keep/settle-commit.ts";
import { keepAccepted, undoAccepted, type UndoRequest } from "../../src/keep/undo.ts";
import type { ScratchRepository } from "../support/scratch-repository.ts";
import { linkedWorktree, owned, RUN_ID, work, type Worked } from "../support/settling.ts";
import { walk } from "../support/walker.ts";

async function accepted(worked: Worked, mode: "left" | "committed"): Promise<UndoRequest> {
  const { store, state, evidence, repository, base } = worked;
  const besides = evidence.changes.filter(({ standing }) => standing === "ignored");
  await keepAccepted({ store, stateDirectory: state, runId: RUN_ID, code: "SUCCESS", evidence, besides });
  const request = { repository, store, stateDirectory: state, lines: [], runId: RUN_ID, base };
  if (mode === "left") return { ...request, commit: null };
  const outcome = await commitAccepted(worked.request);
  if (outcome.kind !== "committed") throw new Error(outcome.kind);
  return { ...request, commit: outcome.commit };
}

/** Every entry of the working tree with type, mode and content; git's own folder is left out. */
function files({ root }: ScratchRepository): string[] {
  return [...walk({ folder: root, worktrees: [] }).entries]
    .filter(([name]) => !/^(\.\/)?\.git(\/|$)/.test(name))
    .map(([name, { type, mode, digest }]) => `${name} ${type} ${mode} ${digest}`)
    .toSorted();
}

function everything() {
  const scratch = owned({
    "src/a.ts": "one\n",
    "src/gone.ts": "x\n",
    "run.sh": "#!/bin/sh\n",
    "turns/into": "a file\n",
    was: "a file\n",
    private: "mine\n",
    "page.txt": "one\r\n",
    ".gitattributes": "*.txt text eol=crlf\n",
    ".gitignore": "dist/\n",
  });
  chmodSync(join(scratch.root, "private"), 0o600);
  const build = (): void => {
    scratch.put({
      "src/a.ts": "two\n",
      "deep/er/new.ts": "new\n",
      private: "changed\n",
      "page.txt": "two\r\n",
    });
    rmSync(join(scratch.root, "src/gone.ts"));
    chmodSync(join(scratch.root, "run.sh"), 0o755);
    rmSync(join(scratch.root, "turns"), { recursive: true });
    writeFileSync(join(scratch.root, "turns"), "now a file\n");
    rmSync(join(scratch.root, "was"));
    scratch.put({ "was/inside/it": "now a folder\n", 'odd "\n\\': "odd\n" });
    symlinkSync("src/a.ts", join(scratch.root, "link"));
  };
  return { scratch, build };
}

test.each(["left", "committed"] as const)("an accepted change that was %s is taken back exactly", async (mode) => {
  const { scratch, build } = everything();
  const before = files(scratch);
  const worked = await work(scratch, build);
  const request = await accepted(worked, mode);
  expect(await undoAccepted(request)).toMatchObject({ kind: "undone" });
  expect(files(scratch)).toEqual(before);
  expect(scratch.git("rev-parse", "HEAD")).toBe(worked.base);
  expect(scratch.git("status", "--porcelain")).toBe("");
  expect(scratch.git("diff-index", "--cached", "HEAD")).toBe("");
  expect(scratch.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
  expect(existsSync(join(scratch.root, ".git/index.lock"))).toBe(false);
});

test("what was staged of an accepted change is taken out of the index as well, and nothing else", async () => {
  const scratch = owned({ a: "a\n", b: "b\n" });
  const worked = await work(scratch, () => scratch.put({ a: "A\n", c: "c\n" }));
  const request = await accepted(worked, "left");
  scratch.put({ b: "mine\n" });
  scratch.git("add", "--all");
  expect(await undoAccepted(request)).toMatchObject({ kind: "undone" });
  expect(scratch.git("status", "--porcelain")).toBe("M  b");
});

test("a later edit of a touched path is never lost", async () => {
  const scratch = owned({ a: "a\n", b: "b\n" });
  const worked = await work(scratch, () => {
    scratch.put({ a: "A\n", "new/c": "c\n" });
    rmSync(join(scratch.root, "b"));
  });
  const request = await accepted(worked, "left");
  scratch.put({ a: "mine\n", b: "mine too\n" });
  expect(await undoAccepted(request)).toEqual({ kind: "edited", paths: ["a", "b"] });
  expect(readFileSync(join(scratch.root, "a"), "utf8")).toBe("mine\n");
  expect(readFileSync(join(scratch.root, "new/c"), "utf8")).toBe("c\n");
});

test("a file of mine beside a new one keeps its folder", async () => {
  const scratch = owned({ a: "a\n" });
  const worked = await work(scratch, () => scratch.put({ "new/c": "c\n" }));
  const request = await accepted(worked, "left");
  scratch.put({ "new/mine": "m\n" });
  expect(await undoAccepted(request)).toMatchObject({ kind: "undone" });
  expect(scratch.git("status", "--porcelain", "--untracked-files=all")).toBe("?? new/mine");
});

test("a commit is taken back only while it is HEAD and the tree is clean", async () => {
  const scratch = owned({ a: "a\n", b: "b\n" });
  const worked = await work(scratch, () => scratch.put({ a: "A\n" }));
  const request = await accepted(worked, "committed");
  scratch.put({ b: "mine\n" });
  expect(await undoAccepted(request)).toEqual({ kind: "dirty", paths: ["b"] });
  scratch.git("commit", "--quiet", "--all", "--message", "mine");
  expect(await undoAccepted(request)).toEqual({ kind: "not-head", head: scratch.git("rev-parse", "HEAD") });
  scratch.git("reset", "--quiet", "--hard", "HEAD^");
  expect(await undoAccepted(request)).toMatchObject({ kind: "undone" });
  expect(await undoAccepted(request)).toEqual({ kind: "not-head", head: worked.base });
});

test("an undo of a commit that was stopped after some of its files is finished by the next one", async () => {
  const scratch = owned({ a: "a\n", b: "b\n", c: "c\n" });
  const worked = await work(scratch, () => {
    scratch.put({ a: "A\n", b: "B\n", new: "new\n" });
    rmSync(join(scratch.root, "c"));
  });
  const request = await accepted(worked, "committed");
  scratch.put({ a: "a\n", c: "c\n" });
  rmSync(join(scratch.root, "new"));
  scratch.put({ ".relais-0123456789abcdef": "half" });
  expect(await undoAccepted(request)).toMatchObject({ kind: "undone" });
  expect(scratch.git("rev-parse", "HEAD")).toBe(worked.base);
  expect(scratch.git("status", "--porcelain")).toBe("");
});

test("in a linked worktree only its own branch moves", async () => {
  const main = owned({ a: "a\n" });
  const scratch = linkedWorktree(main);
  const worked = await work(scratch, () => scratch.put({ a: "A\n" }));
  const request = await accepted(worked, "committed");
  expect(await undoAccepted(request)).toMatchObject({ kind: "undone" });
  expect(scratch.git("status", "--porcelain")).toBe("");
  expect(scratch.git("reflog", "-1", "--format=%gs")).toBe(`relais: undo ${RUN_ID}`);
  expect(main.git("status", "--porcelain")).toBe("");
});

test("only the latest accepted changes are kept", async () => {
  const scratch = owned({ a: "a\n" });
  const { store, state, evidence } = await work(scratch, () => scratch.put({ a: "A\n" }));
  mkdirSync(join(state, "accepted"), { recursive: true });
  const names = Array.from({ length: 12 }, (_, index) => `20260101T0000${10 + index}Z-00000000`);
  for (const runId of names) await keepAccepted({ store, stateDirectory: state, runId, code: "SUCCESS", evidence });
  expect(names.map((name) => existsSync(join(state, "accepted", name, "meta.json")))).toEqual(
    names.map((_, index) => index >= 2),
  );
});

/** A repository with files of a person that git ignores, and a builder that meddles with them. */
function withIgnored() {
  const scratch = owned({ a: "a\n", ".gitignore": "local/\n*.log\n" });
  scratch.put({ "local/db": "years of work\n", "one.log": "1\n" });
  chmodSync(join(scratch.root, "local/db"), 0o600);
  const build = (): void => {
    scratch.put({ a: "A\n", "one.log": "2\n", "deep/new.log": "new\n" });
    rmSync(join(scratch.root, "local"), { recursive: true });
  };
  return { scratch, build };
}

test.each(["left", "committed"] as const)("ignored files are taken back with a change that was %s", async (mode) => {
  const { scratch, build } = withIgnored();
  const before = files(scratch);
  const request = await accepted(await work(scratch, build), mode);
  expect(await undoAccepted(request)).toMatchObject({
    kind: "undone",
    besides: ["deep/new.log", "local/db", "one.log"],
    notBack: [],
  });
  expect(files(scratch)).toEqual(before);
});

test("an ignored file that was edited since stays, is named, and holds nothing up", async () => {
  const { scratch, build } = withIgnored();
  const request = await accepted(await work(scratch, build), "left");
  scratch.put({ "one.log": "mine\n" });
  expect(await undoAccepted(request)).toMatchObject({ kind: "undone", notBack: ["one.log"] });
  expect(readFileSync(join(scratch.root, "one.log"), "utf8")).toBe("mine\n");
  expect(readFileSync(join(scratch.root, "local/db"), "utf8")).toBe("years of work\n");
});

test("ignored content beyond the limits is named", async () => {
  const scratch = owned({ a: "a\n", ".gitignore": "*.bin\n" });
  scratch.put({ "large.bin": "x".repeat(17 * 1024 * 1024), "small.bin": "x" });
  const worked = await work(scratch, () => {
    scratch.put({ a: "A\n", "large.bin": "y", "small.bin": "y" });
  });
  const outcome = await undoAccepted(await accepted(worked, "left"));
  expect(outcome).toMatchObject({ kind: "undone", besides: ["small.bin"], notBack: ["large.bin"] });
});
