import { join } from "node:path";
import { expect, test } from "vitest";
import type { Engine, JobLine } from "../../src/queue/pure/engine.ts";
import type { JobSpec } from "../../src/queue/pure/job.ts";
import { openFilesEngine } from "../../src/queue/files-parts.ts";
import { joinEngines } from "../../src/fleet/join-engines.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { jobResult, jobSpec, jobTerms } from "../queue/jobs.ts";

const nameOf = ({ repository }: JobSpec): string | null => (repository.kind === "url" ? repository.url : null);
const ofRepository = (url: string): JobSpec => jobSpec({ repository: { kind: "url", url }, key: `${url}#main` });

async function open(): Promise<{ readonly joined: Engine; readonly a: Engine; readonly b: Engine }> {
  const [a, b] = [
    await openFilesEngine({ folder: join(scratchFolder(), "a") }),
    await openFilesEngine({ folder: join(scratchFolder(), "b") }),
  ];
  const joined = joinEngines(
    [
      { name: "a", engine: a },
      { name: "b", engine: b },
    ],
    nameOf,
  );
  return { joined, a, b };
}

const claim = (engine: Engine, until: "once" | "signal" | "drain", signal = new AbortController().signal) =>
  engine.claim({ id: "test", host: "here", pid: process.pid }, { labels: [], leaseMs: 60_000 }, { until, signal });

test("each job goes to the queue of its repository, and any of them is claimed", async () => {
  const { joined, a, b } = await open();
  await joined.submit(ofRepository("a"), jobTerms(), "one");
  await joined.submit(ofRepository("b"), jobTerms(), "two");
  await expect(joined.submit(ofRepository("c"), jobTerms())).rejects.toMatchObject({ kind: "refused" });
  await expect(joined.submit(jobSpec(), jobTerms())).rejects.toThrow("add --repo URL, for one of a, b");
  await expect(joined.submit(ofRepository("b"), jobTerms({ after: ["one"] }))).rejects.toMatchObject({
    kind: "refused",
  });
  expect([await a.find("one"), await b.find("two"), await b.find("one")].map((view) => view?.id)).toEqual([
    "one",
    "two",
    undefined,
  ]);
  const claims = [await claim(joined, "once"), await claim(joined, "signal")];
  expect(claims.map((held) => held?.job ?? "").toSorted()).toEqual(["one", "two"]);
  expect(await claim(joined, "once")).toBeNull();
  for (const held of claims) await held?.finish(jobResult());
  expect(await claim(joined, "drain")).toBeNull();
  expect((await joined.jobs()).map(({ phase }) => phase)).toEqual(["done", "done"]);
  expect([await joined.retry("two"), await joined.move("two", 3), await joined.ask("two", "cancel")]).toEqual([
    "waiting",
    "moved",
    "done",
  ]);
  expect(await joined.ask("three", "cancel")).toBe("unknown");
  await joined.close();
});

test("the greatest priority of all repositories goes first, then the oldest job", async () => {
  const { joined } = await open();
  const jobs = [
    ["a", 0, "old"],
    ["b", 0, "young"],
    ["a", 2, "second"],
    ["b", 5, "first"],
    ["b", -1, "last"],
  ] as const;
  for (const [url, priority, id] of jobs) {
    const spec = { ...ofRepository(url), key: `${url}#${id}` };
    await joined.submit(spec, jobTerms({ priority }), id);
    await new Promise((resolve) => setTimeout(resolve, 5)); // Two moments of the clock.
  }
  const order: (string | undefined)[] = [];
  for (const _ of jobs) order.push((await claim(joined, "once"))?.job);
  expect(order).toEqual(["first", "second", "old", "young", "last"]);
  await joined.close();
});

test("a waiting claim wakes for any repository, and ends with its signal", async () => {
  const { joined } = await open();
  const waiting = claim(joined, "signal");
  await joined.submit(ofRepository("b"), jobTerms(), "late");
  expect((await waiting)?.job).toBe("late");
  const stop = new AbortController();
  const again = claim(joined, "signal", stop.signal);
  stop.abort();
  expect(await again).toBeNull();
  await joined.close();
});

test("lines of all repositories come, each once, from a cursor on", async () => {
  const { joined } = await open();
  await joined.submit(ofRepository("a"), jobTerms(), "one");
  await joined.submit(ofRepository("b"), jobTerms(), "two");
  for (let count = 0; count < 2; count += 1) {
    const held = await claim(joined, "once");
    await held?.append([`${held.job} 1`, `${held.job} 2`]);
  }
  const follow = async (from: string, count: number): Promise<JobLine[]> => {
    const stop = new AbortController();
    const lines: JobLine[] = [];
    for await (const line of joined.follow(null, from, stop.signal)) {
      lines.push(line);
      if (lines.length === count) stop.abort();
    }
    return lines;
  };
  const all = await follow("", 4);
  expect(all.map(({ text }) => text).toSorted()).toEqual(["one 1", "one 2", "two 1", "two 2"]);
  const rest = await follow(all[1]?.cursor ?? "", 2);
  expect(rest.map(({ text }) => text).toSorted()).toEqual(
    all
      .slice(2)
      .map(({ text }) => text)
      .toSorted(),
  );
  await joined.close();
});
