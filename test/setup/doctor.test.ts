import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import type { DoctorCheck } from "../../src/checks/pure/config-text.ts";
import { isAtLeast } from "../../src/base/version-order.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { acquireLock } from "../../src/journal/acquire-lock.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { openStateDirectory } from "../../src/journal/state-directory.ts";
import { checkDoctorPrograms } from "../../src/setup/doctor-machine.ts";
import { examine } from "../../src/setup/doctor.ts";
import { initialise } from "../../src/setup/init.ts";
import { scratchFolder, scratchRepository, type ScratchRepository } from "../support/scratch-repository.ts";

const AT = "2026-01-31T23:59:59.000Z";
const GIT = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
const RUN = { run_id: "20260131-abcdef", series_id: "series-0001" };

interface Clinic extends ScratchRepository {
  readonly examine: () => Promise<readonly DoctorCheck[]>;
  /** The one line about a subject. */
  readonly line: (subject: string) => Promise<DoctorCheck | undefined>;
  readonly program: (name: string, mode?: number, script?: string) => void;
  readonly configure: (config: object) => void;
  readonly state: () => Promise<{ readonly path: string; readonly lockPath: string }>;
}

/** A repository with relais set up and committed, where only the programs of the test are on the PATH. */
async function clinic(): Promise<Clinic> {
  const repository = scratchRepository({ "src/a.txt": "1\n", Makefile: "test:\n\ttrue\n" });
  const { root, box, commit, put } = repository;
  const bin = join(box, "bin");
  mkdirSync(bin);
  symlinkSync(GIT, join(bin, "git"));
  const environment = { PATH: bin, XDG_STATE_HOME: join(box, "state"), HOME: box };
  await initialise({ cwd: root, commit: false, full: true, signal: new AbortController().signal, environment });
  commit({});
  const examineNow = () => examine({ cwd: root, environment, nodeVersion: "20.19.0" });
  return {
    ...repository,
    examine: examineNow,
    line: async (subject) => (await examineNow()).find((check) => check.subject === subject),
    program: (name, mode = 0o755, script = "") => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), mode);
    },
    configure: (config) => put({ "relais.config.json": JSON.stringify(config) }),
    state: async () => {
      const found = await findRepository(root, process.env);
      if (found.kind !== "repository") throw new Error("the fixture is no repository");
      const directory = openStateDirectory(found, environment);
      if (directory.kind === "unusable") throw new Error(directory.reason);
      return directory;
    },
  };
}

/** Claude Code as far as it is asked: its version, whether it is logged in, and what it makes of our options. */
const CLAUDE = `case "$1" in
--version) echo "2.1.197 (Claude Code)" ;;
auth) echo '{"loggedIn": true, "authMethod": "api_key", "apiKeySource": "ANTHROPIC_API_KEY"}' ;;
-p) echo "Error: Input must be provided" >&2; exit 1 ;;
*) exit 9 ;;
esac`;

const statuses = (checks: readonly DoctorCheck[]) =>
  Object.fromEntries(checks.map(({ subject, status }) => [subject, status]));

test("a repository that is ready has no failure, and every line that is not ok has a fix", async () => {
  const { examine: look, program, configure } = await clinic();
  for (const name of ["make", "tmux"]) program(name);
  program("claude", 0o755, CLAUDE);
  const templates = [{ id: "test", cmd: "make", args: ["test"] }];
  configure({ builder: { default_mode: "scripted" }, verification: { templates } });
  const checks = await look();
  expect(statuses(checks)).toEqual({
    git: "ok",
    node: "ok",
    repository: "ok",
    identity: "warn",
    config: "ok",
    instructions: "ok",
    workspace: "ok",
    ignored: "ok",
    committed: "ok",
    state: "ok",
    lock: "ok",
    journal: "ok",
    budget: "ok",
    history: "ok",
    preflight: "ok",
    goal: "warn",
    builder: "ok",
    orchestrator: "ok",
    checks: "ok",
    isolation: "ok",
    sandbox: "warn",
    tmux: "ok",
  });
  for (const { status, fix } of checks) expect(fix === null).toBe(status === "ok");
});

