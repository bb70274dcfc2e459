/**
 * A long loop with a builder that lies, fails, hangs, writes where it may not and leaves processes behind, and with an
 * orchestrator that talks now and then. Whatever it does, the series goes on, and nothing of it is left. What it costs in memory
 * is measured by the soak.
 */
import { expect, test } from "vitest";
import { checkAfterSeries, goodStep, inLoopWorld, readLoop, RED, stepOf } from "../support/loop-world.ts";

const TICKS = Number(process.env["RELAIS_LOOP_TICKS"] ?? 25);

const MISCHIEF: readonly (() => object)[] = [
  goodStep,
  () => stepOf([RED]),
  goodStep,
  () => stepOf([{ do: "append", path: "README.md", text: "more\n" }]),
  goodStep,
  () => stepOf([{ do: "exit", status: 3 }]),
  goodStep,
  () => stepOf([{ do: "run", argv: ["sleep", "300"], background: true }, RED]),
  goodStep,
  () => stepOf([{ do: "write", path: "src/new.ts", text: "export {};\n" }]),
  goodStep,
  () => stepOf([{ do: "run", argv: ["git", "commit", "-qam", "mine"], may_fail: true }, RED]),
  goodStep,
  () => stepOf([{ do: "run", argv: ["sleep", "300"] }]),
];

const CONFIG = {
  loop: { on_stop: "continue", soft_stop_at_warning: false },
  roles: { builder: { timeout_seconds: 4 } },
  budgets: {
    per_milestone: {
      max_ticks: 1000,
      max_orchestrator_calls: 2000,
      max_builder_calls: 1000,
      max_verify_runs: 9000,
    },
  },
};

test(
  "a long loop with a builder that lies, fails and hangs leaves nothing behind but its commits",
  async () => {
    const plans = Array.from({ length: TICKS }, (_, index) => (MISCHIEF[index % MISCHIEF.length] ?? goodStep)());
    await inLoopWorld({ plans, config: CONFIG }, async (world) => {
      const ran = readLoop(await world.start(["loop", "--json", "--max-ticks", String(TICKS)]).ended);
      checkAfterSeries(world, ran);
      expect(ran.summary).toMatchObject({ end: "max_ticks", ticks: { total: TICKS, blocked: 0 } });
      expect(ran.summary.commits_total).toBe(ran.summary.ticks.success);
      expect(ran.summary.ticks.success).toBeGreaterThanOrEqual(Math.floor(TICKS / 2));
      expect(new Set(ran.reports.map(({ code }) => code)).size).toBeGreaterThanOrEqual(TICKS > 13 ? 6 : 3);
    });
  },
  TICKS * 30_000,
);
