import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main as runMain } from "../../src/main.ts";
import { CODES } from "../../src/base/codes.ts";
import { SHIPPED_SCHEMAS } from "../../src/workspace/shipped-files.ts";
import { relais } from "../support/in-process.ts";
import { sitAtTerminal } from "../support/terminal.ts";
import { relais as runAsProcess } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { openScratch, scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

const SCHEMAS = Object.keys(SHIPPED_SCHEMAS).length;

const MANIFEST = '{"scripts":{"test":"node --test"}}\n';
/** A machine that has a claude; nobody starts it. */
const withClaude = (): Readonly<Record<string, string>> => {
  const bin = scratchFolder();
  writeFileSync(join(bin, "claude"), "#!/bin/sh\n", { mode: 0o755 });
  return { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
};
const init = (cwd: string, ...args: string[]) => relais(["init", ...args], { cwd, env: withClaude() });

test("programs that the machine lacks are named in every configuration", async () => {
  const config = JSON.stringify({
    claude_code_cli: { command: "nosuch-claude" },
    verification: {
      templates: [
        { id: "lint", cmd: "nosuch-make" },
        { id: "test", cmd: "nosuch-make" },
      ],
    },
  });
  const { root } = scratchRepository({ "relais.config.json": config });
  expect((await init(root)).stdout).toMatch(
    /\nMissing:\n {2}The program nosuch-claude was not found; the builder needs it\.\n {2}The program nosuch-claude was not found; only planning needs it\.\n {2}The program nosuch-make was not found; the checks lint, test need it\.\n\nNext:\n/,
  );
  expect(JSON.parse((await init(root, "--json")).stdout).missing_programs).toHaveLength(3);
});

test("it says what it found, what it wrote and what to type next", async () => {
  const { root } = scratchRepository({ "package.json": MANIFEST, "src/a.js": "1\n", "README.md": "# r\n" });
  expect(await init(root)).toEqual({
    status: 0,
    stderr: "",
    stdout: [
      "Found:",
      "  language   JavaScript",
      "  checks in  npm (package.json): test",
      "  branch     main (protected: series commit on a branch of their own)",
      "  agents     claude; no codex on the PATH",
      "",
      "Checks:",
      "  test  npm run test",
      "    relais keeps a change only if these pass; no plan leaves them out (verification.required)",
      "",
      "A builder may change:",
      "  src/**",
      "  *.md",
      "  package.json",
      "    all other changes are reverted (scope.default_allowed_globs)",
      "",
      "The builder:",
      "  Claude Code",
      "    for another agent or program, set builder.default_mode",
      "",
      "Wrote:",
      "  relais.config.json",
      "",
      "Next:",
      "  relais init --commit             a tick needs a clean tree",
      "  relais doctor                    check that everything is ready",
      '  relais run "say what to change"  one tick; the sentence is the task',
      "",
    ].join("\n"),
  });
  const again = await init(root);
  expect(again.stdout).toMatch(/\n\nUnchanged:\n {2}relais\.config\.json\n\nNext:\n {2}relais init --commit /);
  const full = [".gitignore", "GOAL.md", "FACTS.md", "fixtures/README.md", "prompts/ (4 files)"];
  const lines = [...full, `schemas/ (${SCHEMAS - 1} files)`].map((name) => `  relais/${name}\n`);
  expect((await init(root, "--full")).stdout).toContain(`\n\nWrote:\n${lines.join("")}\n`);
  expect((await init(root, "--full", "-v")).stdout).toContain("  relais/schemas/task.schema.json\n");
  expect(await init(root, "-q")).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("one file appears in git, and the command that commits it works from any folder", async () => {
  const { root, git } = scratchRepository({ "it's here/a.txt": "1\n" });
  const cwd = join(root, "it's here");
  expect((await init(cwd)).stdout).toContain("\n  relais init --commit ");
  expect(git("status", "--porcelain", "--untracked-files=all")).toBe("?? relais.config.json");
  expect((await init(cwd, "--commit")).status).toBe(0);
  expect(git("status", "--porcelain")).toBe("");
  expect(git("show", "--name-only", "--format=")).toBe("relais.config.json");
});

test("an editor finds the schema: of the project's own relais, or a copy that git ignores", async () => {
  const { root, git, put } = scratchRepository({ ".gitignore": "node_modules/\n" });
  const schemaOf = () => String(JSON.parse(readFileSync(join(root, "relais.config.json"), "utf8")).$schema);
  await init(root, "--commit");
  expect(schemaOf()).toBe("./relais/schemas/config.schema.json");
  const shipped = readFileSync("schemas/config.schema.json", "utf8");
  expect(readFileSync(join(root, schemaOf()), "utf8")).toBe(shipped);
  expect(git("status", "--porcelain")).toBe("");
  // Another clone has the configuration alone, and an older relais left another copy.
  for (const arrange of [
    () => rmSync(join(root, "relais"), { recursive: true }),
    () => put({ "relais/schemas/config.schema.json": "{}\n" }),
  ]) {
    arrange();
    await init(root);
    expect(readFileSync(join(root, schemaOf()), "utf8")).toBe(shipped);
  }
  put({ "node_modules/relais/schemas/config.schema.json": shipped });
  rmSync(join(root, "relais.config.json"));
  await init(root);
  expect(schemaOf()).toBe("./node_modules/relais/schemas/config.schema.json");
});

test("a folder of somebody else gets no copy", async () => {
  const { root, git } = scratchRepository({ "relais/code.py": "1\n" });
  await init(root);
  expect(readFileSync(join(root, "relais.config.json"), "utf8")).not.toContain("$schema");
  expect(git("status", "--porcelain", "--untracked-files=all")).toBe("?? relais.config.json");
});

/** Only these programs and those of the system; the machine may have an agent of its own. */
const withAgents = (...names: string[]): Readonly<Record<string, string>> => {
  const bin = scratchFolder();
  for (const name of ["git", "node"]) {
    const file = execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    symlinkSync(file, join(bin, name));
  }
  for (const name of names) writeFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
  return { PATH: `${bin}:/usr/bin:/bin` };
};

test("it says which agents are there, and ends with what can be done with them", async () => {
  const { root, git } = scratchRepository({ "tests/conftest.py": "", "tests/test_a.py": "" });
  git("switch", "--quiet", "--create", "topic");
  const codex = (await relais(["init"], { cwd: root, env: withAgents("codex") })).stdout;
  expect(codex).toMatch(
    / {2}language {3}Python\n {2}checks in {2}pytest \(tests\/conftest\.py\): test\n {2}branch {5}topic\n/,
  );
  expect(codex).toMatch(/\n {2}agents {5}codex; no claude on the PATH\n/);
  expect(codex).toMatch(/\nThe builder:\n {2}Codex\n/);
  expect(codex).toMatch(/\n {2}relais run "say what to change" {2}one tick; the sentence is the task\n$/);
  expect(JSON.parse(readFileSync(join(root, "relais.config.json"), "utf8"))).toMatchObject({
    builder: { default_mode: "codex" },
    roles: { orchestrator: { driver: "codex" } },
  });
  rmSync(join(root, "relais.config.json"));
  const nobody = (await relais(["init"], { cwd: root, env: withAgents() })).stdout;
  expect(nobody).toMatch(/\nThe builder:\n {2}none found; install Claude Code or Codex and log in\n/);
  expect(nobody).toMatch(/\n {2}relais judge +judge your own change, without an agent\n$/);
  rmSync(join(root, "relais.config.json"));
  const both = await relais(["init"], { cwd: root, env: withAgents("claude", "codex") });
  expect(both.stdout).toMatch(/\nThe builder:\n {2}Claude Code\n/);
  expect(readFileSync(join(root, "relais.config.json"), "utf8")).toContain('"default_mode": "claude_code"');
  writeFileSync(join(root, "relais.config.json"), JSON.stringify({ builder: { default_mode: "codex" } }));
  git("switch", "--quiet", "--detach");
  const detached = await relais(["init"], { cwd: root, env: withAgents("claude") });
  expect(detached.stdout).toMatch(/\n {2}branch {5}none: HEAD is detached\n[^]*\n {2}git switch -c work /);
  expect(JSON.parse((await relais(["init", "--json"], { cwd: root, env: withAgents("claude") })).stdout)).toMatchObject(
    {
      branch: null,
      branch_protected: false,
      languages: null,
      agents: [
        { program: "codex", file: null },
        { program: "claude", file: expect.stringMatching(/\/claude$/) },
      ],
    },
  );
});

test("without a check it says so, and none is made up", async () => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  expect((await init(root)).stdout).toMatch(/Checks:\n {2}none; add some to verification.templates/);
  expect(readFileSync(join(root, "relais.config.json"), "utf8")).toContain('"templates": []');
});

test.each([
  ["y", "yes", "chore: set up relais"],
  ["n", "no", "a commit"],
  ["enter", "no", "a commit"],
  ["leave", "no", "a commit"],
])("on a terminal it asks before it commits: %s", async (key, answer, subject) => {
  const { root, box, git } = scratchRepository({ "a.js": "1\n" });
  const env = { ...gitEnvironment(box), ...withClaude(), XDG_STATE_HOME: join(box, "state"), NO_COLOR: "1" };
  const person = sitAtTerminal({ cwd: root, env });
  const ended = runMain(["init"], person.terminal);
  await person.sees("Wrote:\n  relais.config.json\n\nCommit relais.config.json now? (y/N) ");
  await person.press(key);
  expect(await ended).toBe(0);
  await person.sees(answer === "yes" ? /yes\n\nCommitted:\n/u : /no\n\nNext:\n {2}relais init --commit /u);
  expect(git("log", "-1", "--format=%s")).toBe(subject);
  expect(person.isListening()).toBe(false);
});

test("without a keyboard nothing is asked", async () => {
  const { root, box } = scratchRepository({ "a.js": "1\n" });
  const env = { ...withClaude(), HOME: box, XDG_STATE_HOME: join(box, "state") };
  const person = sitAtTerminal({ cwd: root, env, hasKeyboard: false });
  expect(await runMain(["init"], person.terminal)).toBe(0);
  expect(person.text()).not.toContain("y/N");
});

test("--commit commits exactly what was written and leaves the rest as it was", async () => {
  const { root, git, put } = scratchRepository({ "a.txt": "1\n", "b.txt": "1\n", ".gitignore": "*.md\n" });
  put({ "a.txt": "staged\n", "b.txt": "not staged\n", "new.txt": "untracked\n" });
  git("add", "a.txt");
  const before = git("rev-parse", "HEAD");
  const status = git("status", "--porcelain");
  const { status: exit, stdout } = await init(root, "--commit", "--full");
  expect(exit).toBe(0);
  expect(stdout).toMatch(/\n\nCommitted:\n {2}<id>\n\nNext:\n {2}relais doctor /);
  expect(git("status", "--porcelain")).toBe(status);
  expect(git("rev-parse", "HEAD^")).toBe(before);
  expect(git("log", "-1", "--format=%an <%ae>%n%s")).toBe("Ada <ada@example.org>\nchore: set up relais");
  const committed = git("diff", "--name-only", "HEAD^", "HEAD").split("\n");
  expect(committed).toHaveLength(SCHEMAS + 9);
  expect(committed.every((path) => path === "relais.config.json" || path.startsWith("relais/"))).toBe(true);
  expect(committed).toContain("relais/GOAL.md");
});

test("--commit after a first look commits what was written then, as it is now, and nothing else", async () => {
  const { root, git, put } = scratchRepository({ "a.txt": "1\n" });
  expect((await init(root, "--full")).status).toBe(0);
  const config = '{"builder":{"default_mode":"scripted"}}\n';
  put({ "relais.config.json": config, "a.txt": "staged\n", "relais/mine.md": "mine\n", "relais/TASK.json": "{}\n" });
  git("add", "a.txt", "relais/GOAL.md");
  const { status, stdout } = await init(root, "--commit");
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringMatching(/\n\nCommitted:\n {2}<id>\n/),
  });
  expect(stdout).not.toContain("git add");
  expect(git("status", "--porcelain")).toBe("M  a.txt");
  expect(git("show", "HEAD:relais/mine.md")).toBe("mine");
  expect(git("show", "HEAD:relais.config.json")).toBe(config.trim());
  const again = await init(root, "--commit");
  expect(again.status).toBe(0);
  expect(again.stdout).toMatch(/\n\nCommitted:\n {2}nothing: these files are committed already\n/);
  expect(JSON.parse((await init(root, "--commit", "--json")).stdout)).toMatchObject({
    commit: null,
    uncommitted: [],
  });
  put({ "relais.config.json": "{}\n", "relais/GOAL.md": "# Goal\n" });
  expect((await init(root, "--commit")).status).toBe(0);
  expect(git("show", "HEAD", "--name-only", "--format=")).toBe("relais.config.json\nrelais/GOAL.md");
});

test("a refused commit of files that were staged leaves them staged", async () => {
  const { root, git } = scratchRepository({ "a.txt": "1\n" });
  await init(root, "--full");
  git("add", "relais/GOAL.md");
  git("config", "user.useConfigOnly", "true");
  const nobody = { GIT_AUTHOR_NAME: undefined, GIT_AUTHOR_EMAIL: undefined };
  expect((await relais(["init", "--commit"], { cwd: root, env: nobody })).status).toBe(11);
  expect(git("diff", "--cached", "--name-only")).toBe("relais/GOAL.md");
});

test("--commit runs no hook, signs nothing and stores content as the repository wants it", async () => {
  const { root, box, git, put } = scratchRepository({ "a.txt": "1\n" });
  for (const hook of ["pre-commit", "commit-msg", "post-commit", "post-index-change", "reference-transaction"]) {
    put({ [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch '${box}/marker'\nexit 1\n` });
    chmodSync(join(root, ".git/hooks", hook), 0o755);
  }
  put({ ".git/gpg": `#!/bin/sh\ntouch '${box}/marker'\nexit 1\n` });
  chmodSync(join(root, ".git/gpg"), 0o755);
  git("config", "commit.gpgSign", "true");
  git("config", "gpg.program", join(root, ".git/gpg"));
  git("config", "core.autocrlf", "true");
  put({ ".git/info/attributes": "GOAL.md filter=shout\n" });
  git("config", "filter.shout.clean", "tr a-z A-Z");
  expect((await init(root, "--commit", "--full")).status).toBe(0);
  expect(existsSync(join(box, "marker"))).toBe(false);
  expect(git("show", "HEAD:relais/GOAL.md")).toMatch(/^# GOAL/);
});

test("--commit makes the first commit of a repository that has none", async () => {
  const { root, git } = scratchRepository();
  const without = await init(root, "--json");
  expect(JSON.parse(without.stdout)).toMatchObject({ has_commit: false, commit: null });
  expect((await init(root)).stdout).toMatch(
    /\n {2}relais init --commit +a tick needs a commit and a clean tree; commit your own files too\n/,
  );
  const other = scratchRepository();
  const document: unknown = JSON.parse((await init(other.root, "--commit", "--json")).stdout);
  expect(document).toMatchObject({ has_commit: true, commit: { kind: "committed", commit: "<id>" } });
  expect(other.git("rev-list", "--count", "HEAD")).toBe("1");
  expect(git("ls-files")).toBe("");
});

test("--commit works in a linked worktree", async () => {
  const main = scratchRepository({ "a.txt": "1\n" });
  main.git("worktree", "add", "--quiet", "-b", "side", join(main.box, "linked"));
  const linked = openScratch(main.box, join(main.box, "linked"));
  expect((await init(linked.root, "--commit")).status).toBe(0);
  expect(linked.git("log", "--format=%s", "main..side")).toBe("chore: set up relais");
  expect(linked.git("status", "--porcelain")).toBe("");
});

test("a commit that git refuses leaves the files and the index as they should be", async () => {
  const { root, git } = scratchRepository({ "a.txt": "1\n" });
  git("config", "user.useConfigOnly", "true");
  const nobody = { GIT_AUTHOR_NAME: undefined, GIT_AUTHOR_EMAIL: undefined };
  const { status, stdout, stderr } = await relais(["init", "--commit"], { cwd: root, env: nobody });
  expect(status).toBe(11);
  expect(stdout).toContain("\n  relais init --commit ");
  expect(stderr).toMatch(/^relais: The files are written, but git did not commit them: git var/);
  expect(git("diff", "--cached", "--name-only")).toBe("");
  expect(existsSync(join(root, "relais.config.json"))).toBe(true);
});

test("in the middle of a merge the files are written, and nothing of the merge is lost", async () => {
  const { root, git, commit } = scratchRepository({ "a.txt": "1\n" });
  git("switch", "--quiet", "-c", "side");
  commit({ "b.txt": "side\n" });
  git("switch", "--quiet", "main");
  commit({ "c.txt": "main\n" });
  git("merge", "--quiet", "--no-commit", "--no-ff", "side");
  const staged = git("diff", "--cached", "--name-only");
  const { status, stderr } = await init(root, "--commit");
  expect({ status, stderr }).toEqual({
    status: 11,
    stderr: expect.stringContaining("partial commit during a merge"),
  });
  expect(git("diff", "--cached", "--name-only")).toBe(staged);
  expect(existsSync(join(root, ".git/MERGE_HEAD"))).toBe(true);
});

const NEXT = "Next: fix that and run `relais init` again.\n";

test("what is in the way is one sentence with a remedy, and nothing is written", async () => {
  const { root, box } = scratchRepository({ "a.txt": "1\n" });
  mkdirSync(join(box, "outside"));
  symlinkSync(join(box, "outside"), join(root, "relais"));
  const { status, stdout, stderr } = await init(root);
  expect({ status, stdout }).toEqual({ status: 11, stdout: "" });
  expect(stderr).toMatch(/^blocked BLOCKED_MISSING_CONFIG: relais is a symbolic link.*\n/);
  expect(stderr.endsWith(NEXT)).toBe(true);
  const folder = scratchFolder();
  expect(await init(folder)).toEqual({
    status: CODES.BLOCKED_MISSING_CONFIG.exit,
    stdout: "",
    stderr: `blocked BLOCKED_MISSING_CONFIG: There is no git repository at ${folder} or above it; create one with \`git init\`.\n${NEXT}`,
  });
  expect(JSON.parse((await init(folder, "--json")).stdout)).toMatchObject({
    verdict: "blocked",
    code: "BLOCKED_MISSING_CONFIG",
  });
});

test.runIf(process.getuid?.() === 0)("a tree that may not be written is one sentence", async () => {
  const { root, box } = scratchRepository({ "a.txt": "1\n" });
  for (const folder of [box, root]) chmodSync(folder, 0o755);
  const { status, stderr } = await runAsProcess(["init"], { cwd: root, uid: 65_534 });
  expect(status).toBe(11);
  expect(stderr).toMatch(/^blocked BLOCKED_MISSING_CONFIG: The workspace could not be set up: EACCES: .*\n/);
});

test("problems of an existing configuration are listed, and the file is left alone", async () => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  writeFileSync(join(root, "relais.config.json"), '{"scoop":{}}');
  const { status, stderr } = await init(root);
  expect(status).toBe(11);
  expect(stderr).toContain("relais.config.json is not valid.\n  - unknown key `scoop`");
  expect(readFileSync(join(root, "relais.config.json"), "utf8")).toBe('{"scoop":{}}');
});
