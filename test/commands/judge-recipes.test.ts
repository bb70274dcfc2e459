import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { executable, relais } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { openScratch, scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const CONFIG = JSON.stringify({
  scope: { default_allowed_globs: ["src/**"], default_allow_new_files: true },
});

/** A bare remote, a working clone of it, and `relais` on the path. */
function clonedRepository() {
  const origin = scratchRepository({ "src/a.txt": "1\n", "relais.config.json": CONFIG });
  const { box } = origin;
  origin.git("clone", "--quiet", "--bare", ".", "../remote.git");
  origin.git("clone", "--quiet", `file://${box}/remote.git`, "../work");
  const programs = scratchFolder();
  writeFileSync(join(programs, "relais"), `#!/bin/sh\nexec "${process.execPath}" "${executable}" "$@"\n`, {
    mode: 0o755,
  });
  const env = { ...gitEnvironment(box), PATH: `${programs}${delimiter}${process.env["PATH"]}` };
  const run = (cwd: string, program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
    return { isOk: status === 0, said: stdout + stderr };
  };
  return { ...openScratch(box, join(box, "work")), run };
}

test("the pre-push hook lets good pushes through and refuses bad ones", () => {
  const { box, root, git, commit, run } = clonedRepository();
  copyFileSync(join(DOCS, "examples/pre-push"), join(root, ".git/hooks/pre-push"));
  const push = (...args: string[]) => run(root, "git", "push", "--quiet", "origin", ...args);
  const remoteHas = (ref: string) => run(join(box, "remote.git"), "git", "rev-parse", "--verify", "--quiet", ref).isOk;

  commit({ "src/a.txt": "2\n" });
  expect(push("main")).toMatchObject({ isOk: true });
  expect(push("main")).toMatchObject({ isOk: true });

  git("switch", "--quiet", "--create", "topic");
  commit({ "src/b.txt": "1\n" });
  expect(push("topic").said).toMatch(/^ok SUCCESS/m);
  expect(remoteHas("refs/heads/topic")).toBe(true);

  commit({ "elsewhere.txt": "1\n" });
  const refused = push("topic", "main");
  expect(refused.isOk).toBe(false);
  expect(refused.said).toMatch(/^stop STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED/m);
  expect(refused.said).toMatch(/^ {2}elsewhere\.txt$/m);
  expect(refused.said).toMatch(/^pre-push: refs\/heads\/topic is not pushed to refs\/heads\/topic$/m);
  expect(push("HEAD:refs/heads/renamed").isOk).toBe(false);
  expect(remoteHas("refs/heads/renamed")).toBe(false);

  // The change cannot allow itself.
  commit({ "relais.config.json": "{}" });
  expect(push("topic").isOk).toBe(false);

  git("reset", "--quiet", "--hard", "HEAD~2");
  expect(push("--force", "topic")).toMatchObject({ isOk: true });
  expect(push("--delete", "topic")).toMatchObject({ isOk: true });
  expect(remoteHas("refs/heads/topic")).toBe(false);
});

test("the pre-push hook lets the first push into an empty remote through and says so", () => {
  const { box, root, git, run } = clonedRepository();
  copyFileSync(join(DOCS, "examples/pre-push"), join(root, ".git/hooks/pre-push"));
  git("init", "--quiet", "--bare", join(box, "empty.git"));
  git("remote", "add", "fresh", join(box, "empty.git"));
  const pushed = run(root, "git", "push", "--quiet", "fresh", "main");
  expect(pushed.isOk).toBe(true);
  expect(pushed.said).toContain("fresh has nothing yet to compare refs/heads/main with");
});

test("the pre-commit hook judges the index that is committed, whichever git takes", () => {
  const { root, git, put, run } = clonedRepository();
  copyFileSync(join(DOCS, "examples/pre-commit"), join(root, ".git/hooks/pre-commit"));
  const commit = (...args: string[]) => run(root, "git", "commit", "--quiet", "--message", "x", ...args).isOk;
  put({ "elsewhere.txt": "1\n" });
  git("add", "elsewhere.txt");
  git("commit", "--quiet", "--no-verify", "--message", "by a person");
  const outcomes = (path: string) => {
    const all: Record<string, boolean> = {};
    put({ [path]: "2\n" });
    // Nothing of it is in the usual index yet.
    all["all"] = commit("--all");
    put({ [path]: "3\n" });
    all["named"] = commit("--", path);
    put({ [path]: "4\n" });
    git("add", path);
    all["staged"] = commit();
    return all;
  };
  expect(outcomes("src/a.txt")).toEqual({ all: true, named: true, staged: true });
  expect(outcomes("elsewhere.txt")).toEqual({ all: false, named: false, staged: false });
  // What is staged besides is no part of a commit of one file.
  put({ "src/a.txt": "5\n" });
  expect(commit("--", "src/a.txt")).toBe(true);
  expect(git("status", "--porcelain")).toBe("M  elsewhere.txt");
});

test("the pre-commit hook works in a linked worktree, in a folder and for a first commit", () => {
  const { box, root, git, run } = clonedRepository();
  copyFileSync(join(DOCS, "examples/pre-commit"), join(root, ".git/hooks/pre-commit"));
  git("worktree", "add", "--quiet", "../linked");
  const linked = openScratch(box, join(box, "linked"));
  const commit = (...args: string[]) =>
    run(join(linked.root, "src"), "git", "commit", "--quiet", "--message", "x", ...args);
  linked.put({ "src/a.txt": "2\n" });
  expect(commit("--all")).toEqual({ isOk: true, said: "" });
  linked.put({ "relais.config.json": "{}" });
  const refused = commit("--all");
  expect(refused.isOk).toBe(false);
  expect(refused.said).toMatch(/^stop STOP_RUNNER_OWNED_MUTATION: .+\npre-commit: not committed;/);
  linked.git("checkout", "--quiet", "--orphan", "fresh");
  expect(commit("--all").isOk).toBe(true);
});

test("the index of another repository that the environment names is not judged", async () => {
  const { root, git, put } = scratchRepository({ "a.txt": "1\n" });
  put({ "a.txt": "2\n" });
  git("add", "a.txt");
  const other = scratchRepository({ "other.txt": "1\n" });
  const env = { GIT_DIR: join(other.root, ".git"), GIT_INDEX_FILE: join(other.root, ".git/index") };
  expect((await relais(["judge", "--staged", "--json"], { cwd: root, env })).stdout).toContain(
    '"touched_paths":["a.txt"]',
  );
});

test("the step for GitHub takes a judge of a fixed version from outside, before there is a checkout", () => {
  const page = readFileSync(join(DOCS, "judge.md"), "utf8");
  const version = /"version": "(?<v>[^"]+)"/.exec(readFileSync(join(DOCS, "../package.json"), "utf8"))?.[1];
  // No registry has it, so a name alone would be whatever somebody else publishes under it.
  expect(page).toContain('--prefix "$RUNNER_TEMP/relais" --ignore-scripts "$RELAIS_TARBALL"\n');
  expect(page).toContain(`relais-${version}.tgz, made by npm pack`);
  const [, steps = ""] = page.split("actions/setup-node");
  expect(steps).toMatch(/npm install --prefix[^]*actions\/checkout/);
});