test("programs that are missing or may not be executed are named with who needs them", async () => {
  const { examine: look, program } = await clinic();
  program("claude", 0o644);
  const checks = await look();
  expect(statuses(checks)).toMatchObject({
    builder: "fail",
    orchestrator: "warn",
    checks: "fail",
    tmux: "warn",
  });
  expect(checks.find(({ subject }) => subject === "builder")?.message).toContain("claude");
  expect(checks.find(({ subject }) => subject === "checks")?.problems).toEqual(["make not found, needed by test"]);
});

test.each([
  [{ builder: { default_mode: "codex" } }, "fail", "The program codex was not found; the builder needs it."],
  [{}, "fail", "The program claude was not found; the builder needs it."],
  [{ builder: { default_mode: "command", command: { command: "./tool" } } }, "fail", "./tool"],
  [{ builder: { default_mode: "patch" } }, "ok", "patch"],
  [{ builder: { default_mode: "scripted" } }, "ok", "scripted"],
  [{ roles: { builder: { driver: "codex" } } }, "fail", "codex"],
  [{ roles: { builder: { driver: "scripted" } } }, "ok", "scripted"],
])("the builder of %j is looked for", async (given, status, named) => {
  const config = parseConfig(given);
  if (config.kind === "invalid") throw new Error("the configuration of the test is none");
  const [builder] = await checkDoctorPrograms(config.value, { path: "", cwd: scratchFolder(), environment: {} });
  expect(builder).toMatchObject({ subject: "builder", status, message: expect.stringContaining(named) });
});

test.each([
  [CLAUDE, "ok", /^claude_code: .*\/claude, version 2\.1\.197, logged in by api_key$/],
  [CLAUDE.replace("true", "false"), "fail", /is not logged in/],
  [CLAUDE.replace("Error: Input must be provided", "error: unknown option '--tools'"), "fail", /does not support/],
])("Claude Code is asked for its version, its login and our options: %s", async (script, status, words) => {
  const { examine: look, configure, program } = await clinic();
  configure({});
  program("claude", 0o755, script);
  const checks = await look();
  const builder = checks.find(({ subject }) => subject === "builder");
  expect(builder).toMatchObject({ status, message: expect.stringMatching(words) });
  expect(statuses(checks)).toMatchObject({ orchestrator: status === "fail" ? "warn" : status });
});

test("what bypassPermissions means is said, and that root is refused it", async () => {
  const { line, configure, program } = await clinic();
  program("claude", 0o755, CLAUDE);
  configure({ builder: { claude_code: { permission_mode: "bypassPermissions" } } });
  const isRoot = process.getuid?.() === 0;
  expect(await line("builder")).toMatchObject({
    status: isRoot ? "fail" : "warn",
    message: expect.stringMatching(isRoot ? /refuses .* as root/ : /may use every tool/),
    fix: expect.stringContaining('"dontAsk"'),
  });
  expect(await line("orchestrator")).toMatchObject({ status: "ok" });
});

test("a relative program counts from the root", async () => {
  const { line, configure, put, root } = await clinic();
  configure({ builder: { default_mode: "command", command: { command: "tools/build" } } });
  put({ "tools/build": "#!/bin/sh\n" });
  expect((await line("builder"))?.status).toBe("fail");
  chmodSync(join(root, "tools/build"), 0o755);
  expect(await line("builder")).toMatchObject({
    status: "ok",
    message: `command: ${join(root, "tools/build")}`,
  });
});

test("all problems of a configuration are shown, and what needs one is left out", async () => {
  const { examine: look, configure } = await clinic();
  configure({ scoop: {}, isolation: "nowhere" });
  const checks = await look();
  expect(checks.find(({ subject }) => subject === "config")).toMatchObject({
    status: "fail",
    problems: [expect.stringContaining("scoop"), expect.stringContaining("isolation")],
  });
  expect(Object.keys(statuses(checks))).not.toContain("builder");
  expect(statuses(checks)).toMatchObject({ state: "ok", lock: "ok", journal: "ok" });
});

const SETTINGS = [
  [{ isolation: "in_place" }, "isolation", "ok"],
  [{ sandbox: "required" }, "sandbox", "fail"],
  [{ sandbox: "off" }, "sandbox", "ok"],
  [{ verification: { templates: [] } }, "checks", "warn"],
  [{ history: { enabled: false } }, "history", "ok"],
  [{ budgets: { per_milestone: { max_ticks: 0 } } }, "budget", "fail"],
] as const;

