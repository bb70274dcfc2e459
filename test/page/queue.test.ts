/** The queue of `relais ui`: what it sends, and the decisions about jobs. */
import { setTimeout as delay } from "node:timers/promises";
import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import type { QueuePage } from "../../src/page/pure/repository-documents.ts";
import { openQueueWorld, type QueueWorld } from "../support/queue-world.ts";
import { executable } from "../support/relais.ts";
import { readStream, type UiServer, withUi } from "../support/ui-server.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };

/** `relais ui` of the user who has this queue. */
function serve({ environment, repository }: QueueWorld, args: readonly string[], use: (ui: UiServer) => Promise<void>) {
  const start = (words: readonly string[]) => {
    const child = spawn(process.execPath, [executable, ...words], { cwd: repository.root, env: environment });
    const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
      child.once("close", (status) => resolve({ status, stdout: "", stderr: "" }));
    });
    return { process: child, ended };
  };
  return withUi({ start }, args, use);
}

async function readQueue(ui: UiServer): Promise<QueuePage> {
  for (;;) {
    const page = (await readStream(ui)).flatMap((line) => (line.kind === "queue" ? [line.page] : [])).at(-1);
    if (page !== undefined) return page;
    await delay(50);
  }
}

async function decide(ui: UiServer, wish: object) {
  const headers = { "Content-Type": "application/json" };
  const answer = await ui.askAsOwner({ path: "/api/job", method: "POST", headers, body: JSON.stringify(wish) });
  return { status: answer.status, ...JSON.parse(answer.body) };
}

test("jobs are shown with what they wait for, spent and left, and decided as by `relais queue`", async () => {
  const world = await openQueueWorld();
  const done = await world.submit([WRITE]);
  await world.drain();
  const first = await world.submit([WRITE], { title: "Ask <b>\u202e\u001b[31m" });
  const second = await world.submit([WRITE], {}, { after: [first] });
  await serve(world, [], async (ui) => {
    const { jobs } = await readQueue(ui);
    expect(jobs.map(({ id, word }) => [id, word])).toEqual(
      expect.arrayContaining([
        [done, "done"],
        [first, "waiting"],
        [second, "waiting"],
      ]),
    );
    const find = (id: string) => jobs.find((job) => job.id === id);
    expect(find(done)).toMatchObject({ actions: ["retry"], branch: `relais/${done}`, worker: null });
    expect(find(done)?.spent).toMatch(/^1 tick, 1 session/);
    expect(find(done)?.attachments.map(({ name }) => name)).toContain("branch.bundle");
    expect(find(second)?.waitsFor).toContain(first);
    expect(["\u202E", "\u001B"].filter((sign) => find(first)?.title.includes(sign))).toEqual([]);

    expect(await decide(ui, { action: "pause", job: first })).toMatchObject({ status: 200, isDone: true });
    expect(await world.engine.find(first)).toMatchObject({ isPaused: true });
    expect(await decide(ui, { action: "resume", job: first })).toMatchObject({ isDone: true });
    expect(await decide(ui, { action: "retry", job: first })).toMatchObject({ isDone: false });
    expect(await decide(ui, { action: "cancel", job: second })).toMatchObject({ isDone: true });
    expect(await world.engine.find(second)).toMatchObject({ phase: "cancelled" });
    expect(await decide(ui, { action: "cancel", job: done })).toMatchObject({ isDone: false });
    expect(await decide(ui, { action: "retry", job: done })).toMatchObject({ isDone: true });
    expect(await world.engine.find(done)).toMatchObject({ phase: "waiting" });
    expect(await decide(ui, { action: "pause", job: null })).toMatchObject({ isDone: true });
    expect([await world.engine.isHeld(), (await readQueue(ui)).isHeld]).toEqual([true, true]);
    for (const wish of [{ action: "cancel", job: null }, { action: "move", job: first }, { action: "cancel" }, null])
      expect(await decide(ui, wish ?? [])).toMatchObject({ status: 400, isDone: false });
  });
  await world.engine.close();
});

test("with --read-only no job can be decided", async () => {
  const world = await openQueueWorld();
  const job = await world.submit([WRITE]);
  await serve(world, ["--read-only"], async (ui) => {
    expect(await decide(ui, { action: "cancel", job })).toMatchObject({ status: 403, isDone: false });
    expect(await world.engine.find(job)).toMatchObject({ phase: "waiting" });
  });
  await world.engine.close();
});

test("a running job names its worker and when that was last seen", async () => {
  const world = await openQueueWorld();
  const job = await world.submit([{ do: "sleep", ms: 4000 }, WRITE]);
  const drained = world.drain();
  await serve(world, [], async (ui) => {
    const look = async () => (await readQueue(ui)).jobs.find(({ id }) => id === job);
    let found = await look();
    for (; typeof found?.beatAt !== "string"; found = await look()) await delay(100);
    expect(found).toMatchObject({ word: "running", actions: ["pause", "cancel"], attempt: 1 });
    expect(found.worker).toContain(`pid ${process.pid}`);
  });
  await drained;
  await world.engine.close();
});
