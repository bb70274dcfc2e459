import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/in-process.ts";
import { scratchRepository, type ScratchRepository } from "../support/scratch-repository.ts";

const config = (scope: object) => JSON.stringify({ scope });
const ONLY_SRC = config({ default_allowed_globs: ["src/**"], default_allow_new_files: true });
const EVERYTHING = config({
  default_allowed_globs: ["**"],
  default_forbidden_globs: [],
  default_allow_new_files: true,
});

async function judged(root: string, ...args: string[]) {
  const { stdout } = await relais(["judge", "--json", ...args], { cwd: root });
  const document: unknown = JSON.parse(stdout);
  return document;
}

test("a branch that parted before a rule was made is judged by that rule", async () => {
  const { root, git, commit } = scratchRepository({ "src/a.txt": "1\n" });
  git("switch", "--quiet", "--create", "early");
  commit({ "elsewhere.txt": "1\n" });
  git("switch", "--quiet", "main");
  commit({ "relais.config.json": ONLY_SRC });
  expect(await judged(root, "--range", "main..early")).toMatchObject({
    code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
    rules_from: { kind: "base" },
    touched_paths: ["elsewhere.txt"],
  });
  // The other way round the rules are those that `early` has, which is none.
  const { stdout } = await relais(["judge", "--range", "early..main"], { cwd: root });
  expect(stdout).toContain("Rules: built in, because commit <id> has no relais.config.json.\n");
});

test.each([
  ["a range", ["--range", "HEAD~1..HEAD"]],
  ["an older commit", ["--base", "HEAD~1"]],
])("the configuration that a change brings is not the one that %s is judged by", async (_, args) => {
  const { root, commit } = scratchRepository({ "a.txt": "1\n" });
  commit({ "relais.config.json": EVERYTHING, ".env": "KEY=1\n" });
  expect(await judged(root, ...args)).toMatchObject({
    code: "STOP_SCOPE_VIOLATION_FORBIDDEN",
    rules_from: { kind: "built-in", commit: "<id>" },
  });
});

test("a configuration on the disk does not count for what is staged", async () => {
  const { root, git, put } = scratchRepository({ "a.txt": "1\n" });
  put({ "relais.config.json": ONLY_SRC, "b.txt": "1\n" });
  git("add", "b.txt");
  expect(await judged(root, "--staged")).toMatchObject({ code: "SUCCESS", rules_from: { kind: "built-in" } });
});

test("a configuration that nobody has committed adds protection and takes none away", async () => {
  const { root, put } = scratchRepository({ "a.txt": "1\n" });
  put({ "relais.config.json": EVERYTHING, ".env": "KEY=1\n" });
  expect(await judged(root)).toMatchObject({
    code: "STOP_SCOPE_VIOLATION_FORBIDDEN",
    findings: [{ subject: ".env" }],
    rules_from: { kind: "worktree" },
  });
});

/** Two branches that were merged into each other both ways, each after one commit of its own. */
function crossed(): ScratchRepository {
  const repository = scratchRepository({ "src/a.txt": "1\n", "guard.txt": "1\n" });
  const { git, commit } = repository;
  git("switch", "--quiet", "--create", "side");
  const ours = commit({ "src/side.txt": "1\n" });
  git("switch", "--quiet", "main");
  const theirs = commit({ "main.txt": "1\n", "guard.txt": "2\n" });
  git("merge", "--quiet", "--no-edit", ours);
  git("switch", "--quiet", "side");
  git("merge", "--quiet", "--no-edit", theirs);
  return repository;
}

test.each([
  ["takes back what only one of them had", { "guard.txt": "1\n" }, ["guard.txt"]],
  ["deletes what only one of them had", { "main.txt": null }, ["main.txt"]],
  ["edits a file of its own", { "src/side.txt": "2\n" }, ["src/side.txt"]],
  ["changes nothing", {}, []],
])("after merges both ways, a branch that %s is judged for just that", async (_, files, expected) => {
  const { root, git, commit } = crossed();
  expect(git("merge-base", "--all", "main", "side").split("\n")).toHaveLength(2);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) git("rm", "--quiet", path);
    else commit({ [path]: text });
  }
  commit({});
  expect(await judged(root, "--range", "main..side")).toMatchObject({
    touched_paths: expected,
    subject: { kind: "range", base: "<id>", other_bases: ["<id>"] },
  });
  const { stdout } = await relais(["judge", "--range", "main..side"], { cwd: root });
  expect(stdout).toContain("Judged: <id> and <id>..<id>.\n");
});

