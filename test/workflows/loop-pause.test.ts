/** A loop that another terminal pauses or stops. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { inTurn } from "../support/scenario.ts";
import {
  checkAfterSeries,
  goodStep,
  inLoopWorld,
  type LoopWorld,
  readLoop,
  stepOf,
  STOP,
} from "../support/loop-world.ts";

/** A builder that says where it is and waits until it may go on. */
const HOLD = ': > "$HOME/here"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done';
const heldStep = (): object =>
  stepOf([
    { do: "run", argv: ["sh", "-c", HOLD] },
    { do: "write", path: "src/main.ts", text: "export const answer = 42; // held\n" },
  ]);

async function startHeld(world: LoopWorld, args: readonly string[] = ["loop", "--json"]) {
  const started = world.start([...args]);
  const ended = { is: false };
  void started.ended.then(() => (ended.is = true));
  while (!existsSync(join(world.box, "home", "here")) && !ended.is) await delay(20);
  expect(ended.is).toBe(false);
  return started;
}

const goOn = (world: LoopWorld): void => writeFileSync(join(world.box, "home", "go"), "");
const requests = (world: LoopWorld): readonly string[] =>
  readdirSync(world.state()).filter((name) => name.includes("request"));

describe.concurrent("a pause", () => {
  test("ends the loop after its tick, and the same command continues it", () =>
    inTurn(() =>
      inLoopWorld({ plans: [heldStep(), goodStep(), STOP] }, async (world) => {
        const started = await startHeld(world);
        const asked = await world.relais(["pause", "--json"]);
        expect(asked.status).toBe(0);
        expect(JSON.parse(asked.stdout)).toMatchObject({ pid: started.process.pid, command: "loop" });
        const status = await world.relais(["status", "--json"]);
        expect(JSON.parse(status.stdout)).toMatchObject({ running: { is_pausing: true } });
        expect((await world.relais(["status"])).stdout).toContain("pauses after this tick");
        goOn(world);
        const ran = readLoop(await started.ended);
        expect(ran.status).toBe(0);
        expect(ran.reports.map(({ code }) => code)).toEqual(["SUCCESS"]);
        expect(ran.summary).toMatchObject({ end: "paused", reason: "pause", exit_status: 0, commits_total: 1 });
        checkAfterSeries(world, ran);
        expect(requests(world)).toEqual([]);
        expect((await world.relais(["status"])).stdout).toContain("is paused");
        const again = await world.loop();
        expect(again.summary).toMatchObject({ end: "complete", resumed: true, series_id: ran.summary.series_id });
      }),
    ));

  test("that is withdrawn does not happen", () =>
    inTurn(() =>
      inLoopWorld({ plans: [heldStep(), STOP] }, async (world) => {
        const started = await startHeld(world);
        await world.relais(["pause"]);
        const resumed = await world.relais(["resume"]);
        expect([resumed.status, resumed.stdout]).toEqual([0, expect.stringContaining("It goes on after this tick")]);
        const twice = await world.relais(["resume", "--json"]);
        expect([twice.status, JSON.parse(twice.stdout)]).toEqual([
          10,
          expect.objectContaining({ cause: "not_paused" }),
        ]);
        goOn(world);
        expect(readLoop(await started.ended).summary).toMatchObject({ end: "complete" });
      }),
    ));

  test("ends a wait for a rate limit at once", () =>
    inTurn(() =>
      inLoopWorld(
        {
          plans: [goodStep(), "echo 'too many requests' >&2; exit 75\n", STOP],
          config: { loop: { max_wait_seconds: 900 } },
        },
        async (world) => {
          const started = world.start(["loop", "--json"]);
          const said = { text: "" };
          started.process.stderr?.on("data", (text: string) => (said.text += text));
          while (!said.text.includes("waiting for a rate limit")) await delay(20);
          expect((await world.relais(["pause"])).status).toBe(0);
          const ran = readLoop(await started.ended);
          expect(ran.summary).toMatchObject({ end: "paused", exit_status: 0 });
        },
      ),
    ));

  test("for another process is ignored and removed", () =>
    inTurn(() =>
      inLoopWorld({ plans: [goodStep(), STOP] }, async (world) => {
        await world.relais(["status"]);
        const other = {
          pid: process.pid,
          process_start: "1",
          boot_id: "other",
          started_at: "2026-01-01T00:00:00.000Z",
        };
        const first = await world.loop(["--max-ticks", "1"]);
        expect(first.summary).toMatchObject({ end: "max_ticks" });
        writeFileSync(join(world.state(), "pause-request.json"), JSON.stringify(other));
        const ran = await world.loop(["--new"]);
        expect(ran.summary).toMatchObject({ end: "complete" });
        expect(requests(world)).toEqual([]);
      }),
    ));

  test("is refused where nothing runs", () =>
    inTurn(() =>
      inLoopWorld({ plans: [STOP] }, async (world) => {
        for (const command of ["pause", "resume", "stop"]) {
          const ran = await world.relais([command, "--json"]);
          expect([ran.status, JSON.parse(ran.stdout)]).toEqual([10, expect.objectContaining({ cause: "not_running" })]);
        }
      }),
    ));
});

describe.concurrent("a stop", () => {
  test("reverts the tick, keeps its change in salvage, and waits for the end", () =>
    inTurn(() =>
      inLoopWorld(
        {
          plans: [
            stepOf([
              { do: "write", path: "src/main.ts", text: "export const answer = 43;\n" },
              { do: "run", argv: ["sh", "-c", HOLD] },
            ]),
            goodStep(),
            STOP,
          ],
        },
        async (world) => {
          const started = await startHeld(world);
          const stopped = await world.relais(["stop", "--json"]);
          expect(stopped.status).toBe(0);
          const ran = readLoop(await started.ended);
          expect(JSON.parse(stopped.stdout)).toMatchObject({
            pid: started.process.pid,
            command: "loop",
            salvage: ran.reports[0]?.run_id,
          });
          expect(ran.summary).toMatchObject({ end: "interrupted", exit_status: 143 });
          checkAfterSeries(world, ran);
        },
      ),
    ));
});
