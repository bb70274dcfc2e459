/** A loop that is interrupted or killed, and the next one that goes on with it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { inTurn } from "../support/scenario.ts";
import {
  checkAfterSeries,
  checkNobodyIsLeft,
  goodStep,
  inLoopWorld,
  readLoop,
  stepOf,
  STOP,
} from "../support/loop-world.ts";
import { checkInterrupted, loopAndSignal, WAITING } from "../support/signalled-loop.ts";

const HERE = ': > "$HOME/here"; sleep 60';
const TEMPLATES = [
  { id: "answer", cmd: "grep", args: ["-q", "42", "src/main.ts"] },
  { id: "green", cmd: "true" },
  { id: "hang", cmd: "sh", args: ["-c", HERE] },
];
const CONFIG = { verification: { templates: TEMPLATES } };
const hangingBuild = (): object => stepOf([{ do: "run", argv: ["sh", "-c", HERE] }]);
const hangingCheck = (): object => goodStep({ verification: { fast: ["answer", "hang"], slow: [] } });

const PHASES = [
  ["SIGINT", "plan", HERE],
  ["SIGTERM", "plan", HERE],
  ["SIGINT", "build", hangingBuild()],
  ["SIGHUP", "build", hangingBuild()],
  ["SIGTERM", "verify", hangingCheck()],
  ["SIGINT", "verify", hangingCheck()],
] as const;

describe.concurrent("a signal", () => {
  test.each(PHASES)(
    "%s in the %s phase ends the loop, and the next one goes on with the series",
    (signal, _phase, hanging) =>
      inTurn(() =>
        inLoopWorld({ plans: [goodStep(), hanging, goodStep(), STOP], config: CONFIG }, async (world) => {
          const ran = readLoop(await loopAndSignal(world, signal));
          checkInterrupted(ran, signal);
          expect(ran.reports.map(({ code }) => code)).toEqual(["SUCCESS", "STOP_INTERRUPTED"]);
          checkAfterSeries(world, ran);
          const again = await world.loop();
          expect(again.reports.map(({ code }) => code)).toEqual(["SUCCESS", "SUCCESS"]);
          expect(again.summary).toMatchObject({
            end: "complete",
            resumed: true,
            series_id: ran.summary.series_id,
            ticks: { total: 4, success: 3, stop: 1 },
            budgets: { ticks: 4 },
          });
          checkAfterSeries(world, again);
        }),
      ),
    120_000,
  );
});

const NEVER = "echo 'retry-at: +275760-09-13T00:00:00Z' >&2; exit 75\n";
const LIMITED = "echo 'too many requests' >&2; exit 75\n";

describe.concurrent("a rate limit", () => {
  test("is waited out, and its tick counts for nothing", () =>
    inTurn(() =>
      inLoopWorld(
        { plans: [goodStep(), LIMITED, goodStep(), STOP], config: { loop: { max_wait_seconds: 1 } } },
        async (world) => {
          const ran = await world.loop(["--max-ticks", "2"]);
          expect(ran.reports.map(({ code }) => code)).toEqual(["SUCCESS", "STOP_RATE_LIMITED", "SUCCESS"]);
          expect(ran.stderr).toMatch(WAITING);
          expect(ran.reports[1]?.budgets).toEqual(ran.reports[0]?.budgets);
          expect(ran.summary).toMatchObject({
            end: "max_ticks",
            budgets: { ticks: 2, orchestrator_calls: 2 },
          });
          checkAfterSeries(world, ran);
        },
      ),
    ));

  test("that does not pass within the configured time ends the loop, and a moment that no clock has is none", () =>
    inTurn(() =>
      inLoopWorld({ plans: [NEVER, LIMITED, goodStep()], config: { loop: { max_wait_seconds: 1 } } }, async (world) => {
        const ran = await world.loop();
        expect(ran.reports.map(({ code }) => code)).toEqual(["STOP_RATE_LIMITED", "STOP_RATE_LIMITED"]);
        expect(ran.summary).toMatchObject({ end: "stopped", reason: "STOP_RATE_LIMITED", exit_status: 13 });
        expect(ran.summary.budgets).toMatchObject({ ticks: 0, orchestrator_calls: 0 });
        checkAfterSeries(world, ran);
      }),
    ));

  test("whose moment is too far away is not waited for", () =>
    inTurn(() =>
      inLoopWorld({ plans: ["echo 'retry-at: 2999-01-01T00:00:00Z' >&2; exit 75\n"] }, async (world) => {
        const ran = await world.loop();
        expect(ran.summary).toMatchObject({ end: "stopped", exit_status: 13 });
        expect(ran.summary.message).toContain("2999-01-01T00:00:00.000Z");
        checkAfterSeries(world, ran);
      }),
    ));

  test("of several reviewers is waited for as long as the last of them asks", () =>
    inTurn(() =>
      inLoopWorld(
        {
          plans: [goodStep()],
          config: {
            review: { reviewers: ["first", "second", "third"], quorum: 1 },
            roles: { reviewer: { driver: "claude_code" } },
            claude_code_cli: { command: "../../claude" },
          },
        },
        async (world) => {
          const recording = join(import.meta.dirname, "../fixtures/claude/usage-limit.jsonl");
          world.put({
            "../../claude": [
              "#!/bin/sh",
              "cat > /dev/null",
              'case "$RELAIS_REVIEWER" in second) at=32472144000 ;; *) at=32440608000 ;; esac',
              `sed "s/1795000000/$at/" '${recording}'`,
              "exit 1",
              "",
            ].join("\n"),
          });
          const ran = await world.loop();
          expect(ran.reports).toMatchObject([
            { code: "STOP_RATE_LIMITED", cause: "reviewer_usage_limit", settle: { action: "rollback" } },
          ]);
          expect(ran.summary).toMatchObject({ end: "stopped", exit_status: 13, budgets: { ticks: 0 } });
          expect(ran.summary.message).toContain("2999-01-01T00:00:00.000Z");
          checkAfterSeries(world, ran);
        },
      ),
    ));

  test("that nobody waits for ends the loop", () =>
    inTurn(() =>
      inLoopWorld(
        { plans: [stepOf([{ do: "exit", status: 75 }])], config: { loop: { on_rate_limit: "stop" } } },
        async (world) => {
          const ran = await world.loop();
          expect(ran.summary).toMatchObject({ end: "stopped", reason: "STOP_RATE_LIMITED", exit_status: 13 });
          checkAfterSeries(world, ran);
        },
      ),
    ));
});

test("the ticks that a command asks for are its own, also where it takes a series up", () =>
  inLoopWorld({ plans: [goodStep(), hangingBuild(), goodStep(), goodStep(), goodStep()] }, async (world) => {
    await loopAndSignal(world, "SIGKILL", { args: ["--max-ticks", "5"] });
    const again = await world.loop(["--max-ticks", "1"]);
    expect(again.summary.message).toBe("Reached --max-ticks (1).");
    expect(again.reports.map(({ code }) => code)).toEqual(["SUCCESS"]);
    expect(again.summary).toMatchObject({ end: "max_ticks", resumed: true, ticks: { success: 2 } });
  }));

test(
  "a loop that is killed in its third tick is taken up by the next one, which does what was left of five",
  () =>
    inLoopWorld(
      {
        plans: [goodStep(), goodStep(), hangingBuild(), goodStep(), goodStep(), goodStep(), goodStep()],
        branch: "main",
      },
      async (world) => {
        await loopAndSignal(world, "SIGKILL", { args: ["--max-ticks", "5"] });
        const branch = world.git("rev-parse", "--abbrev-ref", "HEAD");
        const again = await world.loop();
        expect(again.reports.map(({ code }) => code)).toEqual(["SUCCESS", "SUCCESS", "SUCCESS"]);
        const [first] = world.journal();
        expect(again.summary).toMatchObject({
          end: "max_ticks",
          max_ticks: 5,
          resumed: true,
          series_id: first?.series_id,
          recovered_run_id: expect.any(String),
          branch,
          commits_total: 5,
          ticks: { total: 6, success: 5, stop: 1 },
          budgets: { ticks: 6, orchestrator_calls: 6 },
        });
        expect(branch).toBe(`relais/loop-${first?.series_id.slice(-4)}`);
        checkAfterSeries(world, again);
      },
    ),
  120_000,
);

test("while a loop runs, nobody else works here", () =>
  inLoopWorld({ plans: [goodStep(), HERE, STOP] }, async (world) => {
    const started = world.start(["loop", "--json"]);
    while (!existsSync(join(world.box, "home", "here"))) await delay(20);
    const tick = world.journal().findLast(({ event }) => event.type === "tick_started");
    expect(JSON.parse(world.read("relais/lock.json"))).toMatchObject({ run_id: tick?.run_id });
    const status = JSON.parse((await world.relais(["status", "--json"])).stdout);
    expect(status).toMatchObject({
      running: { run_id: tick?.run_id, waits_until: null },
      open_series: [],
    });
    const other = await world.relais(["loop", "--json"]);
    expect(other.status).toBe(11);
    expect(JSON.parse(other.stdout)).toMatchObject({ code: "BLOCKED_LOCK_HELD" });
    started.process.kill("SIGTERM");
    expect((await started.ended).status).toBe(143);
    checkNobodyIsLeft(world);
  }));
