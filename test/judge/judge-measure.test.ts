import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Change, Rules } from "../../src/records/evidence.ts";
import { MeasurementError } from "../../src/base/errors.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import type { CommittedFile } from "../../src/judge/judge-content.ts";
import { measure } from "../../src/judge/judge-measure.ts";
import { resolveTarget } from "../../src/judge/judge-change.ts";
import { makeJudgeRules, type JudgeTarget } from "../../src/judge/judge-rules.ts";
import { scratchFolder, scratchRepository, type ScratchRepository } from "../support/scratch-repository.ts";
import { runs } from "../support/runs.ts";

const WORKTREE: JudgeTarget = { kind: "worktree", base: "HEAD" };

const decide = async (configuration: CommittedFile) => ({ rules: null, configuration });

/** With the built-in rules. */
function judged(root: string, target: JudgeTarget) {
  const origin = { kind: "built-in", commit: null } as const;
  const flags = { scope: {}, forbid: [], maxFiles: null, maxLines: null, noNewFiles: false };
  return measureWith(root, target, async () => ({
    rules: makeJudgeRules({ origin, config: null, task: null, flags, isTyped: false }),
  }));
}

const measured = (root: string, target: JudgeTarget = WORKTREE) => measureWith(root, target, decide);

async function measureWith<Decided extends { readonly rules: Rules | null }>(
  root: string,
  target: JudgeTarget,
  decideRules: (configuration: CommittedFile) => Promise<Decided>,
) {
  const repository = await findRepository(root, process.env);
  if (repository.kind !== "repository") throw new Error("no repository");
  const resolved = await resolveTarget(target, { repository, signal: undefined });
  if (resolved.kind !== "resolved") throw new Error(`not resolved: ${resolved.kind}`);
  return measure({ repository, subject: resolved.subject, signal: undefined, decide: decideRules });
}

async function changes(root: string, target: JudgeTarget = WORKTREE): Promise<readonly Change[]> {
  return (await measured(root, target)).changes;
}

const paths = async (root: string) => (await changes(root)).map(({ path }) => path);

test("flags of the index and forged times hide nothing", async () => {
  const { root, git, put } = scratchRepository({ "a.txt": "1\n", "b.txt": "1\n", "c.txt": "1\n" });
  git("update-index", "--assume-unchanged", "a.txt");
  git("update-index", "--skip-worktree", "b.txt");
  const then = new Date("2020-01-01");
  utimesSync(join(root, "c.txt"), then, then);
  git("update-index", "--refresh");
  put({ "a.txt": "2\n", "b.txt": "2\n", "c.txt": "2\n" });
  utimesSync(join(root, "c.txt"), then, then);
  git("config", "core.checkStat", "minimal");
  git("config", "core.trustctime", "false");
  expect(await paths(root)).toEqual(["a.txt", "b.txt", "c.txt"]);
});

test("a file behind a linked folder is gone, even if the same content is there", async () => {
  const { root } = scratchRepository({ "a/b.txt": "1\n", "c.txt": "1\n" });
  renameSync(join(root, "a"), join(scratchFolder(), "a"));
  mkdirSync(join(root, ".git/same"));
  writeFileSync(join(root, ".git/same/b.txt"), "1\n");
  symlinkSync(".git/same", join(root, "a"));
  expect(await paths(root)).toEqual(["a", "a/b.txt"]);
});

test("an ignored file counts once it was staged by force, and not before", async () => {
  const { root, git, put } = scratchRepository({ ".gitignore": "*.key\n" });
  put({ "a.key": "1\n", "b.key": "1\n" });
  git("add", "--force", "a.key");
  expect(await paths(root)).toEqual(["a.key"]);
});

test("info/exclude and the person's own excludes are honoured", async () => {
  const { box, root, git, put } = scratchRepository({ "a.txt": "1\n" });
  put({ "b.log": "1\n", "c.tmp": "1\n", "d.txt": "1\n" });
  writeFileSync(join(root, ".git/info/exclude"), "*.log\n");
  writeFileSync(join(box, "excludes"), "*.tmp\n");
  git("config", "core.excludesFile", join(box, "excludes"));
  expect(await paths(root)).toEqual(["d.txt"]);
});

test("content is what a commit would hold: clean filters and line ends apply", async () => {
  const { box, root, git, commit, put } = scratchRepository();
  const clean = join(box, "clean");
  writeFileSync(clean, "#!/bin/sh\nprintf 'pointer '; cksum\n", { mode: 0o755 });
  git("config", "filter.big.clean", clean);
  git("config", "filter.big.required", "true");
  git("config", "core.autocrlf", "input");
  commit({ ".gitattributes": "*.big filter=big\n", "a.big": "large\ncontent\n", "c.txt": "1\n2\n" });
  put({ "a.big": "large\ncontent\n", "c.txt": "1\r\n2\r\n" });
  expect(await paths(root)).toEqual([]);
  put({ "a.big": "other\ncontent\nindeed\n", "c.txt": "1\r\n3\r\n" });
  const [big, text] = await changes(root);
  expect(big).toMatchObject({ path: "a.big", lines_added: 1, lines_deleted: 1 });
  expect(text).toMatchObject({ path: "c.txt", lines_added: 1, lines_deleted: 1, after: { size: 4 } });
});

