import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeChildEnvironment } from "../../src/system/child-environment.ts";
import { type PinnedHooks, pinHooks } from "../../src/store/pin-hooks.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import type { HookRun } from "../../src/keep/commit-hooks.ts";
import { commitAccepted, type CommitOutcome } from "../../src/keep/settle-commit.ts";
import type { ScratchRepository } from "../support/scratch-repository.ts";
import { owned, work } from "../support/settling.ts";

function hook(scratch: ScratchRepository, path: string, body: string): void {
  const file = join(scratch.root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}

function hookRun(pinned: PinnedHooks): HookRun {
  return {
    pinned,
    environment: makeChildEnvironment(process.env, [], {}),
    deadlineMs: 60_000,
    marker: "tick-of-this-test",
  };
}

/** Pins the hooks, lets the builder work, and commits with the pinned ones. */
async function commitWithHooks(scratch: ScratchRepository, build: () => void) {
  const repository = await findRepository(scratch.root, process.env);
  if (repository.kind !== "repository") throw new Error("the fixture is no repository");
  const pinned = await pinHooks(repository, join(scratch.box, "pinned"));
  const worked = await work(scratch, build);
  const outcome: CommitOutcome = await commitAccepted({ ...worked.request, hooks: hookRun(pinned) });
  return { worked, outcome };
}

test("a pre-commit hook that stages more and rewrites the message changes nothing about the commit", async () => {
  const scratch = owned({ a: "a\n", other: "o\n" });
  hook(
    scratch,
    ".git/hooks/pre-commit",
    'git diff --cached --name-only > ../seen; echo evil > ../evil\ngit update-index --add --cacheinfo "100644,$(git hash-object -w ../evil),evil"',
  );
  hook(scratch, ".git/hooks/commit-msg", 'cat "$1" > ../message; echo "Relais-Code: FORGED" >> "$1"');
  const { outcome } = await commitWithHooks(scratch, () => scratch.put({ a: "b\n" }));
  expect(outcome.kind).toBe("committed");
  expect(readFileSync(join(scratch.box, "seen"), "utf8")).toBe("a\n");
  expect(readFileSync(join(scratch.box, "message"), "utf8")).toBe("chore(relais): test\n");
  expect(scratch.git("diff-tree", "-r", "--no-commit-id", "--name-only", "HEAD")).toBe("a");
  expect(scratch.git("log", "-1", "--format=%B")).toBe("chore(relais): test");
  expect(scratch.git("status", "--porcelain")).toBe("");
});

test("a hook that edits a judged file makes the commit impossible", async () => {
  const scratch = owned({ a: "a\n" });
  hook(scratch, ".git/hooks/pre-commit", "echo formatted > a; git add a");
  const { outcome, worked } = await commitWithHooks(scratch, () => scratch.put({ a: "b\n" }));
  expect(outcome).toMatchObject({ kind: "refused", cause: "hook_pre-commit_changed_files" });
  expect(scratch.git("rev-parse", "HEAD")).toBe(worked.base);
  expect(scratch.git("diff", "--cached", "--name-only")).toBe("");
});

test.each(["pre-commit", "commit-msg"])("a %s hook that fails refuses the commit", async (name) => {
  const scratch = owned({ a: "a\n" });
  hook(scratch, `.git/hooks/${name}`, "echo no: not like this; exit 3");
  const { outcome, worked } = await commitWithHooks(scratch, () => scratch.put({ a: "b\n" }));
  expect(outcome).toMatchObject({ kind: "refused", cause: `hook_${name}_failed` });
  expect(JSON.stringify(outcome)).toContain("not like this");
  expect(scratch.git("rev-parse", "HEAD")).toBe(worked.base);
  expect(existsSync(join(scratch.root, ".git/index.lock"))).toBe(false);
  expect(readFileSync(join(scratch.root, "a"), "utf8")).toBe("b\n");
});

test("hooks in the working tree run as they were before the builder edited them", async () => {
  const scratch = owned({ a: "a\n" });
  hook(scratch, ".husky/_/pre-commit", '. "$(dirname "$0")/h"');
  hook(scratch, ".husky/_/h", 'sh "$(dirname "$(dirname "$0")")/$(basename "$0")"');
  hook(scratch, ".husky/pre-commit", "touch ../honest");
  scratch.git("config", "core.hooksPath", ".husky/_");
  scratch.git("-c", "core.hooksPath=/dev/null", "add", "--all");
  scratch.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--message", "hooks");
  const { outcome } = await commitWithHooks(scratch, () => {
    scratch.put({ a: "b\n" });
    hook(scratch, ".husky/pre-commit", "touch ../cheated");
    hook(scratch, ".husky/_/pre-commit", "touch ../cheated");
  });
  expect(outcome.kind).toBe("committed");
  expect(existsSync(join(scratch.box, "honest"))).toBe(true);
  expect(existsSync(join(scratch.box, "cheated"))).toBe(false);
});

test("without hooks, and with a hook that may not be run, nothing runs", async () => {
  const scratch = owned({ a: "a\n" });
  for (const name of ["pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change"])
    hook(scratch, `.git/hooks/${name}`, "touch ../ran; exit 1");
  const worked = await work(scratch, () => scratch.put({ a: "b\n" }));
  expect((await commitAccepted(worked.request)).kind).toBe("committed");
  expect(existsSync(join(scratch.box, "ran"))).toBe(false);
  for (const name of ["pre-commit", "commit-msg"]) chmodSync(join(scratch.root, ".git/hooks", name), 0o644);
  const { outcome } = await commitWithHooks(scratch, () => scratch.put({ a: "c\n" }));
  expect(outcome.kind).toBe("committed");
  expect(existsSync(join(scratch.box, "ran"))).toBe(false);
});

test("content that changed after it was judged is not committed", async () => {
  const scratch = owned({ a: "a\n" });
  const worked = await work(scratch, () => scratch.put({ a: "judged\n" }));
  scratch.put({ a: "later!\n" });
  await expect(commitAccepted(worked.request)).rejects.toThrow("is not what was judged");
  expect(scratch.git("rev-parse", "HEAD")).toBe(worked.base);
});

test("a branch that moved, another HEAD and a locked index each stop the commit with nothing changed", async () => {
  const scratch = owned({ a: "a\n" });
  const worked = await work(scratch, () => scratch.put({ a: "b\n" }));
  const index = (): Buffer => readFileSync(join(scratch.root, ".git/index"));
  const before = index();
  writeFileSync(join(scratch.root, ".git/index.lock"), "");
  await expect(commitAccepted(worked.request)).rejects.toThrow("another git process");
  rmSync(join(scratch.root, ".git/index.lock"));
  await expect(commitAccepted({ ...worked.request, headText: "ref: refs/heads/other" })).rejects.toThrow("HEAD");
  await expect(commitAccepted({ ...worked.request, headText: worked.base })).rejects.toThrow("no branch");
  const moved = execFileSync("git", ["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "moved"], {
    cwd: scratch.root,
    encoding: "utf8",
  }).trim();
  scratch.git("update-ref", "refs/heads/main", moved);
  await expect(commitAccepted(worked.request)).rejects.toThrow("update-ref");
  expect(scratch.git("rev-parse", "HEAD")).toBe(moved);
  expect(index().equals(before)).toBe(true);
  expect(existsSync(join(scratch.root, ".git/index.lock"))).toBe(false);
});
