import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CODES } from "../../src/base/codes.ts";
import { relais } from "../support/in-process.ts";
import { openScratch, scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

const BUILT_IN = "Rules: built in, because there is no relais.config.json.\n";
const OK = "ok SUCCESS: All rules passed. Checks were not run.\n";

test("a clean working tree is a success of nothing", async () => {
  const { root } = scratchRepository({ "src/a.txt": "1\n" });
  expect(await relais(["judge"], { cwd: root })).toEqual({
    status: 0,
    stderr: "",
    stdout: `${OK}0 files, +0/-0, 0 new\n\nJudged: the working tree against <id>.\n${BUILT_IN}`,
  });
  expect(await relais(["judge", "-q"], { cwd: root })).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("a refusal names the file, the rule and the glob, and what to do", async () => {
  const { root, put } = scratchRepository({ "src/a.txt": "1\n2\n" });
  put({ "src/a.txt": "1\nzwei\n", ".env.local": "KEY=1\n", "other.txt": "new\n" });
  const { status, stdout, stderr } = await relais(["judge", "--only", "src/**"], { cwd: join(root, "src") });
  expect({ status, stderr }).toEqual({ status: 10, stderr: "" });
  const { remedy } = CODES.STOP_SCOPE_VIOLATION_FORBIDDEN;
  const refused = "stop STOP_SCOPE_VIOLATION_FORBIDDEN: .env.local is a forbidden path (and 2 more).\n";
  expect(stdout).toContain(`${refused}3 files, +3/-1, 2 new\n\n  .env.local\n`);
  expect(stdout).toMatch(/^ {2}\.env\.local\n {4}.+ \(glob \*\*\/\.env\*\)$/m);
  expect(stdout).toMatch(/^ {2}other\.txt\n {4}.+`src\/\*\*`.*$/m);
  expect(stdout).toMatch(`\n\nJudged: the working tree against <id>.\n${BUILT_IN}Next: ${remedy}\n`);
  const quiet = await relais(["judge", "--only", "src/**", "--quiet"], { cwd: root });
  expect(quiet.stdout).toBe(refused);
});

test("the document of --json holds the judgement, the subject, the rules and where they come from", async () => {
  const { root, put } = scratchRepository({ "src/a.txt": "1\n" });
  put({ "src/b.txt": "1\n2\n" });
  const { status, stdout } = await relais(["judge", "--json", "--no-new-files", "--max-lines", "1"], {
    cwd: root,
  });
  expect(status).toBe(10);
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: "stop",
    code: "STOP_SCOPE_VIOLATION_NEW_FILE",
    cause: null,
    findings: [{ code: "STOP_SCOPE_VIOLATION_NEW_FILE", subject: "src/b.txt" }, { code: "STOP_DIFF_TOO_LARGE" }],
    blast_radius: { files_touched: 1, lines_added: 2, lines_deleted: 0, new_files: 1 },
    subject: { kind: "worktree", base: "<id>", head: null },
    rules_from: { kind: "built-in" },
    rules: { allowed_globs: ["**"], allow_new_files: false, max_lines_changed: 1, runner_owned_globs: [] },
    touched_paths: ["src/b.txt"],
  });
});

test("limits of files and lines stop what exceeds them and nothing else", async () => {
  const { root, put } = scratchRepository({ "a.txt": "1\n", "b.txt": "1\n" });
  put({ "a.txt": "1\n2\n", "b.txt": "2\n" });
  const judge = async (...args: string[]) => (await relais(["judge", ...args], { cwd: root })).status;
  expect([await judge("--max-files", "2"), await judge("--max-files", "1")]).toEqual([0, 10]);
  expect([await judge("--max-lines", "3"), await judge("--max-lines", "2")]).toEqual([0, 10]);
  expect(await judge("--forbid", "B.TXT")).toBe(10);
});

test("what is staged is judged apart from what is not", async () => {
  const { root, put, git } = scratchRepository({ "a.txt": "1\n", "b.txt": "1\n" });
  put({ "a.txt": "2\n", "b.txt": "2\n", "c.txt": "3\n" });
  git("add", "a.txt");
  git("add", "--intent-to-add", "c.txt");
  const paths = async (...args: string[]) =>
    pathsOf((await relais(["judge", "--json", ...args], { cwd: root })).stdout);
  expect(await paths("--staged")).toEqual(["a.txt"]);
  expect(await paths()).toEqual(["a.txt", "b.txt", "c.txt"]);
});

test("an unmerged index cannot be judged as staged", async () => {
  const { root, commit, git } = scratchRepository({ "a.txt": "1\n" });
  git("switch", "--quiet", "--create", "side");
  commit({ "a.txt": "2\n" });
  git("switch", "--quiet", "main");
  commit({ "a.txt": "3\n" });
  expect(() => git("merge", "side")).toThrow("Command failed");
  const staged = await relais(["judge", "--staged", "--json"], { cwd: root });
  expect(staged.status).toBe(10);
  expect(JSON.parse(staged.stdout)).toMatchObject({ code: "STOP_INTERRUPTED", cause: "measurement_failed" });
  expect(pathsOf((await relais(["judge", "--json"], { cwd: root })).stdout)).toEqual(["a.txt"]);
});

test("--base compares with an older commit, untracked files included and ignored ones left out", async () => {
  const { root, put, commit } = scratchRepository({ "a.txt": "1\n", ".gitignore": "*.log\n" });
  commit({ "b.txt": "1\n" });
  put({ "c.txt": "1\n", "d.log": "1\n" });
  expect(pathsOf((await relais(["judge", "--json", "--base", "HEAD~1"], { cwd: root })).stdout)).toEqual([
    "b.txt",
    "c.txt",
  ]);
});

test("a range is the net change since the branches parted, merges included", async () => {
  const { root, commit, git } = scratchRepository({ "a.txt": "1\n" });
  git("switch", "--quiet", "--create", "side");
  commit({ "side.txt": "1\n", "gone.txt": "1\n" });
  git("rm", "--quiet", "gone.txt");
  commit({});
  git("switch", "--quiet", "main");
  commit({ "main.txt": "1\n" });
  git("switch", "--quiet", "side");
  git("merge", "--quiet", "--no-edit", "main");
  commit({ "late.txt": "1\n" });
  const judged = (range: string) => relais(["judge", "--json", "--range", range], { cwd: root });
  for (const range of ["main..side", "main...side", "main..", "refs/heads/main..HEAD"]) {
    expect(pathsOf((await judged(range)).stdout)).toEqual(["late.txt", "side.txt"]);
  }
  expect(pathsOf((await judged("side..main")).stdout)).toEqual([]);
  expect((await relais(["judge", "--range", "side~1..side"], { cwd: root })).stdout).toContain(
    "\n1 file, +1/-0, 1 new\n",
  );
  expect((await judged("side..side")).status).toBe(0);
  expect((await relais(["judge", "--range", "main..side"], { cwd: root })).stdout).toContain("Judged: <id>..<id>.\n");
});

test.each([
  [["--base", "nowhere"], 'There is no commit "nowhere" in this repository.'],
  [["--base=--all"], 'There is no commit "--all" in this repository.'],
  [["--base", "HEAD:a.txt"], 'There is no commit "HEAD:a.txt" in this repository.'],
  [["--range", "HEAD..nowhere"], 'There is no commit "nowhere" in this repository.'],
  [["--range=-x..HEAD"], 'There is no commit "-x" in this repository.'],
  [["--range", "^HEAD..HEAD"], 'There is no commit "^HEAD" in this repository.'],
  [
    ["--range", "HEAD..orphan"],
    '"HEAD" and "orphan" have no common history here; in a shallow clone, fetch more commits.',
  ],
])("%j is a mistake of the person who asks", async (args, message) => {
  const { root, git, put } = scratchRepository({ "a.txt": "1\n" });
  put({ "HEAD...nowhere": "a file with the name of a range\n" });
  const tree = git("write-tree");
  git("branch", "orphan", git("commit-tree", tree, "-m", "alone"));
  const expected = `relais: ${message}\nSee \`relais judge --help\`.\n`;
  expect(await relais(["judge", ...args], { cwd: root })).toEqual({
    status: 2,
    stdout: "",
    stderr: expected,
  });
});

async function firstLine(cwd: string): Promise<string | undefined> {
  const { status, stdout, stderr } = await relais(["judge"], { cwd });
  expect({ status, stdout }).toEqual({ status: 11, stdout: "" });
  return stderr.split("\n")[0];
}

test("no repository, no commit and no working tree are different messages", async () => {
  const folder = scratchFolder();
  const empty = scratchRepository();
  const full = scratchRepository({ "a.txt": "1\n" });
  full.git("clone", "--quiet", "--bare", ".", "../bare.git");
  const code = "blocked BLOCKED_MISSING_CONFIG:";
  expect(await firstLine(folder)).toBe(`${code} There is no git repository at ${folder} or above it.`);
  expect(await firstLine(empty.root)).toBe(`${code} The repository at ${empty.root} has no commit yet.`);
  const bare = join(full.box, "bare.git");
  expect(await firstLine(bare)).toBe(`${code} ${bare} is a bare repository.`);
  const away = await relais(["judge", "--cwd", join(folder, "absent"), "--json"], { cwd: "/" });
  expect(away.status).toBe(11);
  expect(JSON.parse(away.stdout)).toMatchObject({ verdict: "blocked", code: "BLOCKED_MISSING_CONFIG" });
});

const config = (globs: readonly string[]) => JSON.stringify({ scope: { default_allowed_globs: globs } });

test("a change cannot loosen the rules that it is judged by", async () => {
  const { root, put, commit } = scratchRepository({
    "src/a.txt": "1\n",
    "relais.config.json": config(["src/**"]),
  });
  put({ "relais.config.json": config(["**"]), "other.txt": "1\n" });
  const { status, stdout } = await relais(["judge"], { cwd: root });
  expect(status).toBe(10);
  expect(stdout).toContain("Rules: relais.config.json as of commit <id>.\n");
  expect(stdout).toMatch(/^stop STOP_RUNNER_OWNED_MUTATION/);
  expect(stdout).toMatch(/^ {2}other\.txt$/m);
  const base = commit({ "src/a.txt": "2\n" });
  put({ "other.txt": "2\n" });
  const after = JSON.parse((await relais(["judge", "--json"], { cwd: root })).stdout);
  expect(after).toMatchObject({ code: "SUCCESS", rules_from: { kind: "base" } });
  expect(base).not.toBe("");
});

test("a configuration that the base does not have yet is read from the disk, and is no part of the change", async () => {
  const { root, put } = scratchRepository({ "src/a.txt": "1\n" });
  put({ "relais.config.json": config(["src/**", "relais.config.json"]), "src/a.txt": "2\n" });
  const { stdout } = await relais(["judge"], { cwd: root });
  expect(stdout).toContain("Rules: relais.config.json on disk, because HEAD has none, and the");
  expect(stdout).toMatch(/^ok SUCCESS: .*\n1 file, /);
  // Its own words hide nothing else.
  put({ "relais.config.json": JSON.stringify({ workspace_dir: "src" }), "src/GOAL.md": "mine\n" });
  const { touched_paths } = JSON.parse((await relais(["judge", "--json"], { cwd: root })).stdout);
  expect(touched_paths).toEqual(["src/GOAL.md", "src/a.txt"]);
});

test("an unusable configuration blocks with every problem", async () => {
  const { root, commit } = scratchRepository({ "a.txt": "1\n" });
  const judge = () => relais(["judge"], { cwd: root });
  commit({ "relais.config.json": '{"scope": {"alowed": []}, "isolation": "inplace"}' });
  const invalid = await judge();
  expect(invalid).toMatchObject({ status: 11, stdout: "" });
  expect(invalid.stderr).toMatch(
    /^blocked BLOCKED_MISSING_CONFIG: relais\.config\.json of commit <id> is not valid\.\n/,
  );
  expect(invalid.stderr).toMatch(/^ {2}- unknown key `scope\.alowed`, .+$/m);
  expect(invalid.stderr).toMatch(/^ {2}- `isolation` is .+"in_place".*$/m);
  commit({ "relais.config.json": "{" });
  expect((await judge()).stderr).toMatch(/relais\.config\.json of commit <id> is not JSON: /);
});

test("a configuration that is a link in the base is not followed", async () => {
  const { root, git, put } = scratchRepository({ "a.txt": "1\n" });
  put({ "real.json": config(["**"]) });
  const link = git("hash-object", "-w", "real.json");
  git("update-index", "--add", "--cacheinfo", `120000,${link},relais.config.json`);
  git("commit", "--quiet", "--message", "a link");
  expect(await relais(["judge"], { cwd: root })).toMatchObject({ status: 11 });
});

test("a task narrows, and one that cannot be used is a mistake with its problems", async () => {
  const { box, root, put } = scratchRepository({ "src/a.txt": "1\n", "lib/a.txt": "1\n" });
  put({ "src/a.txt": "2\n", "lib/a.txt": "2\n" });
  const file = join(box, "task.json");
  const judge = (text: string) => {
    writeFileSync(file, text);
    return relais(["judge", "--task", "../task.json"], { cwd: root });
  };
  const task = {
    task_id: "t-1",
    milestone_id: "m-1",
    task_kind: "execute",
    intent: "change one file",
    scope: {
      allowed_globs: ["src/**"],
      forbidden_globs: [],
      allow_new_files: false,
      allow_lockfile_changes: false,
    },
    diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
    verification: { fast: [], slow: [] },
    builder: { mode: "scripted", max_turns: 1, instructions: "do it" },
  };
  expect((await judge(JSON.stringify(task))).stdout).toMatch(
    /^stop STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED.*\n.*\n\n {2}lib\/a\.txt\n/,
  );
  const { builder: _, ...verifyOnly } = { ...task, task_kind: "verify_only" };
  expect((await judge(JSON.stringify(verifyOnly))).stdout).toMatch(/^stop STOP_VERIFY_ONLY_SIDE_EFFECTS/);
  expect((await judge("{")).stderr).toMatch(/^relais: The task file \.\.\/task\.json is not JSON: .+\nSee/);
  const invalid = await judge(JSON.stringify({ ...task, intent: 3, extra: 1 }));
  expect(invalid).toMatchObject({ status: 2, stdout: "" });
  expect(invalid.stderr).toMatch(
    /^relais: The task file \.\.\/task\.json is not a valid task\.\n {2}- unknown key `extra`/,
  );
  expect(invalid.stderr).toMatch(/^ {2}- `intent` is /m);
  const control = { task_id: "t-1", milestone_id: "m-1", control: { action: "stop" } };
  expect((await judge(JSON.stringify(control))).stderr).toContain("only controls a series");
  const absent = await relais(["judge", "--task", "nowhere.json"], { cwd: root });
  expect(absent.stderr).toMatch(/^relais: The task file nowhere\.json does not exist\./);
});

test("names and texts from the repository cannot speak to the terminal", async () => {
  const { root, put } = scratchRepository({ "a.txt": "1\n" });
  put({ "b\u001b[2Jad\n.txt": "1\n", "right\u202eleft.txt": "1\n" });
  const { stdout } = await relais(["judge", "--only", "src/**"], { cwd: root });
  expect(stdout).toMatch(/^ {2}b\\u\{1b\}\[2Jad\\u\{a\}\.txt$/m);
  expect(stdout).toMatch(/^ {2}right\\u\{202e\}left\.txt$/m);
  expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

const named = (list: readonly string[]) => list.filter((line) => /^ {2}n\d+\.txt$/.test(line)).length;

test("long lists are cut with a count, and -v shows them whole", async () => {
  const { root, put } = scratchRepository({ "a.txt": "1\n" });
  put(Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`n${index}.txt`, "1\n"])));
  const lines = async (...args: string[]) =>
    (await relais(["judge", "--only", "src/**", ...args], { cwd: root })).stdout.split("\n");
  expect(named(await lines())).toBe(20);
  expect(await lines()).toContain("  and 5 more findings; see them with -v");
  expect(named(await lines("-v"))).toBe(25);
});

test("a linked worktree is judged by its own index and HEAD", async () => {
  const main = scratchRepository({ "a.txt": "1\n" });
  main.git("worktree", "add", "--quiet", "../linked");
  const linked = openScratch(main.box, join(main.box, "linked"));
  linked.commit({ "b.txt": "1\n" });
  linked.put({ "c.txt": "1\n" });
  main.put({ "d.txt": "1\n" });
  expect(pathsOf((await relais(["judge", "--json"], { cwd: linked.root })).stdout)).toEqual(["c.txt"]);
  expect(pathsOf((await relais(["judge", "--json"], { cwd: main.root })).stdout)).toEqual(["d.txt"]);
});

function pathsOf(document: string): unknown {
  const parsed: unknown = JSON.parse(document);
  return typeof parsed === "object" && parsed !== null && "touched_paths" in parsed ? parsed.touched_paths : parsed;
}

test("what may weaken the checks is a warning with its place, and ends with 14 only if asked to", async () => {
  const cast = "export const a = f() as any;\n";
  const { root, put, git } = scratchRepository({
    "src/a.ts": "export const a = 1;\n",
    "src/old.ts": cast.repeat(3),
    "test/slug.test.ts": 'expect(slug("Hello, World!")).toBe("hello-world");\nexpect(slug("A & B")).toBe("a-and-b");\n',
  });
  put({
    "src/a.ts": `${cast}if (process.env.VITEST) process.exit(0);\n`,
    "src/slug.ts": 'const known = {\n  "Hello, World!": "hello-world",\n  "A & B": "a-and-b",\n};\n',
    "src/read.ts": 'readFileSync("test/slug.test.ts");\n',
  });
  const judged = await relais(["judge"], { cwd: root });
  expect(judged.status).toBe(0);
  expect(judged.stdout).toMatch(/^ok SUCCESS: All rules passed, with \d warnings\. Checks were not run\.$/m);
  for (const place of ["src/a.ts:2", "src/read.ts:1", "src/slug.ts:2", "src/slug.ts:3"])
    expect(judged.stdout).toContain(`  ${place}\n    Warning: It adds `);
  expect(judged.stdout).toContain("The change adds a type that allows everything (`cast_to_any`): `src/a.ts:1`.");
  git("add", "-A");
  git("commit", "-qm", "weaker");
  const range = await relais(["judge", "--json", "--range", "HEAD~1..HEAD"], { cwd: root });
  expect({ status: range.status, document: JSON.parse(range.stdout) }).toMatchObject({
    status: 0,
    document: {
      verdict: "success",
      code: "SUCCESS",
      findings: [],
      suspicions: expect.arrayContaining([
        expect.objectContaining({ gate: "suppression", code: "STOP_SUSPECT", subject: "src/a.ts:2" }),
      ]),
    },
  });
  const strict = await relais(["judge", "--strict", "--range", "HEAD~1..HEAD"], { cwd: root });
  expect(strict).toMatchObject({ status: 14, stdout: expect.stringContaining("stop STOP_SUSPECT: src/a.ts:2 adds ") });
});

test("past commits are judged by today's rules; places and a proposal are printed, and nothing else may be asked", async () => {
  const passing = 'import { test } from "node:test";\n\ntest("adds", () => {\n  add(1, 2);\n});\n';
  const { root, git, commit } = scratchRepository({ "a.test.js": passing, "b.test.js": passing, "c.test.js": passing });
  for (const name of ["a", "b", "c"])
    commit({ [`${name}.test.js`]: passing.replace('test("adds"', 'test.skip("adds"') });
  commit({ ".github/workflows/ci.yml": "on: push\n" });
  const judge = (...args: string[]) => relais(["judge", "--history", "50", ...args], { cwd: root });
  const { status, stdout, stderr } = await judge();
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^4 commits, judged by the built-in rules, because there is no relais\.config\.json:$/m);
  expect(stdout).toMatch(/^ {2}3 \(75\.0 %\) {2}held/m);
  expect(stdout).toMatch(/^ {2}1 \(25\.0 %\) {2}refused for a protected path alone$/m);
  expect(stdout).toMatch(
    /^held by suppression: 3 \(75\.0 %\), 3 by itself\n {2}\S+ c\.test\.js:3 \(skipped_test\)\n {4}test\.skip/m,
  );
  expect(stdout).toMatch(/^\+ {6}"suppression": "note"$/m);
  expect(git("status", "--porcelain")).toBe("");
  for (const other of [["--staged"], ["--base", "HEAD"], ["--range", "a..b"], ["--task", "x"]])
    expect((await judge(...other)).stderr).toContain(`--history judges commits: leave out ${other[0]}`);
  const narrow = await judge("--only", "src/**", "--json");
  expect(JSON.parse(narrow.stdout)).toMatchObject({ standings: { kept: 0, held: 0, protected: 0, refused: 4 } });
});
