import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { acquireLock } from "../../src/journal/acquire-lock.ts";
import { findRepository, type Repository } from "../../src/git/repository-layout.ts";
import { openStateDirectory } from "../../src/journal/state-directory.ts";
import { gitEnvironment } from "../support/repositories.ts";

const now = (): string => "2026-01-01T00:00:00.000Z";

function box(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "relais-state-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function repositoryAt(folder: string): Promise<Repository> {
  const layout = await findRepository(folder, process.env);
  if (layout.kind !== "repository") throw new Error("no repository");
  return layout;
}

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", args, { cwd, env: gitEnvironment(cwd), stdio: "ignore" });
}

test("linked worktrees share one state directory, and so one lock", async () => {
  const home = box();
  const main = join(home, "main");
  mkdirSync(main);
  git(main, "init");
  git(main, "commit", "--allow-empty", "--message=base");
  git(main, "worktree", "add", "-b", "other", "../linked");
  const first = openStateDirectory(await repositoryAt(main), { HOME: home });
  const second = openStateDirectory(await repositoryAt(join(home, "linked")), { HOME: home });
  expect(second).toEqual(first);
  if (first.kind !== "ready" || second.kind !== "ready") throw new Error("unusable");
  expect(statSync(first.path).mode & 0o777).toBe(0o700);
  const held = await acquireLock(first.lockPath, "run-in-main", now);
  expect(held.kind).toBe("held");
  const refused = await acquireLock(second.lockPath, "run-in-linked", now);
  expect(refused).toMatchObject({ kind: "busy", holder: { run_id: "run-in-main" } });
  if (held.kind === "held") await held.release();
});

test("two repositories of the same name do not share one", async () => {
  const home = box();
  const paths = [join(home, "a", "repo"), join(home, "b", "repo")];
  const states = [];
  for (const path of paths) {
    mkdirSync(path, { recursive: true });
    git(path, "init");
    states.push(openStateDirectory(await repositoryAt(path), { XDG_STATE_HOME: join(home, "state") }).path);
  }
  expect(new Set(states).size).toBe(2);
});

test("a state directory inside the repository is refused with the way out", async () => {
  const home = box();
  git(home, "init");
  const state = openStateDirectory(await repositoryAt(home), { HOME: home });
  expect(state).toMatchObject({ kind: "unusable", reason: expect.stringContaining("XDG_STATE_HOME") });
});

test("a link planted in its place is refused", async () => {
  const home = box();
  const repo = join(home, "repo");
  mkdirSync(repo);
  git(repo, "init");
  const repository = await repositoryAt(repo);
  const { path } = openStateDirectory(repository, { HOME: home });
  rmSync(path, { recursive: true });
  symlinkSync(repo, path);
  expect(openStateDirectory(repository, { HOME: home })).toMatchObject({ kind: "unusable" });
});
