/** A loop that waits, for a limit to pass or only for its next tick, and what ends the wait from outside. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { partOf } from "../support/part-of.ts";
import { inTurn } from "../support/scenario.ts";
import {
  checkAfterSeries,
  checkNobodyIsLeft,
  goodStep,
  inLoopWorld,
  type LoopWorld,
  readLoop,
  STOP,
} from "../support/loop-world.ts";
import { checkInterrupted, loopAndSignal, WAITING } from "../support/signalled-loop.ts";

/** A service that names the moment from which on it answers again. */
const LIMITED = 'echo "retry-at: $(cat "$HOME/moment")" >&2; exit 75\n';
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** `npm test` sends one of the signals. */
const ANY_ONE = { kindOf: () => "signal", oneIn: 3 };
const hasReported = (said: string): boolean => said.includes('"run_id"');
const isWaiting = (said: string): boolean => WAITING.test(said);

function limitFor(world: LoopWorld, ms: number): string {
  const moment = new Date(Date.now() + ms).toISOString();
  world.put({ "../../home/moment": moment });
  return moment;
}

async function statusOf(world: LoopWorld): Promise<unknown> {
  return JSON.parse((await world.relais(["status", "--json"])).stdout);
}

/** The next loop of a series waits for the moment that the first one was told; it is ended so that nobody waits. */
async function checkStillWaits(world: LoopWorld, moment: string, seriesId: string): Promise<void> {
  const again = readLoop(await loopAndSignal(world, "SIGINT", { isReady: isWaiting }));
  expect(WAITING.exec(again.stderr)?.[1]).toBe(moment);
  checkInterrupted(again, "SIGINT");
  expect(again.reports).toEqual([]);
  expect(again.summary).toMatchObject({ series_id: seriesId, resumed: true, ticks: { total: 2 } });
  expect(world.asked()).toBe(2);
  checkAfterSeries(world, again);
}

describe.concurrent("while a loop waits for a rate limit", { timeout: 120_000 }, () => {
  test.each(partOf(SIGNALS, ANY_ONE))("%s ends it, and the next one goes on waiting", (signal) =>
    inTurn(() =>
      inLoopWorld({ plans: [goodStep(), LIMITED] }, async (world) => {
        const moment = limitFor(world, 3_600_000);
        const ran = readLoop(await loopAndSignal(world, signal, { isReady: isWaiting }));
        checkInterrupted(ran, signal);
        expect(ran.summary).toMatchObject({ reason: signal.toLowerCase(), ticks: { total: 2 } });
        checkAfterSeries(world, ran);
        const { series_id } = ran.summary;
        expect(await statusOf(world)).toMatchObject({
          running: null,
          open_series: [{ series_id, command: "loop", mode: "milestone", end: "interrupted", branch: "work" }],
        });
        await checkStillWaits(world, moment, series_id);
      }),
    ),
  );

  test("SIGKILL leaves enough for the next one to go on waiting, and nothing else", () =>
    inTurn(() =>
      inLoopWorld({ plans: [goodStep(), LIMITED] }, async (world) => {
        const moment = limitFor(world, 3_600_000);
        await loopAndSignal(world, "SIGKILL", { isReady: isWaiting });
        const [first] = world.journal();
        expect(world.git("status", "--porcelain")).toBe("");
        expect(await statusOf(world)).toMatchObject({
          running: null,
          unfinished: null,
          open_series: [{ series_id: first?.series_id, end: null }],
        });
        await checkStillWaits(world, moment, first?.series_id ?? "");
      }),
    ));

  test("status says until when", () =>
    inTurn(() =>
      inLoopWorld({ plans: [LIMITED] }, async (world) => {
        const moment = limitFor(world, 3_600_000);
        const loop = world.start(["loop"]);
        await new Promise<void>((resolve) => {
          loop.process.stderr?.on("data", (data: Buffer) => {
            if (data.includes("waiting for a rate limit")) resolve();
          });
        });
        const [first] = world.journal();
        expect(await statusOf(world)).toMatchObject({
          running: { run_id: first?.run_id, pid: loop.process.pid, waits_until: moment },
          open_series: [],
        });
        expect((await world.relais([])).stdout.replaceAll(/\s+/g, " ")).toContain(
          `waiting for a rate limit until ${moment}`,
        );
        loop.process.kill("SIGTERM");
        expect((await loop.ended).status).toBe(143);
        checkNobodyIsLeft(world);
      }),
    ));

  test("the next one waits for the rest of the time and not again for all of it", () =>
    inTurn(() =>
      inLoopWorld({ plans: [LIMITED, goodStep(), STOP] }, async (world) => {
        const moment = limitFor(world, 12_000);
        const ran = readLoop(await loopAndSignal(world, "SIGTERM", { isReady: isWaiting }));
        checkInterrupted(ran, "SIGTERM");
        const again = await world.loop();
        const planned = world.journal().find(({ event }) => event.type === "planned");
        expect(Date.parse(planned?.at ?? "")).toBeGreaterThanOrEqual(Date.parse(moment));
        expect(again.summary).toMatchObject({ end: "complete", series_id: ran.summary.series_id });
        expect(world.journal().filter(({ event }) => event.type === "series_waiting")).toHaveLength(1);
        checkAfterSeries(world, again);
        expect(await statusOf(world)).toMatchObject({ open_series: [] });
      }),
    ));
});

describe.concurrent("after a tick of a loop", { timeout: 120_000 }, () => {
  test.each(partOf(SIGNALS, ANY_ONE))("%s ends it with what it has", (signal) =>
    inTurn(() =>
      inLoopWorld({ plans: [goodStep(), goodStep(), STOP] }, async (world) => {
        const ran = readLoop(await loopAndSignal(world, signal, { isReady: hasReported }));
        checkInterrupted(ran, signal);
        expect(ran.reports[0]).toMatchObject({ code: "SUCCESS" });
        expect(ran.summary.commits_total).toBe(1);
        checkAfterSeries(world, ran);
        const next = (await world.relais([])).stdout;
        expect(next).toContain(`${ran.summary.series_id} of \`relais loop\` was interrupted`);
        expect(next).toMatch(/\n {2}relais loop +continue the series\n {2}relais loop --new +start a new one\n/);
      }),
    ),
  );

  test("SIGKILL leaves a series that the next loop brings to its end", () =>
    inTurn(() =>
      inLoopWorld({ plans: [goodStep(), goodStep(), STOP] }, async (world) => {
        await loopAndSignal(world, "SIGKILL", { isReady: hasReported });
        const [first] = world.journal();
        const lock = readFileSync(join(world.root, "relais/lock.json"), "utf8");
        expect(JSON.parse(lock)).toMatchObject({ run_id: expect.any(String) });
        const again = await world.loop();
        expect(again.summary).toMatchObject({ end: "complete", resumed: true, series_id: first?.series_id });
        checkAfterSeries(world, again);
      }),
    ));
});
