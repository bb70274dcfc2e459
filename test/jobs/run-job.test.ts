/** Jobs from their claim to their end, with the relais that ships and a scripted builder. */
import { existsSync, readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { openQueueWorld } from "../support/queue-world.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };
const OUTSIDE = { do: "write", path: "README", text: "outside\n" };

test("a job leaves a branch, its journal and its result, and nothing in the person's repository", async () => {
  const { repository, submit, drain, engine, queue } = await openQueueWorld();
  const before = repository.git("for-each-ref");
  const job = await submit([WRITE]);
  const events = await drain();
  const view = await engine.find(job);
  expect(view).toMatchObject({
    phase: "done",
    attempt: 1,
    result: { outcome: "done", code: "SUCCESS", exit_status: 0, branch: `relais/${job}` },
    spent: { ticks: 1, sessions: 1 },
  });
  expect(view?.attachments.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["branch.bundle", "journal.jsonl", "output.jsonl", "log.txt", "result.json"]),
  );
  expect(events.map(({ kind }) => kind).filter((kind) => kind !== "line")).toEqual(["claimed", "finished"]);
  expect(repository.git("for-each-ref") + repository.git("status", "--porcelain")).toBe(before);
  expect(existsSync(queue.work) ? readdirSync(queue.work) : []).toEqual([]);
  const journal = await engine.readAttachment(job, 1, "journal.jsonl");
  expect(journal === null ? "" : await text(Readable.from(journal))).toContain('"type":"tick_ended"');
  await engine.close();
});

test("a reverted change ends the job as failed, and its work is in salvage", async () => {
  const { submit, drain, engine } = await openQueueWorld();
  const job = await submit([WRITE, OUTSIDE]);
  await drain();
  const view = await engine.find(job);
  expect(view).toMatchObject({ phase: "failed", result: { outcome: "failed", exit_status: 10, branch: null } });
  expect(view?.result?.summary).toMatch(/^README: /);
  expect(view?.attachments.map(({ name }) => name)).toContain("salvage.bundle");
  await engine.close();
});

test("a cancel reaches the running builder", async () => {
  const { submit, drain, engine } = await openQueueWorld();
  const job = await submit([{ do: "sleep", ms: 60_000 }]);
  const working = drain();
  const started = async (): Promise<boolean> => {
    for await (const { text: line } of engine.follow(job, "", AbortSignal.timeout(20_000)))
      if (line.includes('"build_started"')) return true;
    return false;
  };
  expect(await started()).toBe(true);
  expect(await engine.ask(job, "cancel")).toBe("asked");
  await working;
  expect(await engine.find(job)).toMatchObject({ phase: "cancelled", result: { outcome: "cancelled" } });
  await engine.close();
});

test("a worker that is stopped gives its job back, and the next one does it", async () => {
  const { submit, drain, engine } = await openQueueWorld();
  const job = await submit([{ do: "sleep", ms: 60_000 }]);
  const stop = new AbortController();
  const events = await drain({
    signal: stop.signal,
    emit: (event) => (event.kind === "line" && event.line.event.type === "build_started" ? stop.abort() : undefined),
  });
  expect(events).toEqual([]);
  expect(await engine.find(job)).toMatchObject({ phase: "waiting", attempt: 1, losses: [] });
  await engine.ask(job, "cancel");
  expect(await engine.find(job)).toMatchObject({ phase: "cancelled" });
  await engine.close();
});

test("a job whose agent must wait is given back until then", async () => {
  const { submit, drain, engine } = await openQueueWorld();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await engine.limits.block("codex", until);
  const job = await submit([WRITE], { agent: "codex" });
  const events = await drain();
  expect(events.at(-1)).toMatchObject({ kind: "released", why: expect.stringContaining("codex") });
  expect(await engine.find(job)).toMatchObject({ phase: "waiting", losses: [] });
  await engine.close();
});
