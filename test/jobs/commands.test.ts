/** submit, worker, queue and fetch as a person types them. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tickRepository, type TickRepository } from "../support/tick-repository.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };

function withTask(steps: readonly object[]): TickRepository & { readonly file: string } {
  const repository = tickRepository();
  const file = join(repository.box, "task.json");
  writeFileSync(file, JSON.stringify(repository.task(steps)));
  return { ...repository, file };
}

test("a job goes from submit over a worker to a fetched branch; the working tree stays as it is", async () => {
  const { relais, ask, git, put, file } = withTask([WRITE]);
  put({ "src/y.ts": "not committed\n" });
  const submitted = await relais("submit", "task", file, "--priority", "3");
  expect(submitted.stdout).toMatch(/^✓ Submitted job-[0-9a-f]{8}\n/);
  expect(submitted.stdout).toMatch(/^ {2}caps +at most 1 tick, 1 session, 15 min 00 s, no cap on dollars$/m);
  expect(submitted.stdout).toMatch(/^ {2}note +Uncommitted changes \(1 path\) are not part of the job\.$/m);
  expect(submitted.stdout).toContain("relais worker --drain");
  expect((await relais("queue")).stdout).toMatch(/^○ waiting {3}job-[0-9a-f]{8} {2}task: Make x new\n$/);
  expect(await relais("worker", "--drain", "--unsandboxed")).toMatchObject({ status: 0, stdout: "Jobs: 1 done.\n" });
  expect((await relais("queue", "show", "job-")).stdout).toMatch(/^✓ done job-[^]*relais land job-[0-9a-f]{8}/);
  expect((await relais("queue", "show", "job-", "--follow")).stdout).toMatch(
    /^\d\d:\d\d:\d\d attempt 1: [^✓]*^✓ done job-/m,
  );
  const fetched = await ask("fetch", "job-");
  expect(fetched).toMatchObject({ status: 0, document: { outcome: "done", branch: { state: "new" }, salvage: [] } });
  expect((await ask("fetch", "job-")).document).toMatchObject({ branch: { state: "same" } });
  const branch = git("for-each-ref", "--format=%(refname)", "refs/heads/relais");
  expect(git("show", `${branch}:src/x.ts`)).toBe("new");
  expect(git("show", `${branch}:src/y.ts`)).toBe("y");
  expect([git("status", "--porcelain"), git("branch", "--show-current")]).toEqual(["M src/y.ts", "topic"]);
});

test("a sentence and a goal become jobs of the builder that the configuration names in one place", async () => {
  const builder = { default_mode: "command", command: { command: "true" } };
  const { ask } = tickRepository({ config: { builder } });
  const submitted = [await ask("submit", "run", "Make x new"), await ask("submit", "goal", "All is new")];
  expect(submitted).toMatchObject([{ status: 0 }, { status: 0 }]);
  expect((await ask("queue")).document).toMatchObject({ jobs: [{ command: "run" }, { command: "goal" }] });
});

test("a schedule follows its branch; one from a commit stays there", async () => {
  const { relais, ask, file, git } = withTask([WRITE]);
  const submitted = await relais("submit", "task", file, "--every", "@daily");
  expect(submitted.stdout).toMatch(/^ {2}branch +relais\/job-[0-9a-f]{8}-TIME, from topic as it is then,/m);
  await relais("submit", "task", file, "--every", "@daily", "--base", git("rev-parse", "HEAD"));
  await relais("submit", "task", file);
  expect((await ask("queue")).document).toMatchObject({
    jobs: [{ base: { branch: "topic", follows: true } }, { base: { branch: null } }, { base: { branch: "topic" } }],
  });
});

test("a list with jobs of several repositories names them", async () => {
  const { relais, file, box, root } = withTask([WRITE]);
  const other = join(box, "shop");
  cpSync(root, other, { recursive: true });
  await relais("submit", "task", file);
  expect((await relais("queue")).stdout).toMatch(/ task: Make x new\n$/);
  await relais("submit", "task", file, "--repo", other);
  expect((await relais("queue")).stdout).toMatch(/ task in repo: Make x new\n.* task in shop: Make x new\n$/);
});

test("what could never run is refused at once, and nothing is submitted", async () => {
  const { relais, ask, file, box } = withTask([WRITE]);
  const mistakes: readonly (readonly [number, RegExp, ...string[]])[] = [
    [2, /there is no option --nonsense/, "run", "x", "--nonsense"],
    [2, /one argument: put it in quotes/, "goal", "two", "words"],
    [2, /--max-turns is a whole number, 1 or more/, "goal", "Do it", "--max-turns", "none"],
    [2, /--priority is a whole number/, "task", file, "--priority", "12"],
    [2, /--at cannot be understood: "soon"/, "task", file, "--at", "soon"],
    [2, /does not exist/, "task", "nowhere.json"],
    [2, /there is no job "nobody"/, "task", file, "--after", "nobody"],
    [10, /There is no commit "nowhere"/, "task", file, "--base", "nowhere"],
    [10, /cannot be reached/, "task", file, "--repo", `file://${box}/nothing`],
    [10, /five fields/, "task", file, "--every", "often"],
    [11, /There is no folder/, "task", file, "--repo", "nowhere"],
  ];
  for (const [status, says, ...args] of mistakes)
    expect([args, await relais("submit", ...args)]).toEqual([
      args,
      { status, stdout: "", stderr: expect.stringMatching(says) },
    ]);
  expect((await ask("queue")).document).toMatchObject({ jobs: [] });
});

test("a job can be moved, paused, cancelled and tried again", async () => {
  const { relais, ask, file } = withTask([WRITE]);
  await relais("submit", "task", file, "--at", "2h");
  expect((await ask("queue", "move", "job-", "9")).document).toMatchObject({ priority: 9 });
  expect((await ask("queue", "pause", "job-")).document).toMatchObject({ answer: "done" });
  expect((await ask("queue")).document).toMatchObject({
    held: false,
    jobs: [{ paused: true, terms: { priority: 9 } }],
  });
  expect((await ask("queue", "retry", "job-")).document).toMatchObject({ cause: "job_not_over" });
  expect((await ask("fetch", "job-")).document).toMatchObject({ cause: "job_not_over" });
  expect((await ask("queue", "cancel", "job-")).document).toMatchObject({ asked: "cancel", answer: "done" });
  expect((await ask("queue", "cancel", "job-")).document).toMatchObject({ cause: "job_over" });
  expect((await ask("queue", "retry", "job-")).document).toMatchObject({ phase: "waiting" });
  expect((await ask("queue", "pause")).document).toEqual({ held: true });
  expect((await relais("queue")).stdout).toMatch(/^The queue is paused/);
});
