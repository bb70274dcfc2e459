/** What follows the end of a job: the person's own command, a held change, and those who watch. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import type { WorkerEvent } from "../../src/queue/pure/job.ts";
import { executable } from "../support/relais.ts";
import { openQueueWorld } from "../support/queue-world.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };

test("the handoff runs once, after the end is recorded, in a repository with the commits", async () => {
  const script =
    'cat >> "$HOME/handed"; grep -c \'"kind":"finished"\' "$HOME/state/relais/queue/log-1" >> "$HOME/recorded"; git log -1 --format=%H >> "$HOME/head"; exit 3';
  const { repository, submit, drain, engine } = await openQueueWorld({ handoff: { command: ["sh", "-c", script] } });
  const job = await submit([WRITE]);
  const events = await drain();
  const view = await engine.find(job);
  const read = (name: string): string => readFileSync(join(repository.box, name), "utf8").trim();
  expect(JSON.parse(read("handed"))).toMatchObject({ kind: "job_ended", id: job, outcome: "done" });
  expect([read("recorded"), read("head")]).toEqual(["1", view?.result?.commit]);
  // Its failure is a warning: the job stays done.
  expect(view).toMatchObject({ phase: "done" });
  expect(events.at(-1)).toMatchObject({ kind: "warned", message: expect.stringContaining("handoff.command") });
  await engine.close();
});

test("a change that would wait for a person ends the job with the question, and is in salvage", async () => {
  const { submit, drain, engine } = await openQueueWorld({ settle: "ask" });
  const job = await submit([WRITE]);
  await drain();
  const view = await engine.find(job);
  expect(view).toMatchObject({ phase: "failed", result: { code: "STOP_UNDECIDED", branch: null } });
  expect(view?.result?.summary).toMatch(/^Question: keep this change\?/);
  expect(view?.attachments.map(({ name }) => name)).toContain("salvage.bundle");
  await engine.close();
});

test("queue --follow prints each state of a job, and ends at a signal", async () => {
  const { submit, drain, engine, repository, environment } = await openQueueWorld();
  await submit([WRITE], { title: "before" }, { not_before: "2100-01-01T00:00:00.000Z" });
  const args = [executable, "queue", "--follow", "--json"];
  const watcher = spawn(process.execPath, args, { cwd: repository.root, env: { ...environment } });
  const gone = once(watcher, "exit");
  const lines = createInterface({ input: watcher.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, unknown>> => JSON.parse((await lines.next()).value ?? "null");
  expect(await next()).toMatchObject({ held: false, jobs: [{ title: "before", phase: "waiting" }] });
  const job = await submit([WRITE]);
  const phases: unknown[] = [(await next())["phase"]];
  await drain();
  while (phases.at(-1) !== "done") {
    const { job: id, phase } = await next();
    expect(id).toBe(job);
    phases.push(phase);
  }
  expect(phases.filter((phase, at) => phase !== phases[at - 1])).toEqual(["waiting", "running", "done"]);
  watcher.kill("SIGINT");
  await gone;
  await engine.close();
});

test("a result that cannot be collected stays where it is, and the job waits to be collected again", async () => {
  const { queue, submit, drain, engine } = await openQueueWorld();
  const job = await submit([{ do: "write", path: "src/x.ts", text: "new\n" }]);
  const events: WorkerEvent[] = [];
  const emit = (event: WorkerEvent): void => {
    events.push(event);
    if (event.kind === "line" && event.line.event.type === "build_started")
      mkdirSync(join(queue.work, job, "branch.bundle/in-the-way"), { recursive: true });
  };
  await drain({ emit, until: "once" });
  expect(events.at(-1)).toMatchObject({
    kind: "released",
    why: expect.stringMatching(/^Its result could not be collected: git bundle/),
  });
  expect(await engine.find(job)).toMatchObject({ phase: "waiting", spent: { ticks: 1, sessions: 1 }, losses: [] });
  expect(readFileSync(join(queue.work, job, "repo/src/x.ts"), "utf8")).toBe("new\n");
  await engine.close();
});
