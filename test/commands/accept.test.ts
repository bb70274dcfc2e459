import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/in-process.ts";
import { journalTypes, tickRepository, rewindJournal } from "../support/tick-repository.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };
const OUTSIDE = [{ do: "write", path: "README", text: "outside\n" }];
const CREATE = { do: "write", path: "src/z.ts", text: "z\n" };

test("exactly the judged paths are committed, whatever else lies and is staged there", async () => {
  const repository = tickRepository();
  const { git, put } = repository;
  const runId = await repository.tick([WRITE, CREATE, { do: "write", path: "dist/out", text: "built\n" }]);
  const before = git("rev-parse", "HEAD");
  put({ "src/y.ts": "mine\n", mine: "mine\n" });
  git("add", "src/y.ts");
  const { status, stdout, stderr } = await repository.relais("accept");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(
    new RegExp(`^✓ Committed <id>\\n\\n {2}branch {5}topic\\n {2}change {5}2 files of ${runId}\\n`),
  );
  expect(git("rev-parse", "HEAD^")).toBe(before);
  expect(git("show", "--name-status", "--format=", "HEAD")).toBe("M\tsrc/x.ts\nA\tsrc/z.ts");
  expect(git("log", "-1", "--format=%(trailers:key=Relais-Run,valueonly)").trim()).toBe(runId);
  expect(
    git("status", "--porcelain")
      .split("\n")
      .map((line) => line.trim()),
  ).toEqual(["M  src/y.ts", "?? mine"]);
  expect(journalTypes(repository).slice(-2)).toEqual(["tick_ended", "accepted"]);
  expect(readFileSync(join(repository.root, "relais/ledger.jsonl"))).toEqual(
    readFileSync(join(repository.state(), "journal.jsonl")),
  );
});

test("what is committed shows, cannot be committed again, and the next tick can start", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([WRITE]);
  expect((await repository.ask("status")).document).toMatchObject({ accepted: { run_id: runId, files: 1 } });
  expect(await repository.ask("status", "--preflight")).toMatchObject({ status: 11 });
  const accepted = await repository.ask("accept");
  const commit = "<id>";
  expect(accepted).toMatchObject({
    status: 0,
    document: { run_id: runId, commit, branch: "topic", files: 1, problems: [] },
  });
  expect(await repository.ask("status", "--preflight")).toMatchObject({
    status: 0,
    document: { accepted: null, last_tick: { run_id: runId, commit }, preflight: { would_start: true } },
  });
  expect((await repository.relais("history", "show")).stdout).toMatch(/^ {2}since {6}committed as <id> on topic$/m);
  expect(await repository.ask("accept")).toMatchObject({
    status: 10,
    document: { verdict: "stop", code: null, cause: "already_committed", run_id: runId },
  });
  expect(await repository.tick([{ ...WRITE, text: "newer\n" }])).not.toBe(runId);
  expect((await repository.relais("history", "replay")).status).toBe(0);
});

test("the commit goes to the branch that the person is on, protected or not", async () => {
  const repository = tickRepository({ branch: "main" });
  repository.git("branch", "relais");
  const main = repository.git("rev-parse", "main");
  await repository.tick([WRITE]);
  expect((await repository.ask("accept")).document).toMatchObject({ branch: "main" });
  expect(repository.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
  expect(repository.git("rev-parse", "main^")).toBe(main);
  expect((await repository.ask("undo")).document).toMatchObject({ branch: "main", began_on: null });
});

test("the message is the person's, from -m or from an editor, and the trailers are always there", async () => {
  const repository = tickRepository();
  const { git } = repository;
  const runId = await repository.tick([WRITE]);
  expect(await repository.ask("accept", "-m", " ")).toMatchObject({ status: 10, document: { cause: "message_empty" } });
  expect(await repository.ask("accept", "-e")).toMatchObject({ status: 10, document: { cause: "editor_failed" } });
  expect(await repository.ask("accept", "-e", "-m", "x")).toMatchObject({ status: 2 });
  const text = "feat(x): be new\n\nIt was old.\n\nReviewed-by: Ada <ada@example.org>";
  expect(await repository.ask("accept", "-m", text)).toMatchObject({ status: 0 });
  expect(git("log", "-1", "--format=%B").trim()).toBe(
    `${text}\nRelais-Run: ${runId}\nRelais-Task: T-1\nRelais-Code: SUCCESS`,
  );
  await repository.relais("undo");
  await repository.tick([WRITE]);
  const editor = join(repository.box, "editor");
  writeFileSync(editor, '#!/bin/sh\nsed -i "1s/.*/Edited: &/" "$1"\n');
  chmodSync(editor, 0o755);
  const env = { HOME: repository.box, XDG_STATE_HOME: join(repository.box, "state"), EDITOR: editor };
  expect(await relais(["accept", "-e"], { cwd: repository.root, env })).toMatchObject({ status: 0 });
  expect(git("log", "-1", "--format=%s")).toMatch(/^Edited: Make x new$/);
  expect(git("log", "-1", "--format=%B")).not.toContain("#");
});

test("a person may switch to another branch at the same commit first", async () => {
  const repository = tickRepository({ branch: "main" });
  await repository.tick([WRITE]);
  repository.git("switch", "--quiet", "--create", "feature");
  expect((await repository.ask("accept")).document).toMatchObject({
    branch: "feature",
  });
});

test("a hook that refuses leaves everything as it was, the branch too", async () => {
  const repository = tickRepository({ branch: "main", config: { git: { hooks: "run" } } });
  const { root, git } = repository;
  await repository.tick([WRITE]);
  const hook = join(root, ".git/hooks/pre-commit");
  writeFileSync(hook, "#!/bin/sh\necho not today >&2\nexit 1\n");
  chmodSync(hook, 0o755);
  const [head, refs] = [git("symbolic-ref", "HEAD"), git("for-each-ref")];
  const { status, stderr } = await repository.relais("accept");
  expect(status).toBe(10);
  expect(stderr).toMatch(/^relais: The commit was refused \(hook_pre-commit_failed\)\. .*not today\n/);
  expect([git("symbolic-ref", "HEAD"), git("for-each-ref")]).toEqual([head, refs]);
  expect(git("status", "--porcelain")).toBe("M src/x.ts");
  rmSync(hook);
  expect((await repository.relais("accept")).status).toBe(0);
});

test("a path that was edited since is named, and nothing is committed", async () => {
  const repository = tickRepository();
  await repository.tick([WRITE, CREATE]);
  repository.put({ "src/x.ts": "new and mine\n" });
  rmSync(join(repository.root, "src/z.ts"));
  const head = repository.git("rev-parse", "HEAD");
  const { status, stdout, stderr } = await repository.relais("accept");
  expect({ status, stdout }).toEqual({ status: 10, stdout: "" });
  expect(stderr).toMatch(/was edited after the judgement\.\n {2}- src\/x\.ts\n {2}- src\/z\.ts\nNext: /);
  expect(repository.git("rev-parse", "HEAD")).toBe(head);
  repository.put({ "src/x.ts": "new\n", "src/z.ts": "z\n" });
  expect((await repository.relais("accept")).status).toBe(0);
});

test("a change that was stashed away does not wait, and can be committed once it is back", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([WRITE]);
  repository.git("stash", "--quiet");
  expect((await repository.ask("status")).document).toMatchObject({ accepted: null });
  expect(await repository.ask("accept")).toMatchObject({ status: 10, document: { cause: "paths_edited" } });
  repository.git("stash", "pop", "--quiet");
  expect((await repository.ask("status")).document).toMatchObject({ accepted: { run_id: runId } });
  expect((await repository.relais("accept")).status).toBe(0);
});