test("what a setting leads to is said", async () => {
  const { line, configure } = await clinic();
  for (const [config, subject, status] of SETTINGS) {
    configure(config);
    expect([config, (await line(subject))?.status]).toEqual([config, status]);
  }
});

test("a clone is refused where the programs of its dependencies would be those of the original", async () => {
  const { line, configure, put } = await clinic();
  configure({ isolation: "clone" });
  put({ "node_modules/dep/index.js": "", ".venv/lib/x.py": "" });
  expect((await line("isolation"))?.status).toBe("ok");
  put({ ".venv/pyvenv.cfg": "home = /usr/bin\n" });
  expect(await line("isolation")).toMatchObject({
    status: "fail",
    message: expect.stringContaining(".venv/pyvenv.cfg belongs to a virtual environment of Python"),
    fix: 'An overlay has the path of the worktree, and copies nothing. Or set `isolation` to "auto".',
  });
});

test("a workspace that is missing, a link or outdated is told apart", async () => {
  const { line, root, box, put } = await clinic();
  put({ "relais/schemas/task.schema.json": "{}\n" });
  rmSync(join(root, "relais/prompts/builder.user.txt"));
  expect(await line("workspace")).toMatchObject({
    status: "warn",
    problems: ["relais/schemas/task.schema.json belongs to another version of relais"],
  });
  rmSync(join(root, "relais"), { recursive: true });
  expect(await line("workspace")).toMatchObject({ status: "ok", message: "relais/ is made by the first tick" });
  mkdirSync(join(box, "elsewhere"));
  symlinkSync(join(box, "elsewhere"), join(root, "relais"));
  expect(await line("workspace")).toMatchObject({
    status: "fail",
    message: expect.stringContaining("is a link"),
  });
});

test("what git would see of relais' own files is a failure, tracked files included", async () => {
  const { line, put, git } = await clinic();
  put({ "relais/.gitignore": "/STATE.json\n/history/\n*.tmp\n" });
  const check = await line("ignored");
  expect(check?.status).toBe("fail");
  expect(check?.problems).toContain("relais/lock.json is not ignored");
  expect(check?.problems).not.toContain("relais/STATE.json is not ignored");
  git("checkout", "--quiet", "--", "relais/.gitignore");
  expect((await line("ignored"))?.status).toBe("ok");
  put({ "relais/STATE.json": "{}\n" });
  git("add", "--force", "relais/STATE.json");
  expect((await line("ignored"))?.problems).toEqual(["relais/STATE.json is not ignored"]);
});

const named = (message: string) => ({ status: "warn", message: expect.stringContaining(message) });

test("files of relais that are not in git are named", async () => {
  const { line, put } = await clinic();
  put({ "relais/prompts/extra.txt": "x\n" });
  expect(await line("committed")).toMatchObject(named("Not committed: relais/prompts/extra.txt"));
  put({ "relais/prompts/more.txt": "x\n" });
  expect(await line("committed")).toMatchObject(named("relais/prompts/extra.txt and 1 more"));
});

test("a lock is free, held, left behind or damaged", async () => {
  const { line, state } = await clinic();
  const { lockPath } = await state();
  const lock = await acquireLock(lockPath, RUN.run_id, () => AT);
  if (lock.kind !== "held") throw new Error("the lock is not free");
  expect(await line("lock")).toMatchObject({ status: "warn", message: expect.stringContaining(RUN.run_id) });
  const content: object = JSON.parse(readFileSync(lockPath, "utf8"));
  await lock.release();
  expect(await line("lock")).toMatchObject({ status: "ok", message: "free" });
  writeFileSync(lockPath, JSON.stringify({ ...content, process_start: "of another process" }));
  expect(await line("lock")).toMatchObject({ status: "ok", message: expect.stringContaining("is gone") });
  writeFileSync(lockPath, JSON.stringify({ ...content, host: "elsewhere" }));
  expect(await line("lock")).toMatchObject({ status: "warn", message: expect.stringContaining("elsewhere") });
  writeFileSync(lockPath, "{}");
  expect(await line("lock")).toMatchObject({ status: "fail", fix: expect.stringContaining(lockPath) });
});