/** Two branches that parted; a reader who believes that `main` comes after `side` sees no change. */
function parted() {
  const repository = scratchRepository({ "a.txt": "1\n" });
  const { git, commit } = repository;
  git("switch", "--quiet", "--create", "side");
  const side = commit({ "hidden.txt": "1\n" });
  git("switch", "--quiet", "main");
  commit({ "b.txt": "1\n" });
  // Not the last one, which git reads itself.
  const inside = commit({ "b.txt": "2\n" });
  commit({ "b.txt": "3\n" });
  return { ...repository, side, inside };
}

test("grafts hide no commit", async () => {
  const { root, git, side, inside } = parted();
  mkdirSync(join(root, ".git/info"), { recursive: true });
  writeFileSync(join(root, ".git/info/grafts"), `${inside} ${side}\n`);
  expect(git("merge-base", "main", "side")).toBe(side);
  expect(await judged(root, "--range", "main..side")).toMatchObject({ touched_paths: ["hidden.txt"] });
});

test("a forged list of commits hides none", async () => {
  const { root, git, side, inside } = parted();
  git("commit-graph", "write", "--reachable");
  const file = join(root, ".git/objects/info/commit-graph");
  const graph = readFileSync(file);
  const chunk = (name: string) => Number(graph.readBigUInt64BE(graph.indexOf(name, 8, "latin1") + 4));
  const position = (id: string) => (graph.indexOf(id, chunk("OIDL"), "hex") - chunk("OIDL")) / 20;
  // An entry is the id of the tree and then the position of the first parent.
  graph.writeUInt32BE(position(side), chunk("CDAT") + position(inside) * 36 + 20);
  chmodSync(file, 0o644);
  writeFileSync(file, graph);
  expect(git("merge-base", "main", "side")).toBe(side);
  expect(await judged(root, "--range", "main..side")).toMatchObject({ touched_paths: ["hidden.txt"] });
});

test.each([
  ['{"scope": {}, "scope": {"default_allowed_globs": ["**"]}}', 'cannot be used: the key "scope" occurs twice.'],
  ['```json\n{"scope": {}}\n```', "is not JSON: "],
  ["[]", "is not JSON: "],
  ['{"scope": {"default_allowed_globs": ["{a,b"]}}', "is not valid.\n  - scope.default_allowed_globs: the glob "],
])("a configuration of %j blocks", async (text, message) => {
  const { root, commit } = scratchRepository({ "relais.config.json": text });
  commit({});
  const { status, stderr } = await relais(["judge"], { cwd: root });
  expect(status).toBe(11);
  expect(stderr).toContain(`relais.config.json of commit <id> ${message}`);
});

const TASK = JSON.stringify({
  task_id: "t-1",
  milestone_id: "m-1",
  task_kind: "verify_only",
  intent: "look",
  scope: {
    allowed_globs: ["src/**"],
    forbidden_globs: [],
    allow_new_files: false,
    allow_lockfile_changes: false,
  },
  diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
  verification: { fast: [], slow: [] },
});

test.each([
  [TASK.replace("src/**", "{a,b"), "is not a valid task.\n  - scope.allowed_globs: the glob "],
  [TASK.replace("{", '{"intent": "change",'), 'cannot be used: the key "intent" occurs twice.'],
])("a task of %j is a mistake", async (text, message) => {
  const { box, root } = scratchRepository({ "a.txt": "1\n" });
  const judge = (task: string) => {
    writeFileSync(join(box, "task.json"), task);
    return relais(["judge", "--task", "../task.json"], { cwd: root });
  };
  expect(await judge(TASK)).toMatchObject({ status: 0 });
  const { status, stderr } = await judge(text);
  expect(status).toBe(2);
  expect(stderr).toContain(`The task file ../task.json ${message}`);
});
