/** Settings in real repositories: what stands beside them, what git ignores, and what nobody can read. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeChange } from "../../src/judge/judge-change.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

type Files = Readonly<Record<string, string>>;

/** What the last commit of two is found to loosen. */
async function judged(before: Files, after: Files, lost: readonly string[] = []): Promise<readonly string[]> {
  const { root, commit, git } = scratchRepository({ "README.md": "1\n", ...before });
  commit(after);
  for (const path of lost) {
    const id = git("rev-parse", `HEAD:${path}`);
    rmSync(join(root, ".git/objects", id.slice(0, 2), id.slice(2)));
  }
  const outcome = await judgeChange({
    cwd: root,
    environment: process.env,
    target: { kind: "range", from: "HEAD~1", to: "HEAD" },
    taskFile: null,
    flags: { scope: { allow: ["**"] }, forbid: [], maxFiles: null, maxLines: null, noNewFiles: false },
    proof: null,
  });
  if (outcome.kind !== "judged") throw new Error(JSON.stringify(outcome));
  return outcome.changes.flatMap(({ path, weakened = [] }) =>
    weakened.map((one) => `${one.default} ${one.kind} ${path}:${one.line}`),
  );
}

test.concurrent("a new file is compared with those beside it, in every format", async () => {
  const beside = { "a/.golangci.yml": "linters:\n  disable: [lll]\n", "a/ruff.toml": 'ignore = ["E1"]\n' };
  const same = { "b/.golangci.yml": "linters: { disable: [lll] }\n", "b/ruff.toml": 'ignore = [\n"E1"]\n' };
  const other = { "b/.golangci.yml": "linters:\n  disable: [errcheck]\n", "b/ruff.toml": 'ignore = ["E2"]\n' };
  expect(await judged(beside, same)).toEqual([]);
  expect(await judged(beside, other)).toEqual([
    "hold ignore_entry b/.golangci.yml:2",
    "hold ignore_entry b/ruff.toml:1",
  ]);
});

test.concurrent("beside a file that this clone lacks, a new one is no first one", async () => {
  const after = { "b/tsconfig.json": '{ "strict": false }' };
  const [before, path] = [{ "a/tsconfig.json": '{ "strict": false }' }, "a/tsconfig.json"];
  expect(await judged({}, after)).toEqual(["note disabled_rule b/tsconfig.json:1"]);
  expect(await judged(before, { ...after, "c.md": "" })).toEqual([]);
  const other = { "b/tsconfig.json": '{"strict": false}\n' };
  expect(await judged(before, other, [path])).toEqual(["hold disabled_rule b/tsconfig.json:1"]);
});

test.concurrent("what a .gitignore of before names weighs nothing", async () => {
  const before = { ".gitignore": "made/\n", "tsconfig.json": '{ "exclude": ["x"] }', "src/a.ts": "" };
  expect(await judged(before, { "tsconfig.json": '{ "exclude": ["x", "made", "src/made/b.ts"] }' })).toEqual([]);
  expect(await judged(before, { "tsconfig.json": '{ "exclude": ["x", "src/a.ts"] }' })).toEqual([
    "hold ignore_entry tsconfig.json:1",
  ]);
});

test.concurrent("settings that are too large or no text do not pass in silence", async () => {
  const unread = ["hold unreadable_settings tsconfig.json:1"];
  const strict = '{ "strict": false }';
  const before = { "tsconfig.json": '{ "strict": true }' };
  expect(await judged(before, { "tsconfig.json": `${strict}${" ".repeat(2 * 1024 * 1024)}` })).toEqual(unread);
  expect(await judged(before, { "tsconfig.json": `${strict}\n// ${"x".repeat(300_000)}\n` })).toEqual(unread);
  expect(await judged(before, { "tsconfig.json": `${strict}\0` })).toEqual(unread);
  expect(await judged(before, { "tsconfig.json": `// ${"x".repeat(6000)}\n${strict}` })).toEqual([
    "hold disabled_rule tsconfig.json:2",
  ]);
});

test.concurrent("among thousands of files the settings are read first", async () => {
  const many = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`a/${at}.js`, ""]));
  const before = { "tsconfig.json": '{ "strict": true }' };
  const found = await judged(before, { ...many, "tsconfig.json": '{ "strict": false }' });
  expect(found).toEqual(["hold disabled_rule tsconfig.json:1"]);
});
