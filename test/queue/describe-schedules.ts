import { describe, expect, test } from "vitest";
import type { OpenWorld } from "./describe-engine.ts";
import { jobResult } from "./jobs.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Two looks at the schedules are this far apart at least. */
const LOOK_MS = 300;

export function describeSchedules(open: OpenWorld): void {
  describe("schedules", () => {
    test("several missed times become one job, with a fixed name", async () => {
      const { submit, claim, engine, clock } = await open();
      await submit({ title: "tidy" }, { every: "@daily" }, "tidy");
      expect(await engine.find("tidy")).toMatchObject({ phase: "scheduled" });
      expect(await claim()).toBeNull();
      clock.aheadMs = 30 * DAY_MS;
      await look();
      const held = await claim();
      expect(held?.spec.title).toBe("tidy");
      expect(held?.job).toMatch(/^tidy-\d{8}T\d{6}$/);
      expect(await claim()).toBeNull();
      expect((await engine.jobs()).map(({ phase }) => phase)).toEqual(["scheduled", "running"]);
      await held?.finish(jobResult());
      await look();
      expect(await claim()).toBeNull();
    });

    test("a schedule whose job still waits or runs makes no second one", async () => {
      const { submit, claim, claimOne, engine, clock } = await open();
      await submit({}, { every: "@hourly" }, "hourly");
      clock.aheadMs = DAY_MS;
      await look();
      const held = await claimOne();
      clock.aheadMs = 2 * DAY_MS;
      await look();
      expect(await claim()).toBeNull();
      await held.finish(jobResult());
      await look();
      expect((await claimOne()).job).not.toBe(held.job);
      expect(await engine.jobs()).toHaveLength(3);
    });

    test("a clock that was ahead makes no time due twice and does not silence a schedule", async () => {
      const { submit, claim, claimOne, clock } = await open();
      await submit({}, { every: "@daily" }, "daily");
      clock.aheadMs = 365 * DAY_MS;
      await look();
      const ahead = await claimOne();
      await ahead.finish(jobResult());
      clock.aheadMs = nextMidnightMs() + 10 * DAY_MS + 60_000;
      await look();
      const back = await claimOne();
      expect(back.job < ahead.job).toBe(true);
      await back.finish(jobResult());
      await look();
      expect(await claim()).toBeNull();
    });

    test("a paused or cancelled schedule makes no job, and a wrong one is refused", async () => {
      const { submit, claim, engine, clock } = await open();
      await expect(submit({}, { every: "every day" })).rejects.toMatchObject({ kind: "refused" });
      await expect(submit({}, { every: "61 * * * *" })).rejects.toMatchObject({ kind: "refused" });
      await submit({}, { every: "@daily" }, "paused");
      await submit({}, { every: "@daily" }, "cancelled");
      expect(await engine.ask("paused", "pause")).toBe("done");
      expect(await engine.ask("cancelled", "cancel")).toBe("done");
      clock.aheadMs = 3 * DAY_MS;
      await look();
      expect(await claim({ until: "drain" })).toBeNull();
    });
  });
}

function look(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

function nextMidnightMs(): number {
  return new Date().setHours(24, 0, 0, 0) - Date.now();
}