test("a filter that fails is a failed measurement that names it", async () => {
  const { root, git, commit, put } = scratchRepository({ "a.txt": "1\n" });
  commit({ ".gitattributes": "*.big filter=big\n" });
  git("config", "filter.big.clean", "false");
  git("config", "filter.big.required", "true");
  put({ "a.big": "1\n" });
  await expect(changes(root)).rejects.toThrow(/git add: .*a\.big: clean filter 'big' failed/s);
});

test("what a sparse checkout leaves out is no deletion, a flag without one is", async () => {
  const { root, git, put } = scratchRepository({ "in/a.txt": "1\n", "out/b.txt": "1\n", "out/c.txt": "1\n" });
  git("sparse-checkout", "set", "in");
  put({ "in/a.txt": "2\n" });
  const { changes: found, notes } = await measured(root);
  expect(found.map(({ path }) => path)).toEqual(["in/a.txt"]);
  expect(notes).toEqual(["Assumed unchanged (outside the sparse checkout): 2 paths."]);
  git("config", "core.sparseCheckout", "false");
  git("config", "--worktree", "core.sparseCheckout", "false");
  expect(await paths(root)).toEqual(["in/a.txt", "out/b.txt", "out/c.txt"]);
});

test("a submodule counts by the commit that is checked out, a nested repository as an addition", async () => {
  const inner = scratchRepository({ "a.txt": "1\n" });
  const outer = scratchRepository({ "b.txt": "1\n" });
  outer.git("submodule", "--quiet", "add", inner.root, "sub");
  outer.git("config", "--file", ".gitmodules", "submodule.sub.ignore", "all");
  outer.commit({});
  expect(await paths(outer.root)).toEqual([]);
  writeFileSync(join(outer.root, "sub/a.txt"), "2\n");
  outer.git("-C", "sub", "commit", "--quiet", "--all", "--message", "inside");
  mkdirSync(join(outer.root, "nested"));
  outer.git("-C", "nested", "init", "--quiet");
  outer.git("-C", "nested", "commit", "--quiet", "--allow-empty", "--message", "inside");
  const [nested, sub] = await changes(outer.root);
  expect(nested).toMatchObject({
    path: "nested",
    before: null,
    after: { type: "gitlink" },
    inside_repository: "nested",
  });
  expect(sub).toMatchObject({ path: "sub", before: { type: "gitlink" }, after: { type: "gitlink" } });
});

test("types, modes, link targets and names are told exactly", async () => {
  const { root, commit } = scratchRepository();
  commit({ "tool.sh": "1\n", file: "text\n", kept: "1\n", "A.txt": "1\n" });
  chmodSync(join(root, "tool.sh"), 0o755);
  rmSync(join(root, "file"));
  symlinkSync("kept", join(root, "file"));
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0x20, 0x0a])]), "1\n");
  writeFileSync(join(root, "a.TXT"), "1\n");
  const found = await changes(root);
  expect(found.map(({ path }) => path)).toEqual(["a.TXT", "file", "tool.sh", "\\xff \n"]);
  const [twin, link, tool, bytes] = found;
  expect(twin).toMatchObject({ standing: "untracked", collides_with: "A.txt" });
  expect(link).toMatchObject({
    before: { type: "file", mode: "0644", size: 5, link_target: null },
    after: { type: "symlink", mode: "0777", size: 4, link_target: "kept" },
    lines_added: 1,
    lines_deleted: 1,
  });
  expect(tool).toMatchObject({
    before: { mode: "0644" },
    after: { mode: "0755" },
    standing: "tracked",
    bytes_changed: 0,
  });
  expect(bytes).toMatchObject({
    path_base64: Buffer.from([0xff, 0x20, 0x0a]).toString("base64"),
    collides_with: null,
  });
});

test("attributes inside the tree cannot keep a file from being counted", async () => {
  const { root, commit, put } = scratchRepository();
  commit({
    ".gitattributes": "[attr]hidden -diff -text\n*.txt binary\n*.md hidden\n",
    "a.txt": "1\n",
    "b.md": "1\n",
  });
  put({ "a.txt": "1\n2\n3\n", "b.md": "2\n" });
  const counts = (await changes(root)).map(({ lines_added, lines_deleted }) => [lines_added, lines_deleted]);
  expect(counts).toEqual([
    [2, 0],
    [1, 1],
  ]);
});

