import { describe, expect, test } from "vitest";
import type { OpenWorld } from "./describe-engine.ts";
import { jobResult, jobSpec, jobTerms, NOTHING } from "./jobs.ts";

export function describeClaims(open: OpenWorld): void {
  describe("claims", () => {
    test("gives a job to one worker, whole", async () => {
      const { submit, claim, claimOne, engine } = await open();
      const job = await submit({ title: "whole" });
      const { token, ...held } = await claimOne();
      expect(held).toMatchObject({ job, attempt: 1, key: "repository#main", spent: NOTHING, leftovers: [] });
      expect(held.spec).toMatchObject({ title: "whole", files: { "task.json": "{}" } });
      expect(await engine.find(job)).toMatchObject({ phase: "running", token, worker: { id: "test" }, attempt: 1 });
      expect(await claim({ worker: "other" })).toBeNull();
      expect(await held.finish(jobResult({ summary: "well" }))).toBe("recorded");
      expect(await engine.find(job)).toMatchObject({ phase: "done", result: { summary: "well" }, worker: null });
    });

    test("gives each of many jobs to one of many processes", async () => {
      const { submit, startWorker, engine } = await open();
      const count = 24;
      for (let number = 0; number < count; number += 1) await submit({ key: `key-${number}` });
      const workers = ["a", "b", "c"].map(startWorker);
      const claimed = await Promise.all(
        workers.map(async (worker) => {
          const jobs: unknown[] = [];
          for (;;) {
            const answer = await worker.ask({ do: "claim", leaseMs: 60_000 });
            if (answer === null) return jobs;
            jobs.push(answer);
            expect(await worker.ask({ do: "finish" })).toBe("recorded");
          }
        }),
      );
      const jobs = claimed.flat();
      expect(jobs).toHaveLength(count);
      expect(new Set(jobs.map((job) => JSON.stringify(job))).size).toBe(count);
      expect((await engine.jobs()).map(({ phase, attempt }) => `${phase} ${attempt}`)).toEqual(
        Array.from({ length: count }, () => "done 1"),
      );
    });

    test("runs one job of a key at a time", async () => {
      const { submit, claim, claimOne, engine } = await open();
      const [one, two] = [await submit({ key: "k" }), await submit({ key: "k" })];
      const other = await submit({ key: "other" });
      const first = await claimOne();
      expect(first.job).toBe(one);
      expect(await engine.find(two)).toMatchObject({ waitsFor: `job ${one} runs on the same branch` });
      expect((await claimOne()).job).toBe(other);
      expect(await claim()).toBeNull();
      await first.finish(jobResult());
      const second = await claimOne();
      expect(second.job).toBe(two);
      expect(second.token).toBeGreaterThan(first.token);
    });

    test("takes the same name twice as one job", async () => {
      const { submit, claim, claimOne, startWorker } = await open();
      expect(await submit({ title: "first" }, {}, "twice")).toBe("twice");
      expect(await submit({ title: "second" }, {}, "twice")).toBe("twice");
      const worker = startWorker("submitter");
      expect(await worker.ask({ do: "submit", spec: jobSpec(), terms: jobTerms(), id: "twice" })).toBe("twice");
      expect((await claimOne()).spec.title).toBe("first");
      expect(await claim()).toBeNull();
    });

    test("waits for a job, and stops waiting at the signal", async () => {
      const { submit, claim } = await open();
      const stop = new AbortController();
      const waiting = claim({ until: "signal", signal: stop.signal });
      const job = await submit();
      expect((await waiting)?.job).toBe(job);
      const again = claim({ until: "signal", signal: stop.signal });
      stop.abort();
      expect(await again).toBeNull();
    });

    test("drains: waits for what others run, and ends when nothing can start here", async () => {
      const { submit, claim, claimOne } = await open();
      await submit({ key: "k" }, {}, "first");
      await submit({ key: "k" }, {}, "second");
      await submit({ needs: ["gpu"] });
      await submit({}, { not_before: "2100-01-01T00:00:00Z" });
      const first = await claimOne();
      const draining = claim({ until: "drain", worker: "other" });
      await first.finish(jobResult());
      const second = await draining;
      expect(second?.job).toBe("second");
      await second?.finish(jobResult());
      expect(await claim({ until: "drain" })).toBeNull();
    });

    test("gives a job back", async () => {
      const { submit, claim, claimOne, engine, clock } = await open();
      const job = await submit();
      await (await claimOne()).release("no sandbox", null);
      expect(await engine.find(job)).toMatchObject({ phase: "waiting", losses: [], attempt: 1, worker: null });
      const again = await claimOne();
      expect(again.attempt).toBe(2);
      await again.release("the service is out of quota", new Date(Date.now() + 3_600_000).toISOString());
      expect(await claim()).toBeNull();
      clock.aheadMs = 3_700_000;
      expect((await claimOne()).attempt).toBe(3);
    });

    test("shares when an agent accepts work again, only ever later", async () => {
      const { engine } = await open();
      const [soon, later] = ["2100-01-01T00:00:00.000Z", "2100-01-02T00:00:00.000Z"];
      await engine.limits.block("claude", later);
      await engine.limits.block("claude", soon);
      await engine.limits.block("codex", "2001-01-01T00:00:00.000Z");
      expect(await engine.limits.list()).toEqual([{ agent: "claude", until: later }]);
    });
  });
}
