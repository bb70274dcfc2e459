import { expect, test } from "vitest";
import { endure, growthOf } from "./endurance.ts";

const TICKS = Number(process.env["RELAIS_LOOP_TICKS"] ?? 25);

test(
  "a long loop with a builder that lies, fails and hangs leaves nothing behind but its commits",
  async () => {
    const { ran, memory } = await endure(TICKS);
    expect(ran.summary).toMatchObject({ end: "max_ticks", ticks: { total: TICKS, blocked: 0 } });
    expect(ran.summary.commits_total).toBe(ran.summary.ticks.success);
    expect(ran.summary.ticks.success).toBeGreaterThanOrEqual(Math.floor(TICKS / 2));
    expect(new Set(ran.reports.map(({ code }) => code)).size).toBeGreaterThanOrEqual(TICKS > 13 ? 6 : 3);
    expect(growthOf(memory)).toBeLessThan(1.5);
  },
  TICKS * 30_000,
);