test("content that is not compared as text counts whole, also where it is large", async () => {
  const { root, commit, put } = scratchRepository();
  commit({ image: Buffer.from("a\nb\0\nc") });
  const size = 33 * 1024 * 1024;
  put({ image: Buffer.from("\0"), "large.txt": Buffer.alloc(size, "123456789\n") });
  const [image, large] = await changes(root);
  expect(image).toMatchObject({ lines_added: 1, lines_deleted: 2, bytes_changed: 7 });
  expect(large).toMatchObject({ lines_added: Math.floor(size / 10), lines_deleted: 0, bytes_changed: size });
});

test("one changed line of a long file counts as that line", async () => {
  const { root, commit, put } = scratchRepository();
  const text = "some line of text\n".repeat(10_000);
  commit({ "a.txt": text });
  put({ "a.txt": `${text}one more\n` });
  expect(await changes(root)).toMatchObject([{ lines_added: 1, lines_deleted: 0, bytes_changed: 9 }]);
});

test("a repository that borrows its objects through others is measured like any other", async () => {
  const box = scratchFolder();
  const origin = scratchRepository({ "a.txt": "1\n" });
  origin.git("clone", "--quiet", "--shared", ".", join(box, "first"));
  origin.git("clone", "--quiet", "--shared", join(box, "first"), join(box, "second"));
  // Relative, as a person writes it who moves both around together.
  writeFileSync(join(box, "second/.git/objects/info/alternates"), "../../../first/.git/objects\n");
  writeFileSync(join(box, "first/.git/objects/info/alternates"), "../../../origin.git/objects\n");
  renameSync(join(origin.root, ".git"), join(box, "origin.git"));
  writeFileSync(join(box, "second/a.txt"), "2\n");
  expect(await paths(join(box, "second"))).toEqual(["a.txt"]);
});

test("a repository of SHA-256 objects is measured like any other", async () => {
  const { root, git, commit, put } = scratchRepository();
  rmSync(join(root, ".git"), { recursive: true });
  git("init", "--quiet", "--object-format=sha256");
  commit({ "a.txt": "1\n", "relais.config.json": "{}" });
  put({ "a.txt": "2\n", "b.txt": "1\n" });
  const { changes: found, decided } = await measured(root);
  expect(found.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
  expect(decided.configuration).toEqual({ kind: "file", content: Buffer.from("{}") });
});

test("an object that is missing is a failed measurement", async () => {
  const { root, git, commit } = scratchRepository({ "a.txt": "1\n" });
  commit({ "a.txt": "2\n" });
  const id = git("rev-parse", "HEAD~1:a.txt");
  rmSync(join(root, ".git/objects", id.slice(0, 2), id.slice(2)));
  await expect(changes(root, { kind: "range", from: "HEAD~1", to: "HEAD" })).rejects.toThrow(MeasurementError);
});

test("a partial clone that lacks what changed names the command that fetches it, and that is true", async () => {
  const { box, root, git, commit } = scratchRepository({ "src/a.js": "1;\n", "b.txt": "1\n" });
  commit({ "src/a.js": "2;\n" });
  commit({ "b.txt": "2\n" });
  git("config", "uploadpack.allowFilter", "true");
  git("config", "uploadpack.allowAnySHA1InWant", "true");
  const clone = join(box, "partial");
  git("clone", "--quiet", "--no-checkout", "--filter=blob:none", `file://${root}`, clone);
  const target = { kind: "range", from: "HEAD~2", to: "HEAD~1" } as const;
  const error: unknown = await changes(clone, target).catch((reason: unknown) => reason);
  const [, command = ""] = /This clone is partial; `git (.*)` fetches what changed$/u.exec(String(error)) ?? [];
  git("-C", clone, ...command.split(" "));
  expect((await changes(clone, target)).map(({ path }) => path)).toEqual(["src/a.js"]);
});

test("content beside the change may be missing or large: it is left out, and named", async () => {
  const files = {
    "src/a.js": "1\n",
    "deploy/.env": "TOKEN=8sdf7H2kQz0pLw4Xv9Tn3Rb6\n",
    "test/cassette.test.js": `${"x".repeat(100)}\n`.repeat(20_000),
    "test/lost.test.js": "lost\n",
    "docs/deep/b.md": "1\n",
  };
  const { root, git, commit } = scratchRepository(files);
  commit({
    "src/a.js": 'export const answer = (n) => (n === "fourty-one and a half" ? "one hundred and seven" : n);\n',
  });
  const lose = (name: string): void => {
    const id = git("rev-parse", `HEAD:${name}`);
    rmSync(join(root, ".git/objects", id.slice(0, 2), id.slice(2)));
  };
  for (const name of ["deploy/.env", "test/lost.test.js", "docs/deep"]) lose(name);
  const { changes: found, notes } = await judged(root, { kind: "range", from: "HEAD~1", to: "HEAD" });
  expect(found.map(({ path }) => path)).toEqual(["src/a.js"]);
  expect(notes).toEqual([
    "Not compared with, because this clone lacks the content: `deploy/.env`, `docs/deep/`, `test/lost.test.js`.",
    "Not compared with, because they are too large: `test/cassette.test.js`.",
  ]);
  lose("src/a.js");
  await expect(judged(root, { kind: "range", from: "HEAD~1", to: "HEAD" })).rejects.toThrow(MeasurementError);
});

test("a configuration whose content is lost is a failed measurement, not a missing configuration", async () => {
  const { root, git, commit } = scratchRepository({ "a.txt": "1\n", "relais.config.json": "{}" });
  commit({ "a.txt": "2\n" });
  const id = git("rev-parse", "HEAD:relais.config.json");
  rmSync(join(root, ".git/objects", id.slice(0, 2), id.slice(2)));
  await expect(changes(root, { kind: "range", from: "HEAD~1", to: "HEAD" })).rejects.toThrow(`object ${id}`);
});

test("a temporary folder inside the repository is refused", async () => {
  const { root, put } = scratchRepository({ "a.txt": "1\n" });
  put({ "tmp/keep": "1\n" });
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = join(root, "tmp");
  try {
    await expect(changes(root)).rejects.toThrow("lies inside the repository");
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});

const line = fc.constantFrom(
  "",
  "a",
  "b",
  "+",
  "-",
  "--- a/x",
  "+++ b/x",
  "@@ -1 +1 @@",
  "diff --git a/x b/x",
  "\\ No",
  "ü\r",
  " ",
);
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded ? "\n" : ""));
const name = fc.constantFrom("a", "b c", "dir/d", 'q"uote', "new\nline", "tab\t", "é", "-dash", ":(top)x");
const tree = fc.dictionary(name, text, { maxKeys: 6 });

