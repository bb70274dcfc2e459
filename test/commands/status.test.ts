import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/in-process.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";
import { holdLock, rewindJournal, tickRepository, type TickRepository } from "../support/tick-repository.ts";
import { differences, walk } from "../support/walker.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };

test("relais alone shows the status and the next command", async () => {
  // A program that is there, whatever it is: nobody is asked to plan.
  const repository = tickRepository({ config: { claude_code_cli: { command: process.execPath } } });
  const bare = await repository.relais();
  expect(bare).toEqual(await repository.relais("status"));
  expect(bare).toMatchObject({ status: 0, stderr: "" });
  expect(bare.stdout).toMatch(
    /^… relais is set up; no tick has run yet\.\n\n {2}repository [^]+\n {2}branch {5}topic\n {2}last tick {2}none yet\n/,
  );
  // The name of a folder may be longer than a line.
  expect(bare.stdout.replaceAll(/\s+/g, "")).toContain(repository.root);
  expect(bare.stdout).toMatch(
    /\nNext:\n {2}relais status --preflight {2}.*\n {2}relais run {17}plan and run one tick\n$/,
  );
  expect((await repository.relais("status", "--preflight")).stdout).toMatch(/^✓ Ready for the first tick\./);
  const runId = await repository.tick([WRITE]);
  const after = (await repository.relais()).stdout;
  expect(after).toMatch(/^✓ A change of 1 file waits: accept or undo\.\n/);
  expect(after).toMatch(/^ {2}last tick {2}✓ SUCCESS, just now$/m);
  expect(after).toContain(`1 file of ${runId}, not committed`);
  expect(after).toMatch(/^ {2}budget {5}░+ 1 of 1000 ticks$/m);
  expect(after).toMatch(/\nNext:\n {2}relais diff .*\n {2}relais accept .*\n {2}relais undo /);
});

test("without a repository or a configuration it says what to do", async () => {
  const folder = scratchFolder();
  const env = { XDG_STATE_HOME: join(folder, "state") };
  const nowhere = await relais([], { cwd: folder, env });
  expect(nowhere).toMatchObject({ status: 11, stdout: "" });
  expect(nowhere.stderr).toMatch(/There is no git repository at .*\nNext: Change to a repository/);
  expect(JSON.parse((await relais(["--json"], { cwd: folder, env })).stdout)).toMatchObject({
    verdict: "blocked",
    code: "BLOCKED_MISSING_CONFIG",
    cause: "no_repository",
  });
  const { root, put } = scratchRepository({ a: "a\n" });
  const fresh = await relais([], { cwd: root, env });
  expect(fresh).toMatchObject({ status: 0, stderr: "" });
  expect(fresh.stdout).toMatch(/^ {2}config {5}none; relais uses what it finds/m);
  expect(fresh.stdout).toMatch(/\n {2}relais run "say what to change" /);
  put({ "relais.config.json": '{"bugdets":{}}' });
  const invalid = await relais([], { cwd: root, env });
  expect(invalid.status).toBe(11);
  expect(invalid.stdout).toMatch(/^ {2}config {5}✗ relais\.config\.json is not valid\. .*bugdets/m);
  expect(existsSync(env.XDG_STATE_HOME)).toBe(false);
});

/** What the preflight answers, after everything around has been shown to be as it was. */
async function preflight({ box, ask }: TickRepository) {
  const before = walk({ folder: box, worktrees: [] });
  const { status, document } = await ask("status", "--preflight");
  expect(differences(before, walk({ folder: box, worktrees: [] }), { withTimes: true })).toEqual([]);
  return { status, document };
}

const blocked = (status: number, code: string, cause: string) => ({
  status,
  document: { preflight: { would_start: false, code, cause } },
});

test("the preflight asks what a tick asks, in its order, and writes nothing", async () => {
  const repository = tickRepository({ config: { budgets: { per_milestone: { max_ticks: 1 } } } });
  const { put, git, root } = repository;
  expect(await preflight(repository)).toMatchObject({
    status: 0,
    document: { preflight: { would_start: true } },
  });
  put({ "src/x.ts": "mine\n", "relais/STATE.json": "{", "relais/STATE.json.tmp": "{" });
  expect(await preflight(repository)).toMatchObject(blocked(11, "BLOCKED_DIRTY_WORKTREE", "dirty"));
  git("checkout", "--quiet", "--", ".");
  expect(await preflight(repository)).toMatchObject(
    blocked(11, "BLOCKED_CRASH_RECOVERY_REQUIRED", "damaged_documents"),
  );
  expect(existsSync(join(root, "relais/STATE.json.tmp"))).toBe(true);
  execFileSync("rm", [join(root, "relais/STATE.json")]);
  await repository.tick([]);
  expect(await preflight(repository)).toMatchObject({
    status: 12,
    document: { preflight: { would_start: false, code: expect.stringMatching(/^BLOCKED_BUDGET_/) } },
  });
  const text = await repository.relais("status", "--preflight");
  expect(text).toMatchObject({ status: 12, stderr: "" });
  expect(text.stdout).toMatch(/^ {2}preflight {2}✗ BLOCKED_BUDGET_/m);
  git("switch", "--quiet", "--detach");
  expect(await preflight(repository)).toMatchObject(blocked(11, "BLOCKED_MISSING_CONFIG", "detached_head"));
});

