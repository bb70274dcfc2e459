import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { journalTypes, tickRepository, type TickRepository } from "../support/tick-repository.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };
const STRAY = { do: "write", path: "README", text: "outside\n" };
const OUTSIDE = "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED";

const folders = ({ root }: TickRepository) => readdirSync(join(root, "relais/history")).toSorted();
const folderOf = ({ root }: TickRepository, runId: string) => join(root, "relais/history", runId);

test("old folders go, and what a decision still rests on stays", async () => {
  const repository = tickRepository();
  const empty = [await repository.tick([]), await repository.tick([])];
  const refused = await repository.tick([STRAY], OUTSIDE);
  const waiting = await repository.tick([WRITE]);
  const blocked = await repository.tick([], "BLOCKED_DIRTY_WORKTREE");
  const all = folders(repository);
  const held = [
    { run_id: refused, reason: "its work is in salvage" },
    { run_id: waiting, reason: "its change waits to be committed" },
    { run_id: blocked, reason: "it is the last tick" },
  ];
  const plan = await repository.ask("history", "prune", "--keep", "0", "--dry-run");
  expect(plan).toMatchObject({ status: 0, document: { dry_run: true, held, problems: [] } });
  expect(folders(repository)).toEqual(all);
  const { document } = await repository.ask("history", "prune", "--keep", "0");
  const removed = empty.map((runId) => ({ run_id: runId, bytes: expect.any(Number) }));
  expect(document).toMatchObject({ dry_run: false, removed: expect.arrayContaining(removed), held });
  expect(folders(repository)).toEqual([refused, waiting, blocked].toSorted());
  expect(journalTypes(repository).slice(-2)).toEqual(["pruned", "pruned"]);
  expect((await repository.relais("accept")).status).toBe(0);
  expect(await repository.ask("history", "replay")).toMatchObject({ status: 0 });
  const [first = ""] = empty;
  expect(await repository.relais("history", "replay", first)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`- ${first}  deleted by \`relais history prune\``),
  });
  expect(await repository.ask("history", "show", first)).toMatchObject({
    status: 10,
    document: { message: expect.stringContaining("`relais history prune`") },
  });
  expect((await repository.relais("history")).stdout).toContain(first);
  // By now it is committed, and the salvage was looked at and removed.
  rmSync(join(repository.state(), "salvage", refused), { recursive: true });
  await repository.relais("history", "prune", "--keep", "0");
  expect(folders(repository)).toEqual([blocked]);
  expect((await repository.tick([])).length).toBeGreaterThan(0);
});

const privateFiles = ({ state }: TickRepository, runId: string) => readdirSync(join(state(), "runs", runId)).toSorted();

test("the private folders of pruned ticks keep only what the journal can be mended from", async () => {
  const repository = tickRepository();
  const old = await repository.tick([]);
  const held = await repository.tick([STRAY], OUTSIDE);
  const last = await repository.tick([]);
  const whole = privateFiles(repository, held);
  writeFileSync(join(repository.state(), "runs", old, "builder.log"), Buffer.alloc(300_000));
  expect(privateFiles(repository, old)).toContain("config.json");
  const planned = await repository.ask("history", "prune", "--keep", "0", "--dry-run");
  expect(privateFiles(repository, old)).toContain("config.json");
  expect((await repository.relais("history", "prune", "--keep", "0")).stdout).toMatch(
    /Also freed \d.* in the state directory/,
  );
  expect(planned.document).toHaveProperty("private_bytes");
  expect(privateFiles(repository, old)).toEqual(["lines.jsonl"]);
  expect(privateFiles(repository, held)).toEqual(whole);
  expect(privateFiles(repository, last)).toContain("config.json");
  expect(await repository.ask("history", "prune")).toMatchObject({ document: { private_bytes: 0 } });
  // The journal and its ledger are lost, and every line comes back, those of the pruned tick too.
  const journal = join(repository.state(), "journal.jsonl");
  const text = readFileSync(journal, "utf8");
  writeFileSync(journal, "");
  writeFileSync(join(repository.root, "relais/ledger.jsonl"), "");
  expect((await repository.relais("recover")).status).toBe(0);
  expect(readFileSync(journal, "utf8")).toBe(text);
});

test("the cap blocks, its remedy removes the oldest folders, and then a tick starts again", async () => {
  const repository = tickRepository({ config: { history: { max_mb: 1 } } });
  const runs = [await repository.tick([]), await repository.tick([]), await repository.tick([])];
  // What relais writes is small; a log that grew stands for a large one.
  for (const runId of runs.slice(0, 2))
    writeFileSync(join(folderOf(repository, runId), "builder.log"), Buffer.alloc(600_000));
  const blocked = await repository.tick([], "BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED");
  expect((await repository.relais("run", "--task", join(repository.box, "task.json"))).stdout).toContain(
    "`relais history prune`",
  );
  const { stdout, status } = await repository.relais("history", "prune");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Deleted 2 folders, 1\.\d MB; 0\.\d MB remain\.\n {2}removed +- /);
  expect(folders(repository)).toEqual(expect.arrayContaining([runs[2], blocked]));
  expect(await repository.tick([])).not.toBe("");
});

test("an open question keeps its folder", async () => {
  const repository = tickRepository();
  const path = join(repository.box, "question.json");
  const question = { prompt: "Red or blue?", choices: ["red", "blue"] };
  const task = { task_id: "Q", milestone_id: "M-1", task_kind: "question", intent: "Ask", question };
  writeFileSync(path, JSON.stringify(task));
  expect((await repository.relais("run", "--task", path)).status).toBe(14);
  const [asked = ""] = folders(repository);
  repository.put({ mine: "mine\n" });
  await repository.tick([], "BLOCKED_DIRTY_WORKTREE");
  expect((await repository.ask("history", "prune", "--keep", "1")).document).toMatchObject({
    removed: [],
    held: [{ run_id: asked, reason: "its question is open" }],
  });
});

test("what is not a tick's folder, or of unknown standing, is left alone, and no link is followed", async () => {
  const repository = tickRepository();
  const old = await repository.tick([]);
  await repository.tick([]);
  const outside = join(repository.box, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "precious"), "mine\n");
  symlinkSync(outside, join(folderOf(repository, old), "link"));
  mkdirSync(folderOf(repository, "unknown-run"));
  mkdirSync(folderOf(repository, "milestones"));
  expect((await repository.ask("history", "prune", "--keep", "1")).document).toMatchObject({
    removed: [{ run_id: old }],
    held: [{ run_id: "unknown-run", reason: "unknown end" }],
  });
  expect(existsSync(join(outside, "precious"))).toBe(true);
  expect(folders(repository)).toEqual(expect.arrayContaining(["milestones", "unknown-run"]));
});

test("only what is older than so many days goes, and mistakes are told", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([]);
  await repository.tick([]);
  expect((await repository.relais("history", "prune", "--older-than", "1")).stdout).toMatch(/^Nothing to delete/);
  expect((await repository.ask("history", "prune", "--older-than", "0")).document).toMatchObject({
    removed: [{ run_id: runId }],
  });
  for (const args of [
    ["prune", "--keep", "x"],
    ["prune", "--keep", "1", "--to-mb", "1"],
    ["prune", runId],
    ["list", "--keep", "1"],
  ])
    expect(await repository.ask("history", ...args)).toMatchObject({
      status: 2,
      document: { error: "usage" },
    });
});
