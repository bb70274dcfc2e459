/** `relais judge --history` on real repositories. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeHistory } from "../../src/judge/judge-history.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { findStateDirectory } from "../../src/journal/state-directory.ts";
import { scratchRepository, type ScratchRepository } from "../support/scratch-repository.ts";

const FLAGS = { scope: {}, forbid: [], maxFiles: null, maxLines: null, noNewFiles: false };
const PASSING = 'import { test } from "node:test";\n\ntest("adds", () => {\n  add(1, 2);\n});\n';
const SKIPPED = PASSING.replace('test("adds"', 'test.skip("adds"');

interface Call {
  readonly count?: number;
  readonly executable?: string;
  readonly onProgress?: (done: number, all: number) => void;
  readonly signal?: AbortSignal;
}

function open({ root, box }: ScratchRepository) {
  const environment = { ...process.env, XDG_STATE_HOME: join(box, "state") };
  const call = async ({ count = 100, executable = "x", onProgress = () => {}, signal }: Call = {}) => {
    const asked = { count, executable, onProgress, signal: signal ?? new AbortController().signal };
    const outcome = await judgeHistory({ cwd: root, environment, flags: FLAGS, ...asked });
    if (outcome.kind !== "history") throw new Error(JSON.stringify(outcome));
    return outcome;
  };
  const findRecord = async () => {
    const repository = await findRepository(root, environment);
    if (repository.kind !== "repository") throw new Error("no repository");
    return join(findStateDirectory(repository, environment).path, "judged-history.jsonl");
  };
  return { call, findRecord };
}

/** Five commits, three of which skip a test, and a merge that brings two. */
function makeHistory(config: Readonly<Record<string, string>> = {}): ScratchRepository & { readonly merge: string } {
  const files = Object.fromEntries(["a", "b", "c"].map((name) => [`${name}.test.js`, PASSING]));
  const repository = scratchRepository({ ...files, ...config });
  const { git, commit } = repository;
  for (const name of ["a", "b", "c"]) commit({ [`${name}.test.js`]: SKIPPED });
  git("checkout", "--quiet", "-b", "side", "HEAD~1");
  commit({ "src/one.js": "export const one = 1;\n" });
  commit({ "src/two.js": "export const two = 2;\n" });
  git("checkout", "--quiet", "-");
  git("merge", "--quiet", "--no-ff", "--message", "a merge", "side");
  return { ...repository, merge: git("rev-parse", "HEAD") };
}

test("each first parent is one change, by the rules of today, and the proposed diff applies and helps", async () => {
  const repository = makeHistory();
  const { root, box, git, merge } = repository;
  const found = await open(repository).call();
  expect(found).toMatchObject({ merges: 1, head: merge, unjudged: [], origin: { kind: "built-in" } });
  expect(found.commits.map(({ files, places }) => [files, places.map(({ kind }) => kind)])).toEqual([
    [2, []],
    [1, ["skipped_test"]],
    [1, ["skipped_test"]],
    [1, ["skipped_test"]],
  ]);
  expect(found.settings).toMatchObject([{ path: ["verification", "rules", "suppression"], value: "note", changes: 3 }]);
  expect(git("status", "--porcelain")).toBe("");

  writeFileSync(join(box, "proposal"), found.diff);
  git("apply", join(box, "proposal"));
  git("add", "--all");
  git("commit", "--quiet", "--message", "what was proposed");
  const again = await open(repository).call();
  expect(again).toMatchObject({ origin: { kind: "base" }, settings: [], diff: "" });
  expect(again.commits).toHaveLength(5);
  expect(again.commits.at(-1)?.places).toMatchObject([{ strength: "note", kind: "skipped_test" }]);

  const config = readFileSync(join(root, "relais.config.json"), "utf8").replace('"**"', '"lib/**"');
  writeFileSync(join(root, "relais.config.json"), config);
  git("commit", "--quiet", "--all", "--message", "a scope");
  const narrow = await open(repository).call();
  writeFileSync(join(box, "proposal"), narrow.diff);
  git("apply", join(box, "proposal"));
  expect(JSON.parse(readFileSync(join(root, "relais.config.json"), "utf8"))).toMatchObject({
    scope: { default_allowed_globs: ["lib/**", "a.test.js", "b.test.js", "c.test.js", "src/**"] },
    verification: { rules: { suppression: "note" } },
  });
});

test("a call that was stopped goes on from there, and nothing of other rules or another relais counts", async () => {
  const repository = makeHistory();
  const { call, findRecord } = open(repository);
  const stop = new AbortController();
  await expect(
    call({ signal: stop.signal, onProgress: (done) => (done === 1 ? stop.abort("SIGINT") : undefined) }),
  ).rejects.toThrow(/of 4 commits are judged: the same command goes on from there/);
  const record = await findRecord();
  const written = readFileSync(record, "utf8");
  expect(written.trim().split("\n")).toHaveLength(2);
  writeFileSync(record, `${written}{"commit":"half`);

  const first: number[] = [];
  const whole = await call({ onProgress: (done) => first.push(done) });
  expect(first).toEqual([1, 2, 3, 4]);
  const second: number[] = [];
  expect(await call({ onProgress: (done) => second.push(done) })).toEqual(whole);
  expect(second).toEqual([4]);
  const third: number[] = [];
  await call({ executable: record, onProgress: (done) => third.push(done) });
  expect(third[0]).toBe(0);
  expect(existsSync(join(repository.root, ".relais"))).toBe(false);
});
