import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { copyBuilt } from "../support/copy-built.ts";
import { executable } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { journalTypes, tickRepository } from "../support/tick-repository.ts";

const PATCH = `--- a/src/x.ts
+++ b/src/x.ts
@@ -1 +1 @@
-old
+new
`;
const NEW = `--- /dev/null
+++ b/src/z.ts
@@ -0,0 +1 @@
+z
`;
const TEMPLATES = [
  { id: "new", cmd: "grep", args: ["-q", "new", "src/x.ts"] },
  { id: "red", cmd: "false" },
  { id: "find", cmd: "grep", args: ["{{word}}"], params: { word: { kind: "string_token" } } },
];
const open = (templates: readonly object[] = TEMPLATES.filter(({ id }) => id !== "red")) =>
  tickRepository({ config: { verification: { templates } } });

function given(repository: ReturnType<typeof open>, patch: string): string {
  const file = join(repository.box, "fix.patch");
  writeFileSync(file, patch);
  return file;
}

test("a diff from a file is judged, checked and kept", async () => {
  const repository = open();
  const file = given(repository, PATCH);
  const { status, stdout, stderr } = await repository.relais("run", "--patch", file, "--allow", "src/**");
  expect(status).toBe(0);
  // What happened is told line by line, apart from what came of it.
  expect(stderr).toMatch(/^(?:\d\d:\d\d:\d\d (?:plan|build|judge|verify|settle|end): [^\n]+\n)+$/);
  expect(stdout).toMatch(/^ {2}task {7}Apply fix\.patch\.$/m);
  expect(stdout).toMatch(/✓ new/);
  expect(stdout).not.toMatch(/find|sandbox/);
  expect(repository.git("status", "--porcelain")).toBe("M src/x.ts");
  expect((await repository.relais("accept")).status).toBe(0);
  expect(repository.git("log", "-1", "--format=%s")).toBe("Apply fix.patch.");
});

test("a diff may come from standard input, and a person may say what it is for", () => {
  const { root, box, git } = open();
  const env = { ...gitEnvironment(box), XDG_STATE_HOME: join(box, "state") };
  const args = [executable, "run", "--json", "--patch", "-", "--intent", "Make it new."];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    env,
    input: PATCH,
    encoding: "utf8",
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ code: "SUCCESS", task: { intent: "Make it new." } });
  expect(git("status", "--porcelain")).toBe("M src/x.ts");
});

