/** A disk that is full while a job works: its worker waits, and nothing of the result is lost. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mountSmallDisk, type SmallDisk } from "../../lab/chaos/small-disk.ts";
import type { WorkerEvent } from "../../src/queue/pure/job.ts";
import { openQueueWorld } from "../support/queue-world.ts";

const canMount = process.getuid?.() === 0 && process.platform === "linux";

function mount(folder: string): SmallDisk {
  mkdirSync(folder, { recursive: true });
  const disk = mountSmallDisk(folder);
  if (disk === null) throw new Error(`cannot mount ${folder}`);
  onTestFinished(disk.unmount);
  return disk;
}

function isWarning(event: WorkerEvent, words: RegExp): boolean {
  return event.kind === "warned" && words.test(event.message);
}

test.skipIf(!canMount)("a worker waits with its result until there is room again", async () => {
  const { queue, submit, drain, engine } = await openQueueWorld();
  const disk = mount(dirname(queue.work));
  mount(queue.work);
  const job = await submit([
    { do: "write", path: "src/x.ts", text: "new\n" },
    { do: "sleep", ms: 500 },
  ]);
  let wasFilled = false;
  const events: WorkerEvent[] = [];
  const emit = (event: WorkerEvent): void => {
    events.push(event);
    if (event.kind === "line" && event.line.event.type === "build_started" && !wasFilled) {
      wasFilled = true;
      disk.fill();
    }
    if (isWarning(event, /waits and tries again/)) disk.clear();
  };
  await drain({ emit });
  expect(events.filter(({ kind }) => kind === "warned")).toMatchObject([
    { message: expect.stringMatching(/^cannot write the queue .*no space left on device.* The worker waits/i) },
    { message: "It works again; the worker goes on." },
  ]);
  expect(await engine.find(job)).toMatchObject({
    phase: "done",
    attempt: 1,
    losses: [],
    result: { branch: `relais/${job}` },
    spent: { ticks: 1, sessions: 1 },
  });
  await engine.close();
});

test.skipIf(!canMount)("a clone waits for room, and a signal ends the wait", async () => {
  const { queue, submit, drain, engine } = await openQueueWorld();
  const disk = mount(queue.work);
  const job = await submit([{ do: "write", path: "src/x.ts", text: "new\n" }]);
  disk.fill();
  const stop = new AbortController();
  const events = await drain({ signal: stop.signal, emit: (event) => isWarning(event, /waits/) && stop.abort() });
  expect(events).toEqual([]);
  expect(await engine.find(job)).toMatchObject({ phase: "waiting", losses: [] });
  disk.clear();
  await drain();
  expect(await engine.find(job)).toMatchObject({ phase: "done" });
  await engine.close();
});
