/** What is true of the files engine only: its log, its files, and what happens when they are damaged. */
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../src/queue/pure/engine.ts";
import { openFilesEngine } from "../../src/queue/files-parts.ts";
import { openQueueLog } from "../../src/queue/queue-log.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { type ChildStarter, prepareChildren } from "./children.ts";
import { waitUntil } from "./engine-world.ts";
import { jobResult, jobSpec, jobTerms } from "./jobs.ts";

const engines: Engine[] = [];
let children: ChildStarter;
beforeAll(async () => {
  children = await prepareChildren("files");
});
afterAll(async () => {
  await children.endAll();
  for (const engine of engines) await engine.close();
});

async function open(folder = join(scratchFolder(), "queue")): Promise<{ folder: string; engine: Engine; log: string }> {
  const engine = await openFilesEngine({ folder, logBytesMax: 10_000 });
  engines.push(engine);
  return { folder, engine, log: join(folder, "log-1") };
}

async function claimOnce(engine: Engine) {
  const wait = { until: "once", signal: new AbortController().signal } as const;
  return engine.claim({ id: "test", host: "here", pid: process.pid }, { labels: [], leaseMs: 60_000 }, wait);
}

async function names(engine: Engine): Promise<readonly string[]> {
  return (await engine.jobs()).map(({ id }) => id);
}

/** The log without the texts that have a word in them. */
function dropText(log: string, word: string): string {
  return log
    .split("\u001E")
    .filter((text) => !text.includes(`"${word}"`))
    .join("\u001E");
}

/** Runs jobs until the log goes on in another file. */
async function runUntilSealed(engine: Engine, folder: string, generation: number): Promise<void> {
  while (!existsSync(join(folder, `snapshot-${generation}`))) {
    await engine.submit(jobSpec(), jobTerms());
    await (await claimOnce(engine))?.finish(jobResult());
  }
}