test("new files and checks are as the person says", async () => {
  const repository = open(TEMPLATES);
  const file = given(repository, NEW);
  const run = (...args: string[]) => repository.ask("run", "--patch", file, ...args);
  expect(await run("--no-checks")).toMatchObject({
    status: 10,
    document: { code: "STOP_SCOPE_VIOLATION_NEW_FILE" },
  });
  expect(await run("--new-files")).toMatchObject({ document: { code: "STOP_VERIFY_FAILED_SLOW" } });
  expect(await run("--new-files", "--check", "red")).toMatchObject({
    document: { verification: { runs_total: 1 } },
  });
  expect(await run("--new-files", "--only", "docs/**")).toMatchObject({
    document: { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" },
  });
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(await run("--new-files", "--no-checks")).toMatchObject({ status: 0, document: { code: "SUCCESS" } });
});

test("a patch belongs to the milestone that is worked on", async () => {
  const repository = open();
  await repository.tick([]);
  await repository.ask("run", "--patch", given(repository, PATCH));
  expect((await repository.ask("status")).document).toMatchObject({ budgets: { milestone_id: "M-1" } });
});

test("a person may bring more patches than an orchestrator, and where none are taken that is said", async () => {
  const settings = { patch: { max_patch_attempts_per_milestone: 1 } };
  const repository = tickRepository({ config: { builder: settings, verification: { templates: [] } } });
  const file = given(repository, PATCH);
  for (const _ of [1, 2]) {
    expect((await repository.ask("run", "--patch", file)).document).toMatchObject({ code: "SUCCESS" });
    expect((await repository.relais("undo")).status).toBe(0);
  }
  // The one attempt of the milestone is still there for the orchestrator.
  const task = { ...repository.task([]), milestone_id: "patches", builder: { mode: "patch", patch: PATCH } };
  writeFileSync(join(repository.box, "task.json"), JSON.stringify(task));
  const planned = async () => (await repository.ask("run", "--task", join(repository.box, "task.json"))).document;
  expect(await planned()).toMatchObject({ code: "SUCCESS" });
  expect((await repository.relais("undo")).status).toBe(0);
  expect(await planned()).toMatchObject({ code: "STOP_PATCH_INVALID", cause: "patch_attempts_used_up" });
  const closed = tickRepository({ config: { builder: { allow_patch_mode: false } } });
  const { stdout } = await closed.relais("run", "--patch", given(closed, PATCH), "--no-checks");
  expect(stdout).toContain("Patches are not allowed here");
  expect(stdout).toMatch(/Next: Set `builder\.allow_patch_mode`/);
});

test("a dry run judges the patch, and nothing is written or recorded", async () => {
  const repository = open();
  const file = given(repository, PATCH + NEW);
  const refused = await repository.relais("run", "--patch", file, "--dry-run");
  expect(refused).toMatchObject({ status: 10, stderr: "" });
  expect(refused.stdout).toMatch(/^stop STOP_SCOPE_VIOLATION_NEW_FILE: src\/z\.ts: /);
  const passed = await repository.relais("run", "--patch", file, "--dry-run", "--new-files");
  expect(passed.status).toBe(0);
  expect(passed.stdout).toMatch(/^Change: 2 files, \+2\/-1; all rules pass/m);
  expect((await repository.ask("run", "--patch", file, "--dry-run", "--new-files")).document).toMatchObject({
    would_start: true,
    builder: "patch",
    foreseen: { paths: ["src/x.ts", "src/z.ts"], findings: [] },
  });
  writeFileSync(file, "no patch");
  expect(await repository.ask("run", "--patch", file, "--dry-run")).toMatchObject({
    status: 10,
    document: { would_start: false, refusal: { code: "STOP_PATCH_APPLY_FAILED" }, foreseen: null },
  });
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(journalTypes(repository)).toEqual([]);
});

const REFUSED_FILES: readonly (readonly [string, RegExp, RegExp])[] = [
  ["../box/nowhere.patch", /does not exist\.$/, /Check the name; relative names start at \//],
  ["./latin1.patch", /is not UTF-8 text\.$/, /`git diff --binary`/],
  ["./long.patch", /is too long: a patch has 500000 characters at most\.$/, /Split the patch/],
  ["./huge.patch", /is too long: a patch has 500000 characters at most\.$/, /Split the patch/],
  ["./empty.patch", /is empty\.$/, /`git diff`/],
  ["./blank.patch", /is empty\.$/, /`git diff`/],
  ["src", /cannot be used: it is a folder\.$/, /Name a file in that folder/],
  ["./link.patch", /cannot be used: it is a link\.$/, /`relais run --patch - < FILE`/],
  ["./pipe.patch", /cannot be used: it is not an ordinary file\.$/, /`relais run --patch - < FILE`/],
  [`./${"x".repeat(300)}`, /does not exist\.$/, /Check the name/],
];

test("a file that can be no patch is named as it was typed, with what to do about it", async () => {
  const { root, relais, ask } = open();
  writeFileSync(join(root, "latin1.patch"), Buffer.from("+\xe9\n", "latin1"));
  writeFileSync(join(root, "long.patch"), "x".repeat(500_001));
  writeFileSync(join(root, "huge.patch"), "");
  truncateSync(join(root, "huge.patch"), 3 * 1024 ** 3);
  writeFileSync(join(root, "empty.patch"), "");
  writeFileSync(join(root, "blank.patch"), "\n \n");
  symlinkSync("long.patch", join(root, "link.patch"));
  execFileSync("mkfifo", [join(root, "pipe.patch")]);
  for (const [file, message, remedy] of REFUSED_FILES) {
    const { status, stdout, stderr } = await relais("run", "--patch", file);
    const [said = "", next = "", ...more] = stderr.split("\n");
    expect({ status, stdout, more }).toEqual({ status: 2, stdout: "", more: [""] });
    expect(said).toMatch(message);
    expect(said).toContain(`relais: The patch file ${file} `);
    expect(next).toMatch(/^Next: /);
    expect(next).toMatch(remedy);
  }
  expect(await ask("run", "--patch", "src")).toMatchObject({
    status: 2,
    document: { error: "usage", remedy: "Name a file in that folder." },
  });
});

test("a patch file that may not be read is said to be so", () => {
  const repository = open();
  const file = given(repository, PATCH);
  chmodSync(file, 0);
  chmodSync(repository.box, 0o755);
  const copy = join(repository.box, "relais-built", basename(executable));
  copyBuilt(executable, dirname(copy));
  // Root may read everything.
  const ordinary = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { status, stderr } = spawnSync(process.execPath, [copy, "run", "--patch", file], {
    cwd: repository.box,
    encoding: "utf8",
    ...ordinary,
  });
  expect(stderr).toMatch(/fix\.patch cannot be used: it may not be read\.\nNext: .*chmod u\+r/);
  expect(status).toBe(2);
});

test("nothing on standard input is no patch", () => {
  const { root } = open();
  const args = [executable, "run", "--patch", "-"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, input: "", encoding: "utf8" });
  expect(stderr).toMatch(/^relais: The standard input is empty\.\nNext: .*`git diff`/);
  expect(status).toBe(2);
});

test("a patch that is refused for what it makes is told how to mend it, in a dry run too", async () => {
  const repository = open([]);
  const link = "diff --git a/src/l b/src/l\nnew file mode 120000\n--- /dev/null\n+++ b/src/l\n";
  const file = given(repository, `${link}@@ -0,0 +1 @@\n+x.ts\n\\ No newline at end of file\n`);
  const remedy = "Remove that section from the patch, and make the link yourself.";
  const dry = await repository.relais("run", "--patch", file, "--dry-run");
  expect(dry).toMatchObject({ status: 10 });
  expect(dry.stdout).toContain(`Next: ${remedy}\n`);
  expect((await repository.ask("run", "--patch", file, "--dry-run")).document).toMatchObject({
    refusal: { code: "STOP_PATCH_INVALID", cause: "symlink", remedy },
  });
  expect((await repository.relais("run", "--patch", file)).stdout).toContain(`Next: ${remedy}\n`);
});

test.each([
  [["--patch", "x.patch", "--task", "t.json"], /exclude each other/],
  [["--patch", "x.patch", "--no-checks", "--check", "new"], /exclude each other/],
  [["--patch", "x.patch", "--allow", "../x"], /the glob "\.\.\/x" cannot be used/],
  [["--task", "t.json", "--allow", "src/**"], /--allow needs a sentence or --patch/],
  [["--task", "t.json", "--no-checks"], /--no-checks needs a sentence or --patch/],
  [["--intent", "Why"], /--intent needs --patch/],
])("%j is wrong usage", async (args, message) => {
  const { relais } = open();
  const { status, stdout, stderr } = await relais("run", ...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(message);
});

test("without a configuration the patch is judged by what relais finds", async () => {
  const repository = open();
  repository.git("rm", "--quiet", "relais.config.json");
  repository.git("commit", "--quiet", "--message", "without a configuration");
  expect(await repository.ask("run", "--patch", given(repository, PATCH), "--no-checks")).toMatchObject({
    status: 0,
    document: { code: "SUCCESS" },
  });
});
