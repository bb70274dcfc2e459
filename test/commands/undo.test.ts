import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { journalTypes, tickRepository, rewindJournal } from "../support/tick-repository.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };
const CREATE = { do: "write", path: "src/z.ts", text: "z\n" };

test("a change that lies in the working tree is taken back once, and what a person did stays", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([WRITE, CREATE]);
  repository.put({ "src/y.ts": "mine\n", mine: "mine\n" });
  const { status, stdout, stderr } = await repository.relais("undo");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^✓ Undone\\n\\n {2}change {5}2 files of ${runId}\\n`));
  expect(repository.git("status", "--porcelain")).toBe("M src/y.ts\n?? mine");
  expect(journalTypes(repository).slice(-2)).toEqual(["tick_ended", "undone"]);
  const nothing = { status: 10, document: { cause: "nothing_accepted", run_id: null } };
  expect(await repository.ask("undo")).toMatchObject(nothing);
  expect(await repository.ask("accept")).toMatchObject(nothing);
  expect((await repository.ask("status")).document).toMatchObject({
    accepted: null,
    last_tick: { run_id: runId, undone: true },
  });
  expect((await repository.relais("history", "show")).stdout).toMatch(/^ {2}since {6}undone by `relais undo`$/m);
});

test("commits are taken back one after the other, each while it is HEAD", async () => {
  const repository = tickRepository();
  const start = repository.git("rev-parse", "HEAD");
  const first = await repository.tick([WRITE]);
  await repository.relais("accept");
  const second = await repository.tick([CREATE]);
  await repository.relais("accept");
  await repository.tick([]);
  expect(await repository.ask("undo")).toMatchObject({
    status: 0,
    document: { run_id: second, branch: "topic", paths: ["src/z.ts"], problems: [] },
  });
  expect((await repository.ask("undo")).document).toMatchObject({ run_id: first, paths: ["src/x.ts"] });
  expect(repository.git("rev-parse", "HEAD")).toBe(start);
  expect(repository.git("status", "--porcelain")).toBe("");
  expect((await repository.relais("history", "replay")).status).toBe(0);
});

test("an edit, another commit and a dirty tree are reasons to refuse, and nothing changes", async () => {
  const repository = tickRepository();
  await repository.tick([WRITE]);
  repository.put({ "src/x.ts": "new and mine\n" });
  expect(await repository.relais("undo")).toMatchObject({
    status: 10,
    stdout: "",
    stderr: expect.stringMatching(/an undo would lose the edits\.\n {2}- src\/x\.ts\nNext: Commit or revert/),
  });
  repository.put({ "src/x.ts": "new\n" });
  await repository.relais("accept");
  repository.put({ mine: "mine\n" });
  expect(await repository.ask("undo")).toMatchObject({
    status: 10,
    document: { cause: "dirty", problems: ["mine"] },
  });
  repository.commit({});
  expect(await repository.ask("undo")).toMatchObject({ status: 10, document: { cause: "head_moved" } });
  expect(readFileSync(join(repository.root, "src/x.ts"), "utf8")).toBe("new\n");
});

test("an undo that was cut short before its line in the journal is brought to its end", async () => {
  const repository = tickRepository();
  await repository.tick([WRITE, CREATE]);
  await repository.relais("accept");
  const journal = join(repository.state(), "journal.jsonl");
  const before = readFileSync(journal);
  await repository.relais("undo");
  rewindJournal(repository, before);
  expect(await repository.ask("undo")).toMatchObject({ status: 0 });
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(journalTypes(repository).slice(-1)).toEqual(["undone"]);
});

test("an undo that was cut short between two files is brought to its end", async () => {
  const repository = tickRepository();
  await repository.tick([WRITE, CREATE]);
  rmSync(join(repository.root, "src/z.ts"));
  expect(await repository.ask("undo")).toMatchObject({ status: 0 });
  expect(repository.git("status", "--porcelain")).toBe("");
});

test("after the commit on the branch of a series is taken back, it is said how to go back", async () => {
  const repository = tickRepository({ branch: "main", config: { git: { commit: "always" } } });
  const branch = `relais/make-x-new-${(await repository.tick([WRITE])).slice(-4)}`;
  const { status, stdout } = await repository.relais("undo");
  expect(status).toBe(0);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(`you are on ${branch}, created by relais; the tick started on main`);
  const commands = [...stdout.matchAll(/^ {2}(?<line>git (?:switch|branch).*?)(?: {2}|$)/gm)].map(
    (match) => match.groups?.["line"] ?? "",
  );
  expect(commands).toEqual(["git switch main", `git branch -d ${branch}`]);
  for (const line of commands) repository.git(...line.split(" ").slice(1));
  expect(repository.git("branch", "--format=%(refname:short)")).toBe("main");
  repository.git("switch", "--quiet", "-c", "topic");
  await repository.tick([WRITE]);
  await repository.relais("accept");
  expect((await repository.ask("undo")).document).toMatchObject({ branch: "topic", began_on: null });
});

test("a commit on the branch of its series is not taken back from another branch", async () => {
  const repository = tickRepository({ branch: "main", config: { git: { commit: "always" } } });
  await repository.tick([WRITE]);
  repository.git("switch", "--quiet", "main");
  expect(await repository.ask("undo")).toMatchObject({ status: 10, document: { cause: "head_moved" } });
});

test("ignored files are taken back too, with what a check has left, and what was edited since is named", async () => {
  const sh = "echo cached > dist/cache; echo again >> dist/out";
  const templates = [{ id: "cache", cmd: "sh", args: ["-c", sh] }];
  const repository = tickRepository({
    config: { ignored: "report", verification: { templates, oracle: "note" } },
    files: { ".gitignore": "/dist/\n/local/\n*.log\n" },
  });
  repository.put({ "local/db": "years of work\n", "one.log": "1\n", "dist/out": "built\n" });
  const steps = [
    WRITE,
    { do: "delete", path: "local/db" },
    { do: "delete", path: "local" },
    { do: "write", path: "one.log", text: "2\n" },
    { do: "write", path: "dist/out", text: "rebuilt\n" },
  ];
  const task = { ...repository.task(steps), verification: { fast: ["cache"], slow: [] } };
  writeFileSync(join(repository.box, "task.json"), JSON.stringify(task));
  const { document } = await repository.ask("run", "--task", join(repository.box, "task.json"));
  expect(document).toMatchObject({
    code: "SUCCESS",
    notes: expect.arrayContaining(["Ignored files were deleted: `local/db`."]),
  });
  repository.put({ "one.log": "mine\n" });
  const undone = await repository.ask("undo");
  expect(undone).toMatchObject({
    status: 0,
    document: { besides: ["dist/cache", "dist/out", "local/db"], not_back: ["one.log"] },
  });
  const read = (path: string) => readFileSync(join(repository.root, path), "utf8");
  expect([read("local/db"), read("one.log"), read("dist/out")]).toEqual(["years of work\n", "mine\n", "built\n"]);
});