test("a builder that cannot be used is found", async () => {
  const repository = tickRepository({
    config: { builder: { default_mode: "scripted", scripted: { script: "nosuch.json" } } },
  });
  expect(await preflight(repository)).toMatchObject(blocked(11, "BLOCKED_MISSING_CONFIG", "builder_unusable"));
});

test("a program that is missing is found before anybody is paid", async () => {
  const nowhere = { claude_code_cli: { command: "nosuch-claude" } };
  const planner = tickRepository({ config: nowhere });
  const warned = await planner.relais("status", "--preflight");
  expect(warned.status).toBe(0);
  expect(warned.stdout).toMatch(/^ {2}planning {3}! The program nosuch-claude was not found; only planning/m);
  expect(warned.stdout).toMatch(/\nNext:\n {2}relais run "say what to change" /);
  expect(await planner.ask("run")).toMatchObject({
    status: 11,
    document: { code: "BLOCKED_MISSING_CONFIG", cause: "orchestrator_not_found", budgets: { ticks: 0 } },
  });
  expect((await planner.relais("run")).stdout).toMatch(/\nNext: Install it, .+\n(?:.+\n)? {2}relais doctor /);
  const builder = tickRepository({ config: { ...nowhere, builder: { default_mode: "claude_code" } } });
  expect(await preflight(builder)).toMatchObject(blocked(11, "BLOCKED_BUILDER_COMMAND_NOT_FOUND", "not_found"));
});

test("a relais that works here and a lock that cannot be understood are told", async () => {
  const repository = tickRepository();
  await repository.tick([]);
  holdLock(repository);
  expect((await repository.relais()).stdout).toMatch(
    /^ {2}running {4}20260131T235959Z-0123abcd, process 4711, started just now$/m,
  );
  expect(await preflight(repository)).toMatchObject(blocked(11, "BLOCKED_LOCK_HELD", "lock_held"));
  expect(await repository.ask("accept")).toMatchObject({ status: 11, document: { cause: "lock_held" } });
  writeFileSync(join(repository.state(), "lock.json"), "?");
  expect(await preflight(repository)).toMatchObject(blocked(11, "BLOCKED_LOCK_HELD", "lock_corrupt"));
});

test("a tick that was cut short is told before everything else, also without a configuration", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([WRITE]);
  const journal = join(repository.state(), "journal.jsonl");
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
  rewindJournal(repository, `${lines.slice(0, 6).join("\n")}\n`);
  expect(await repository.ask("status")).toMatchObject({
    status: 0,
    document: { unfinished: { run_id: runId } },
  });
  expect(await preflight(repository)).toMatchObject(blocked(11, "BLOCKED_CRASH_RECOVERY_REQUIRED", "tick_unfinished"));
  expect((await repository.relais("history")).stdout).toContain(`${runId}  ✗ unfinished`);
  execFileSync("rm", [join(repository.root, "relais.config.json")]);
  expect((await repository.relais()).stdout).toMatch(/\nNext:\n {2}relais recover /);
  holdLock(repository);
  expect((await repository.relais("history")).stdout).toContain(`${runId}  … running`);
  expect((await repository.ask("history")).document).toMatchObject({
    ticks: [{ run_id: runId, running: true }],
  });
});

test("a damaged journal is named, and a lost one is read from the ledger", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([]);
  const journal = join(repository.state(), "journal.jsonl");
  const text = readFileSync(journal, "utf8");
  writeFileSync(journal, text.replace('"relay"', '"tree"'));
  expect(await repository.ask("status")).toMatchObject({
    status: 11,
    document: { code: "BLOCKED_CRASH_RECOVERY_REQUIRED", cause: "journal_corrupt" },
  });
  const elsewhere = join(repository.box, "elsewhere");
  mkdirSync(elsewhere);
  const { stdout } = await relais(["status", "--json"], {
    cwd: repository.root,
    env: { XDG_STATE_HOME: elsewhere },
  });
  expect(JSON.parse(stdout)).toMatchObject({ last_tick: { run_id: runId } });
});

test("a link in the place of the workspace is told as a tick tells it", async () => {
  const { root, box, relais: ask } = tickRepository();
  renameSync(join(root, "relais"), join(box, "moved"));
  symlinkSync(join(box, "moved"), join(root, "relais"));
  const bare = await ask();
  expect(bare).toMatchObject({ status: 11, stdout: "" });
  expect(bare.stderr).toMatch(/The workspace .+\/relais cannot be used: .+ is a link\.\nNext: Fix that/);
  expect((await ask("run")).stderr).toBe(bare.stderr);
});

test("--watch is for people, and where nobody works it shows the status", async () => {
  const repository = tickRepository({ config: { claude_code_cli: { command: process.execPath } } });
  expect(await repository.relais("status", "--watch")).toEqual(await repository.relais("status"));
  const refused = await repository.relais("status", "--watch", "--json");
  expect(refused.status).toBe(2);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    error: "usage",
    message: expect.stringContaining("relais events --follow --json"),
  });
  expect((await repository.relais("status", "--watch", "--preflight")).status).toBe(2);
  expect((await repository.relais("status", "--role", "builder")).stderr).toContain("--role goes with --watch");
  expect((await repository.relais("status", "--watch", "--role", "leader")).stderr).toContain(
    '--role is runner, orchestrator, builder, reviewer or verifier, not "leader"',
  );
});