test("lines are counted as git counts them, whatever the content looks like", async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, async (before, after) => {
      const repository = scratchRepository({ seed: "1\n" });
      replace(repository, {}, before);
      repository.commit({});
      replace(repository, before, after);
      const expected = numstat(repository);
      const inWorktree = (await changes(repository.root)).map(count);
      expect(inWorktree.toSorted()).toEqual(expected);
      repository.commit({});
      const inRange = (await changes(repository.root, { kind: "range", from: "HEAD~1", to: "HEAD" })).map(count);
      expect(inRange.toSorted()).toEqual(expected);
    }),
    runs(25, 8),
  );
});

function count({ path, lines_added, lines_deleted }: Change): string {
  return `${lines_added}\t${lines_deleted}\t${path}`;
}

function replace(
  { root, put }: ScratchRepository,
  before: Record<string, string>,
  after: Record<string, string>,
): void {
  for (const old of Object.keys(before)) rmSync(join(root, old), { force: true });
  put(after);
}

function numstat({ git }: ScratchRepository): readonly string[] {
  git("add", "--all");
  const lines = git("diff", "--cached", "--numstat", "-z", "--no-renames", "HEAD").split("\0");
  git("reset", "--quiet");
  return lines.filter((record) => record !== "").toSorted();
}

test("a tree of many folders is judged like a small one, also where a clone lacks one of them", async () => {
  const names = ["\u00e4", "with space", "new\nline", ...Array.from({ length: 80 }, (_, at) => `f${at}`)];
  const key = "A_KEY=8f2d31c90b7a45e6\n";
  const repository = scratchRepository(Object.fromEntries(names.map((own) => [`${own}/a.txt`, `${own}\n`])));
  const { root, git, commit, put } = repository;
  commit({ "deep/er/.env": key });
  const folder = git("rev-parse", "HEAD:f7");
  put({ "f7/a.txt": "2\n", "copy.txt": key });
  expect((await judged(root, WORKTREE)).changes.map(({ path, forbidden_content: of }) => [path, of])).toEqual([
    ["copy.txt", { of: "deep/er/.env", whole: true }],
    ["f7/a.txt", undefined],
  ]);
  git("checkout", "--quiet", "f7");
  commit({ "copy.txt": "1\n" });
  const base = git("rev-parse", "HEAD~1");
  rmSync(join(root, ".git/objects", folder.slice(0, 2), folder.slice(2)));
  const found = await judged(root, { kind: "range", from: base, to: "HEAD" });
  expect(found.changes.map(({ path }) => path)).toEqual(["copy.txt"]);
  expect(found.notes).toEqual(["Not compared with, because this clone lacks the content: `f7/`."]);
});