describe("the log", () => {
  test("ignores a text that was cut short, whatever follows it", async () => {
    const { engine, log, folder } = await open();
    await engine.submit(jobSpec(), jobTerms(), "one");
    const whole = readFileSync(log);
    for (const bytes of [1, 2, 40, whole.length - 1]) {
      appendFileSync(log, whole.subarray(0, bytes));
      await engine.submit(jobSpec(), jobTerms(), `after-${bytes}`);
    }
    appendFileSync(log, Buffer.from("\0\0\0\0 nonsense \n{}\n"));
    await engine.submit(jobSpec(), jobTerms(), "last");
    const { engine: reader } = await open(folder);
    expect((await reader.jobs()).map(({ id }) => id)).toEqual((await engine.jobs()).map(({ id }) => id));
    expect(await reader.jobs()).toHaveLength(6);
  });

  test("the first of two records with one number counts, for every reader", async () => {
    const { engine, log, folder } = await open();
    await engine.submit(jobSpec(), jobTerms(), "job");
    const before = readFileSync(log);
    await engine.ask("job", "pause");
    const record = readFileSync(log).subarray(before.length).toString("utf8");
    appendFileSync(log, record.replace("pause", "cancel"));
    await engine.submit(jobSpec(), jobTerms(), "next");
    for (const view of [engine, (await open(folder)).engine])
      expect(await view.find("job")).toMatchObject({ phase: "waiting", isPaused: true });
  });

  test.each([
    ["removed", (log: string) => rmSync(log)],
    ["cut", (log: string) => truncateSync(log, 10)],
    ["replaced", (log: string) => writeFileSync(`${log}.new`, readFileSync(log)) ?? renameSync(`${log}.new`, log)],
    ["moved with its folder", (log: string) => renameSync(join(log, ".."), join(log, "../../moved"))],
  ])("says so when it is %s while it is in use", async (_, damage) => {
    const { engine, log } = await open();
    const job = await engine.submit(jobSpec(), jobTerms());
    const claim = await claimOnce(engine);
    damage(log);
    await expect(engine.find(job)).rejects.toMatchObject({ kind: "damaged" });
    await expect(engine.submit(jobSpec(), jobTerms())).rejects.toMatchObject({
      kind: expect.stringMatching(/damaged|unwritable/),
    });
    await waitUntil(
      () => claim?.lost.aborted,
      (isLost) => isLost === true,
    );
  });

  test("says so when a record was altered or is missing", async () => {
    const { engine, log, folder } = await open();
    for (const id of ["one", "two", "three"]) await engine.submit(jobSpec({ title: id }), jobTerms(), id);
    const text = readFileSync(log, "utf8");
    for (const damaged of [text.replace('"title":"two"', '"title":"TWO"'), dropText(text, "two")]) {
      writeFileSync(log, damaged);
      await expect(open(folder).then(({ engine: reader }) => reader.jobs())).rejects.toMatchObject({ kind: "damaged" });
    }
    writeFileSync(log, text.replaceAll('"v":1', '"v":2'));
    await expect(open(folder).then(({ engine: reader }) => reader.jobs())).rejects.toMatchObject({ kind: "newer" });
  });

  test("goes on in a new file with a snapshot; ended jobs and old files stay few", async () => {
    const { engine, folder } = await open();
    const { engine: late } = await open(folder);
    await engine.submit(jobSpec({ key: "kept" }), jobTerms({ not_before: "2100-01-01T00:00:00Z" }), "kept");
    expect(await late.jobs()).toHaveLength(1);
    await runUntilSealed(engine, folder, 2);
    const { engine: middle } = await open(folder);
    expect((await middle.find("kept"))?.phase).toBe("waiting");
    await runUntilSealed(engine, folder, 4);
    expect(
      readdirSync(folder)
        .filter((name) => /^(?:log|snapshot)-/.test(name))
        .toSorted(),
    ).toEqual(["log-3", "log-4", "snapshot-3", "snapshot-4"]);
    // Both stood in files that are gone; what they write goes to the newest one.
    expect(await late.submit(jobSpec(), jobTerms(), "late")).toBe("late");
    expect(await middle.submit(jobSpec(), jobTerms(), "middle")).toBe("middle");
    const { engine: reader } = await open(folder);
    expect(await names(reader)).toEqual(await names(engine));
    expect(await names(reader)).toEqual(expect.arrayContaining(["kept", "late", "middle"]));
    writeFileSync(join(folder, "snapshot-4"), "damaged");
    expect(await names((await open(folder)).engine)).toEqual(await names(engine));
    rmSync(join(folder, "log-4"));
    await expect(open(folder).then(({ engine: lost }) => lost.jobs())).rejects.toMatchObject({ kind: "damaged" });
  });

  test("is for its owner only", async () => {
    const { engine, folder, log } = await open();
    await engine.submit(jobSpec(), jobTerms());
    expect([folder, join(folder, "jobs")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  test("many processes append at once, and nothing is lost", async () => {
    const { engine, folder } = await open();
    const workers = ["a", "b", "c", "d"].map((name) => children.start(folder, name));
    const count = 25;
    await Promise.all(
      workers.map(async (worker, number) => {
        for (let index = 0; index < count; index += 1)
          await worker.ask({ do: "submit", spec: jobSpec(), terms: jobTerms(), id: `job-${number}-${index}` });
      }),
    );
    expect(await engine.jobs()).toHaveLength(workers.length * count);
  });

  test("what a killed process was told is there", async () => {
    const { engine, folder } = await open();
    const told: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const worker = children.start(folder, `submitter-${round}`);
      setTimeout(() => worker.kill("SIGKILL"), 300 + 37 * round);
      for (let number = 0; ; number += 1) {
        const id = `job-${round}-${number}`;
        const answer = await worker.ask({ do: "submit", spec: jobSpec(), terms: jobTerms(), id }).catch(() => null);
        if (answer === null) break;
        told.push(id);
      }
    }
    const there = await names(engine);
    expect(told.filter((id) => !there.includes(id))).toEqual([]);
    expect(there.length).toBeLessThanOrEqual(told.length + 5);
  });
});

describe("a decision", () => {
  test("that is older than the newest record has no effect and is made again", () => {
    const folder = join(scratchFolder(), "queue");
    const options = { folder, now: () => new Date().toISOString(), onRecords: () => null, logBytesMax: 10_000 };
    const [slow, fast] = [openQueueLog(options), openQueueLog(options)];
    const seen: boolean[] = [];
    slow.record(({ isHeld }) => {
      seen.push(isHeld);
      if (seen.length === 1) fast.record(() => ({ kind: "held", is_held: true }));
      return isHeld ? null : { kind: "held", is_held: false };
    });
    expect(seen).toEqual([false, true]);
    expect([slow.refresh().isHeld, fast.refresh().isHeld]).toEqual([true, true]);
    slow.close();
    fast.close();
  });
});

describe("files", () => {
  test("a folder that cannot be made is named", async () => {
    const file = join(scratchFolder(), "file");
    writeFileSync(file, "");
    await expect(open(join(file, "queue"))).rejects.toMatchObject({ kind: "unwritable" });
  });

  test("a job whose specification is gone ends and says so", async () => {
    const { engine, folder } = await open();
    const job = await engine.submit(jobSpec(), jobTerms());
    const [store = ""] = readdirSync(join(folder, "jobs"));
    rmSync(join(folder, "jobs", store, "spec.json"));
    expect(await claimOnce(engine)).toBeNull();
    expect(await engine.find(job)).toMatchObject({ phase: "failed" });
    expect((await engine.find(job))?.result?.summary).toContain("is missing or altered");
  });
});
