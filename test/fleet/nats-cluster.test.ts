/** Three replicated servers: the suite, and what happens while one of them is gone. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Claim, Engine } from "../../src/queue/pure/engine.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { describeEngine } from "../queue/describe-engine.ts";
import { jobResult, jobSpec, jobTerms } from "../queue/jobs.ts";
import { type NatsCluster, openNatsCluster } from "./nats-cluster.ts";
import { listNatsServers, makeNatsPlace, nameNats, readNatsVersion } from "./nats-server.ts";
import { ENGINES } from "../queue/open-engine.ts";

const JOBS = 24;
const KEYS = 4;
const installed = listNatsServers().map((program) => ({ program, version: readNatsVersion(program) }));

/** Tries again while there is no leader. */
async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

interface Seen {
  readonly busy: Map<string, string>;
  readonly overlaps: string[];
  readonly ends: string[];
}

/** Works on jobs until nothing is left, and notes when two workers have one key. */
async function work(engine: Engine, worker: string, { busy, overlaps, ends }: Seen): Promise<void> {
  const want = { labels: [], leaseMs: 60_000 };
  const next = (): Promise<Claim | null> =>
    engine.claim({ id: worker, host: "here", pid: process.pid }, want, {
      until: "drain",
      signal: new AbortController().signal,
    });
  for (let held = await insist(next); held !== null; held = await insist(next)) {
    const claim = held;
    if (busy.has(claim.key)) overlaps.push(`${claim.job} of ${worker} beside ${busy.get(claim.key)}`);
    busy.set(claim.key, `${claim.job} of ${worker}`);
    for (const line of ["one", "two"]) expect(await insist(() => claim.append([line]))).toBe("recorded");
    busy.delete(claim.key);
    ends.push(`${claim.job} ${await insist(() => claim.finish(jobResult()))}`);
  }
}

describe.skipIf(installed.length === 0)("three servers (skipped where nats-server is not installed)", () => {
  describe.each(installed)("nats-server $version", ({ program }) => {
    let cluster: NatsCluster;
    beforeAll(async () => {
      cluster = await openNatsCluster(join(scratchFolder(), "nats"), program);
    });
    afterAll(() => cluster.stop());
    const makePlace = (): Promise<string> => insist(() => makeNatsPlace(cluster.url, 3));

    describeEngine("nats", makePlace);

    test("say that what they answer is replicated", async () => {
      const engine = await ENGINES.nats(await makePlace());
      expect(engine.facts.durable).toBe("replicated");
      await engine.close();
    });

    test.each([
      ["the leader of the log", (token: string) => nameNats(token).log],
      ["the leader of the lines", (token: string) => nameNats(token).events],
      ["the leader of all", () => null],
    ])("%s is killed in the middle of jobs and comes back: each job ends once, with one writer", async (_, name) => {
      const place = await makePlace();
      const engines = await Promise.all([0, 1, 2].map(() => insist(() => ENGINES.nats(place))));
      const [first] = engines;
      for (let number = 0; number < JOBS; number += 1)
        await first?.submit(jobSpec({ key: `key-${number % KEYS}` }), jobTerms(), `job-${number}`);
      const seen: Seen = { busy: new Map(), overlaps: [], ends: [] };
      const done = Promise.all(engines.map((engine, at) => work(engine, `worker-${at}`, seen)));
      const leader = await cluster.findLeader(name(place.split("#")[1] ?? ""));
      await leader.stop("SIGKILL");
      await insist(async () => first?.submit(jobSpec(), jobTerms(), "during"));
      await leader.start();
      await done;
      expect(seen.overlaps).toEqual([]);
      expect(new Set(seen.ends)).toEqual(
        new Set([...Array.from({ length: JOBS }, (_one, number) => `job-${number} recorded`), "during recorded"]),
      );
      expect(seen.ends).toHaveLength(JOBS + 1);
      const views = (await insist(async () => first?.jobs())) ?? [];
      expect(views.filter(({ phase }) => phase !== "done").map(({ id }) => id)).toEqual([]);
      for (const engine of engines) await engine.close();
    });
  });
});