test("the step for CI works in a shallow clone of one branch", () => {
  const { box, git, commit, run } = clonedRepository();
  const step = shellBlock("git fetch --quiet --unshallow");
  const judgeClone = (name: string) => {
    git("clone", "--quiet", "--depth=1", "--branch", name, `file://${box}/remote.git`, join(box, name));
    return run(join(box, name), "/bin/sh", "-c", step);
  };
  git("switch", "--quiet", "--create", "good");
  commit({ "src/b.txt": "1\n" });
  commit({ "src/c.txt": "1\n" });
  git("switch", "--quiet", "--create", "bad");
  commit({ "relais.config.json": "{}", "elsewhere.txt": "1\n" });
  commit({ "src/c.txt": "2\n" });
  git("push", "--quiet", "origin", "good", "bad");
  git("switch", "--quiet", "main");
  commit({ "src/late.txt": "1\n" });
  git("push", "--quiet", "origin", "main");

  const good = judgeClone("good");
  expect(good.said).toMatch(/^ok SUCCESS.*\n2 files, \+2\/-0, 2 new\n/);
  expect(good.isOk).toBe(true);
  const bad = judgeClone("bad");
  expect(bad.said).toMatch(/^stop STOP_RUNNER_OWNED_MUTATION/);
  expect(bad.said).toMatch(/^ {2}elsewhere\.txt$/m);
  expect(bad.isOk).toBe(false);
});

/** The block of the page that holds the given words. */
function shellBlock(words: string): string {
  const blocks = readFileSync(join(DOCS, "judge.md"), "utf8").matchAll(/^```sh\n(?<text>.*?)^```$/gms);
  const found = [...blocks].map(({ groups }) => groups?.["text"] ?? "").find((text) => text.includes(words));
  if (found === undefined) throw new Error(`no block with ${words}`);
  return found;
}