test("the lock in the workspace is looked at too", async () => {
  const { line, put, root } = await clinic();
  put({ "relais/lock.json": "?" });
  const path = join(root, "relais/lock.json");
  expect(await line("lock")).toMatchObject({
    status: "fail",
    message: expect.stringContaining(path),
    fix: expect.stringContaining(`remove ${path}`),
  });
});

test("a tick that was cut short asks for recovery, unless it is still running", async () => {
  const { line, state } = await clinic();
  const { path, lockPath } = await state();
  const opened = await openJournal({ path: join(path, "journal.jsonl"), ledger: null });
  if (opened.kind !== "open") throw new Error(JSON.stringify(opened));
  const started = {
    type: "tick_started",
    workflow: "relay",
    relais_version: "1.2.3",
    config_sha256: null,
    worktree: "/repo",
    git_prefix: "",
    on_success: "accept",
    max_tick_seconds: 900,
  } as const;
  await opened.journal.append({ at: AT, ...RUN, event: started });
  await opened.journal.close();
  expect(await line("journal")).toMatchObject({ status: "fail", fix: "Run `relais recover`." });
  const lock = await acquireLock(lockPath, RUN.run_id, () => AT);
  if (lock.kind !== "held") throw new Error("the lock is not free");
  expect((await line("journal"))?.status).toBe("ok");
  await lock.release();
  writeFileSync(join(path, "journal.jsonl"), "{}\n{}\n");
  expect(await line("journal")).toMatchObject({ status: "fail", message: expect.stringContaining("line 1") });
});

test("a history over its cap is a failure", async () => {
  const { line, put, configure } = await clinic();
  configure({ history: { max_mb: 1 } });
  put({ "relais/history/r1/verify.log": Buffer.alloc(900 * 1024), "relais/history/r2/x": "1\n" });
  expect(await line("history")).toMatchObject({
    status: "ok",
    message: expect.stringMatching(/^0\.9 of 1 MB/),
  });
  put({ "relais/history/r3/diff.patch": Buffer.alloc(900 * 1024) });
  expect((await line("history"))?.status).toBe("fail");
});

const outside = (cwd: string) =>
  examine({
    cwd,
    environment: { PATH: dirname(GIT), XDG_STATE_HOME: join(cwd, "state") },
    nodeVersion: "18.0.0",
  });

test("without a repository, a commit or a branch there is one failure that says so", async () => {
  const folder = scratchFolder();
  expect(statuses(await outside(folder))).toEqual({ git: "ok", node: "fail", repository: "fail" });
  const unborn = scratchRepository();
  expect((await outside(unborn.root)).find(({ subject }) => subject === "repository")).toMatchObject({
    status: "fail",
    message: expect.stringContaining("no commit"),
  });
  const { line, git } = await clinic();
  git("switch", "--quiet", "--detach");
  expect(await line("repository")).toMatchObject({
    status: "fail",
    fix: expect.stringContaining("git switch"),
  });
  writeFileSync(join(folder, ".git"), "nonsense\n");
  expect(await outside(folder)).toContainEqual(
    expect.objectContaining({
      subject: "repository",
      status: "fail",
      message: expect.stringContaining(".git"),
    }),
  );
});

test("a state directory inside the repository cannot be used", async () => {
  const { root } = await clinic();
  expect((await outside(root)).find(({ subject }) => subject === "state")).toMatchObject({
    status: "fail",
    fix: expect.stringContaining("XDG_STATE_HOME"),
  });
});

test.each([
  ["git version 2.36.0", true],
  ["git version 2.39.5 (Apple Git-154)", true],
  ["git version 2.100.1", true],
  ["git version 3", true],
  ["git version 2.35.9", false],
  ["git version 2.4.11", false],
  ["git version 1.99", false],
  ["git version 2.36.rc0", true],
  ["no number", false],
])("%s is recent enough: %s", (text, expected) => {
  expect(isAtLeast(text, [2, 36])).toBe(expected);
});

test("commits under the name of relais are announced, until git knows a name", async () => {
  const { line, git } = await clinic();
  expect(await line("identity")).toMatchObject({
    status: "warn",
    message: expect.stringContaining("relais@localhost"),
  });
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  expect(await line("identity")).toMatchObject({
    status: "ok",
    message: "commits are by Ada <ada@example.org>",
  });
});
