/** Series that hold each change: the next attempt reads why the last one was rejected. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { inGoalWorld } from "../support/goal-world.ts";
import { ASK, eventsOf, untilAsked } from "../support/held-world.ts";
import { runInProcess } from "../support/in-process.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { checkAfterSeries, goodStep, inLoopWorld, readLoop, STOP } from "../support/loop-world.ts";
import { inTurn } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";
import { DONE, type TreeWorld, treeWorld, write } from "../support/tree-world.ts";

const REASON = "Use the existing helper instead.";

/** The tree's world, as far as a decision needs it. */
function heldIn({ box, root }: TreeWorld): Pick<World, "box" | "state" | "relais"> {
  const env = { ...gitEnvironment(box), HOME: box, XDG_STATE_HOME: join(box, "state") };
  return {
    box,
    state: () => join(box, "state", "relais", readdirSync(join(box, "state", "relais"))[0] ?? ""),
    relais: (args) => runInProcess(args, { cwd: root, env }),
  };
}

/** Rejects the first question and accepts all others, until the series is over. */
async function rejectFirst<T>(world: Pick<World, "box" | "state" | "relais">, series: Promise<T>): Promise<T> {
  const over = { is: false };
  const ended = series.finally(() => (over.is = true));
  const deciding = async (): Promise<void> => {
    for (let n = 1; !over.is; n += 1) {
      const runId = await Promise.race([untilAsked(world, n), ended.then(() => null)]);
      if (runId === null) return;
      await world.relais(n === 1 ? ["reject", runId, "--reason", REASON] : ["accept", runId]);
    }
  };
  await deciding();
  return ended;
}

describe.concurrent("a rejected change", () => {
  test("of a loop is told to the next plan, and the loop goes on", () =>
    inTurn(() =>
      inLoopWorld({ plans: [goodStep(), goodStep(), STOP], config: ASK }, async (world) => {
        const ran = await rejectFirst(world, world.loop());
        expect(ran.reports.map(({ code }) => code)).toEqual(["STOP_REJECTED", "SUCCESS", "SUCCESS"]);
        expect(ran.summary).toMatchObject({ end: "complete", commits_total: 1 });
        expect(world.prompt(2)).toContain(REASON);
        checkAfterSeries(world, ran);
      }),
    ));

  test("of a goal is told to the next worker", () =>
    inTurn(() =>
      inGoalWorld({ config: ASK }, async ({ world, goal, sessions, prompt }) => {
        const { summary } = await rejectFirst(world, goal("One line"));
        expect(summary).toMatchObject({ status: "complete" });
        expect(sessions().filter((who) => who === "worker")).toHaveLength(2);
        expect(prompt("worker")).toContain(REASON);
      }),
    ));

  test("of a campaign is told to the next worker", () =>
    inTurn(() =>
      inCampaignWorld({ config: ASK }, async ({ world, campaign, prompt, sessions }) => {
        const { summary } = await rejectFirst(world, campaign("run", "lines"));
        expect(summary).toMatchObject({ sentinel: "complete" });
        expect(sessions().filter((who) => who.startsWith("worker")).length).toBeGreaterThan(1);
        expect(prompt("worker-2")).toContain(REASON);
      }),
    ));
});

describe.concurrent("a change that nobody decides about", () => {
  const late = { ...ASK, ask_timeout_seconds: 0.3 };

  test("ends a loop, which the same command continues", () =>
    inTurn(() =>
      inLoopWorld({ plans: [goodStep(), goodStep(), STOP], config: late }, async (world) => {
        const ran = await world.loop();
        expect(ran.summary).toMatchObject({ end: "needs_human", reason: "STOP_UNDECIDED", exit_status: 14 });
        checkAfterSeries(world, ran);
        const again = world.start(["loop", "--json"]);
        await again.ended;
        expect(eventsOf(world, "series_resumed")).toHaveLength(1);
      }),
    ));

  test("of a goal is asked about again without another worker", () =>
    inTurn(() =>
      inGoalWorld({ config: late }, async ({ world, goal, sessions }) => {
        const first = await goal("One line");
        expect(first.status).toBe(14);
        expect(sessions()).toEqual(["worker"]);
        world.put({ "relais.config.json": world.read("relais.config.json").replace("0.3", "600") });
        world.git("commit", "-qam", "more time");
        const resumed = goal("resume");
        const runId = await untilAsked(world, 2);
        await world.relais(["accept", runId]);
        expect((await resumed).summary).toMatchObject({ status: "complete" });
        expect(sessions().filter((who) => who === "worker")).toEqual(["worker"]);
      }),
    ));
});

test("--ask lasts until the end of a series", () =>
  inLoopWorld({ plans: [goodStep(), goodStep(), STOP] }, async (world) => {
    const first = world.start(["loop", "--ask", "--json"]);
    const one = await untilAsked(world);
    await world.relais(["pause"]);
    await world.relais(["accept", one]);
    expect(readLoop(await first.ended).summary).toMatchObject({ end: "paused" });
    const again = world.loop();
    const two = await untilAsked(world, 2);
    await delay(100);
    await world.relais(["accept", two]);
    expect((await again).summary).toMatchObject({ end: "complete", commits_total: 2 });
  }));

test("a rejected leaf of a tree costs an attempt, and the next session reads why", async () => {
  const world = treeWorld({
    turns: [`${write("src/x.ts", "right but risky")}\n${DONE}`, `${write("src/x.ts", "right")}\n${DONE}`],
    config: ASK,
  });
  const { reports } = await rejectFirst(heldIn(world), world.iterate("run"));
  expect(reports.map(({ code }) => code)).toEqual(["STOP_REJECTED", "SUCCESS"]);
  expect(world.prompt(2)).toContain(REASON);
  expect(world.tree().root).toMatchObject({ passes: true, attempts: 1 });
});
