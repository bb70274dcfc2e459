import { describe, expect, test } from "vitest";
import type { OpenWorld } from "./describe-engine.ts";
import type { EngineWorld } from "./engine-world.ts";
import { jobResult } from "./jobs.ts";

/** Claims and finishes everything; answers the names in their order. */
async function runAll({ claim }: EngineWorld): Promise<readonly string[]> {
  const names: string[] = [];
  for (let held = await claim(); held !== null; held = await claim()) {
    names.push(held.job);
    await held.finish(jobResult());
  }
  return names;
}

export function describeOrder(open: OpenWorld): void {
  describe("order", () => {
    test("the greater priority goes first, then the older job; a moved one by its new priority", async () => {
      const world = await open();
      const { submit, engine } = world;
      await submit({}, {}, "old");
      await submit({}, {}, "young");
      await submit({}, { priority: -3 }, "low");
      await submit({}, { priority: 5 }, "high");
      await submit({}, {}, "moved");
      expect(await engine.move("moved", 9)).toBe("moved");
      expect(await runAll(world)).toEqual(["moved", "high", "old", "young", "low"]);
      expect(await engine.move("moved", 1)).toBe("not-waiting");
      expect(await engine.move("nobody", 1)).toBe("unknown");
    });

    test("a job does not start before its time, whichever way the clock jumps", async () => {
      const world = await open();
      const { submit, clock, engine } = world;
      const time = new Date(Date.now() + 3_600_000).toISOString();
      await submit({}, { not_before: time }, "later");
      expect(await engine.find("later")).toMatchObject({ waitsFor: `it starts at ${time}` });
      clock.aheadMs = -86_400_000;
      expect(await runAll(world)).toEqual([]);
      clock.aheadMs = 86_400_000;
      expect(await runAll(world)).toEqual(["later"]);
    });

    test("a job needs a worker with its labels", async () => {
      const { submit, claim, engine } = await open();
      await submit({ needs: ["gpu", "big"] }, {}, "picky");
      expect(await claim({ labels: ["gpu"] })).toBeNull();
      expect(await engine.find("picky")).toMatchObject({ waitsFor: "a worker with gpu, big" });
      expect((await claim({ labels: ["big", "x", "gpu"] }))?.job).toBe("picky");
    });

    test("a job after others waits for all of them", async () => {
      const { submit, claimOne, claim, engine } = await open();
      await submit({ key: "a" }, {}, "a");
      await submit({ key: "b" }, {}, "b");
      await submit({ key: "c" }, { after: ["a", "b"] }, "c");
      expect(await engine.find("c")).toMatchObject({ waitsFor: "job a" });
      const [a, b] = [await claimOne(), await claimOne()];
      await a.finish(jobResult());
      expect(await claim()).toBeNull();
      await b.finish(jobResult());
      expect((await claimOne()).job).toBe("c");
    });

    test("a job after a failed one ends, with the reason, and so do those after it", async () => {
      const { submit, claimOne, claim, engine } = await open();
      await submit({}, {}, "a");
      await submit({ key: "b" }, { after: ["a"] }, "b");
      await submit({ key: "c" }, { after: ["b"] }, "c");
      await (await claimOne()).finish(jobResult({ outcome: "failed", summary: "no" }));
      expect(await engine.find("b")).toMatchObject({
        phase: "cancelled",
        result: { summary: "job a, which had to end well before, failed" },
      });
      expect(await engine.find("c")).toMatchObject({
        phase: "cancelled",
        result: { summary: "job b, which had to end well before, was cancelled" },
      });
      expect(await claim({ until: "drain" })).toBeNull();
    });

    test("a job cannot wait for one that is not there, that has failed, or that never ends", async () => {
      const { submit, engine } = await open();
      const wait = (after: string): Promise<string> => submit({}, { after: [after] }, "new");
      await expect(wait("nobody")).rejects.toMatchObject({ kind: "refused" });
      await expect(wait("new")).rejects.toMatchObject({ kind: "refused" });
      await submit({}, {}, "gone");
      await engine.ask("gone", "cancel");
      await expect(wait("gone")).rejects.toThrow("retry it first");
      await submit({}, { every: "@daily" }, "daily");
      await expect(wait("daily")).rejects.toMatchObject({ kind: "refused" });
      expect(await engine.find("new")).toBeNull();
    });
  });
}