test("a commit that somebody made meanwhile stays theirs", async () => {
  const repository = tickRepository();
  await repository.tick([WRITE]);
  repository.git("commit", "--quiet", "--all", "--message=mine");
  expect(await repository.ask("accept")).toMatchObject({ status: 10, document: { cause: "head_moved" } });
  expect((await repository.ask("status")).document).toMatchObject({ accepted: null });
});

test("where nothing was accepted nothing is committed", async () => {
  const repository = tickRepository();
  const nothing = { status: 10, document: { cause: "nothing_accepted", run_id: null } };
  expect(await repository.ask("accept")).toMatchObject(nothing);
  await repository.tick(OUTSIDE, "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED");
  expect(await repository.ask("accept")).toMatchObject(nothing);
  await repository.tick([]);
  expect(await repository.ask("accept")).toMatchObject(nothing);
});

test("evidence that is not the recorded one is not believed", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([WRITE]);
  appendFileSync(join(repository.state(), "runs", runId, "evidence.json"), " ");
  expect(await repository.ask("accept")).toMatchObject({
    status: 10,
    document: {
      cause: "evidence_damaged",
      message: expect.stringMatching(/its hash is [0-9a-f]{64}, and the journal says/),
    },
  });
  expect(repository.git("status", "--porcelain")).toBe("M src/x.ts");
});

test("a commit that lacks only its line in the journal is taken up", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([WRITE]);
  const journal = join(repository.state(), "journal.jsonl");
  const before = readFileSync(journal);
  await repository.relais("accept");
  const head = repository.git("rev-parse", "HEAD");
  rewindJournal(repository, before);
  expect(await repository.ask("accept")).toMatchObject({
    status: 0,
    document: { run_id: runId, branch: "topic" },
  });
  expect(repository.git("rev-parse", "HEAD")).toBe(head);
  expect(journalTypes(repository).slice(-1)).toEqual(["accepted"]);
});

test("outside a repository and without a configuration it is blocked, and a tick that was cut short comes first", async () => {
  const repository = tickRepository();
  await repository.tick([WRITE]);
  const journal = join(repository.state(), "journal.jsonl");
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
  rewindJournal(repository, `${lines.slice(0, -2).join("\n")}\n`);
  expect(await repository.ask("accept")).toMatchObject({
    status: 11,
    document: { code: "BLOCKED_CRASH_RECOVERY_REQUIRED", cause: "tick_unfinished" },
  });
  expect(await repository.ask("accept", "--cwd", "/")).toMatchObject({
    status: 11,
    document: { code: "BLOCKED_MISSING_CONFIG", cause: "no_repository" },
  });
  rmSync(join(repository.root, "relais.config.json"));
  expect(await repository.ask("accept")).toMatchObject({ status: 11, document: { cause: "tick_unfinished" } });
});

test("--commit commits a kept change at once, and --sandbox is that of one command", async () => {
  const repository = tickRepository();
  const before = repository.git("rev-parse", "HEAD");
  writeFileSync(join(repository.box, "task.json"), JSON.stringify(repository.task([WRITE])));
  const task = ["run", "--task", join(repository.box, "task.json")];
  expect(await repository.ask(...task, "--commit", "--sandbox", "off")).toMatchObject({
    status: 0,
    document: { code: "SUCCESS", settle: { action: "commit", branch: "topic" } },
  });
  expect(repository.git("rev-parse", "HEAD^")).toBe(before);
  expect((await repository.relais(...task, "--sandbox", "on")).status).toBe(2);
});
