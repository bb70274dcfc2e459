import { describe, expect, test } from "vitest";
import type { OpenWorld } from "./describe-engine.ts";
import { waitUntil } from "./engine-world.ts";
import { jobResult } from "./jobs.ts";

export function describeRequests(open: OpenWorld): void {
  describe("requests", () => {
    test("cancels a waiting job at once", async () => {
      const { submit, claim, engine } = await open();
      const job = await submit();
      expect(await engine.ask(job, "cancel")).toBe("done");
      expect(await engine.find(job)).toMatchObject({ phase: "cancelled", result: { outcome: "cancelled" } });
      expect(await engine.ask(job, "cancel")).toBe("over");
      expect(await engine.ask("nobody", "cancel")).toBe("unknown");
      expect(await claim()).toBeNull();
    });

    test("a request reaches the process that runs the job", async () => {
      const { submit, startWorker, engine } = await open();
      const job = await submit();
      const worker = startWorker("busy");
      await worker.ask({ do: "claim", leaseMs: 60_000 });
      const asked = worker.ask({ do: "next-ask" });
      expect(await engine.ask(job, "cancel")).toBe("asked");
      expect(await asked).toBe("cancel");
      expect(await engine.find(job)).toMatchObject({ phase: "running", asked: "cancel" });
      await worker.ask({ do: "finish", result: { outcome: "cancelled", summary: "as asked" } });
      expect(await engine.find(job)).toMatchObject({ phase: "cancelled", result: { summary: "as asked" } });
    });

    test("a cancelled job does not start again when its worker is lost or gives it back", async () => {
      const { submit, claimOne, claim, startWorker, engine } = await open();
      const job = await submit({ key: "a" }, {}, "lost");
      const worker = startWorker("victim");
      await worker.ask({ do: "claim", leaseMs: 60_000 });
      expect(await engine.ask(job, "cancel")).toBe("asked");
      await worker.end();
      expect(
        await waitUntil(
          () => engine.ask(job, "cancel"),
          (answer) => answer !== "asked",
        ),
      ).toBe("over");
      await submit({ key: "b" }, {}, "given-back");
      const held = await claimOne();
      await engine.ask("given-back", "cancel");
      await held.release("stopping", null);
      expect(await claim()).toBeNull();
      expect((await engine.jobs()).map(({ phase }) => phase)).toEqual(["cancelled", "cancelled"]);
    });

    test("pauses and resumes a job, waiting or running", async () => {
      const { submit, claim, claimOne, engine } = await open();
      const job = await submit();
      expect(await engine.ask(job, "pause")).toBe("done");
      expect(await engine.find(job)).toMatchObject({ isPaused: true, waitsFor: "it is paused" });
      expect(await claim()).toBeNull();
      expect(await engine.ask(job, "resume")).toBe("done");
      const held = await claimOne();
      const stop = new AbortController();
      expect(await engine.ask(job, "pause")).toBe("asked");
      expect(await engine.ask(job, "resume")).toBe("asked");
      const asks: string[] = [];
      for await (const ask of held.asked(stop.signal)) {
        asks.push(ask);
        if (asks.length === 2) stop.abort();
      }
      expect(asks).toEqual(["pause", "resume"]);
      await engine.ask(job, "pause");
      await held.release("pausing", null);
      expect(await claim()).toBeNull();
    });

    test("holds the whole queue", async () => {
      const { submit, claim, claimOne, engine } = await open();
      const job = await submit();
      await engine.hold(true);
      expect(await engine.isHeld()).toBe(true);
      expect(await engine.find(job)).toMatchObject({ waitsFor: "the queue is paused" });
      expect(await claim()).toBeNull();
      await engine.hold(false);
      expect((await claimOne()).job).toBe(job);
    });

    test("tries an ended job again", async () => {
      const { submit, claimOne, engine } = await open();
      const job = await submit();
      expect(await engine.retry(job)).toBe("not-over");
      expect(await engine.retry("nobody")).toBe("unknown");
      await (await claimOne()).finish(jobResult({ outcome: "failed" }));
      expect(await engine.retry(job)).toBe("waiting");
      expect(await engine.find(job)).toMatchObject({ phase: "waiting", result: null, endedAt: null });
      expect(await claimOne()).toMatchObject({ job, attempt: 2 });
    });

    test("says when something changed", async () => {
      const { submit, engine } = await open();
      const stop = new AbortController();
      const changes = engine.changes(stop.signal)[Symbol.asyncIterator]();
      const next = changes.next();
      await submit();
      expect((await next).done).toBe(false);
      stop.abort();
      expect((await changes.next()).done).toBe(true);
    });
  });
}
