/** A loop that is interrupted or killed, and the next one that goes on with it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { useExecutable } from "../support/relais.ts";
import { inTurn } from "../support/scenario.ts";
import {
  checkAfterSeries,
  checkNobodyIsLeft,
  goodStep,
  inLoopWorld,
  type LoopRan,
  type LoopWorld,
  readLoop,
  stepOf,
  STOP,
} from "../support/loop-world.ts";

useExecutable();

const HERE = ': > "$HOME/here"; sleep 60';
const TEMPLATES = [
  { id: "answer", cmd: "grep", args: ["-q", "42", "src/main.ts"] },
  { id: "green", cmd: "true" },
  { id: "hang", cmd: "sh", args: ["-c", HERE] },
];
const CONFIG = { verification: { templates: TEMPLATES } };
const hangingBuild = (): object => stepOf([{ do: "run", argv: ["sh", "-c", HERE] }]);
const hangingCheck = (): object => goodStep({ verification: { fast: ["answer", "hang"], slow: [] } });
const STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Starts a loop, waits until somebody in it says where they are, and sends a signal. */
async function loopAndSignal(
  world: LoopWorld,
  signal: NodeJS.Signals,
  { args = [], isReady = () => existsSync(join(world.box, "home", "here")) }: Moment = {},
): Promise<Awaited<ReturnType<LoopWorld["relais"]>>> {
  const started = world.start(["loop", "--json", ...args]);
  const said = { text: "" };
  started.process.stdout?.on("data", (text: string) => (said.text += text));
  started.process.stderr?.on("data", (text: string) => (said.text += text));
  const ended = { is: false };
  void started.ended.then(() => (ended.is = true));
  while (!isReady(said.text) && !ended.is) await delay(20);
  expect(ended.is).toBe(false);
  started.process.kill(signal);
  return started.ended;
}

interface Moment {
  readonly args?: readonly string[];
  readonly isReady?: (said: string) => boolean;
}

const interrupted = (ran: LoopRan, signal: keyof typeof STATUS): void => {
  expect(ran.status).toBe(STATUS[signal]);
  expect(ran.summary).toMatchObject({ end: "interrupted", exit_status: STATUS[signal] });
};

const PHASES = [
  ["SIGINT", "plan", HERE],
  ["SIGTERM", "plan", HERE],
  ["SIGINT", "build", hangingBuild()],
  ["SIGHUP", "build", hangingBuild()],
  ["SIGTERM", "verify", hangingCheck()],
  ["SIGINT", "verify", hangingCheck()],
] as const;

const hasReported = (said: string): boolean => said.includes('"run_id"');
const isWaiting = (said: string): boolean => WAITING.test(said);

describe.concurrent("a signal", () => {
  test.each(PHASES)(
    "%s in the %s phase ends the loop, and the next one goes on with the series",
    (signal, _phase, hanging) =>
      inTurn(() =>
        inLoopWorld({ plans: [goodStep(), hanging, goodStep(), STOP], config: CONFIG }, async (world) => {
          const ran = readLoop(await loopAndSignal(world, signal));
          interrupted(ran, signal);
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

  test("between two ticks ends the loop with what it has", () =>
    inTurn(() =>
      inLoopWorld({ plans: [goodStep(), goodStep(), STOP] }, async (world) => {
        const ran = readLoop(await loopAndSignal(world, "SIGINT", { isReady: hasReported }));
        interrupted(ran, "SIGINT");
        expect(ran.reports[0]).toMatchObject({ code: "SUCCESS" });
        expect(ran.summary.commits_total).toBe(1);
        checkAfterSeries(world, ran);
      }),
    ));
});

const LIMITED = "echo 'too many requests' >&2; exit 75\n";
const WAITING = /waiting for a rate limit until (\S+),/;

describe.concurrent("a rate limit", () => {
  test("is waited out, and its tick counts for nothing", () =>
    inTurn(() =>
      inLoopWorld(
        { plans: [goodStep(), LIMITED, goodStep(), STOP], config: { loop: { max_wait_seconds: 1 } } },
        async (world) => {
          const ran = await world.loop(["--max-ticks", "2"]);
          expect(ran.reports.map(({ code }) => code)).toEqual(["SUCCESS", "STOP_RATE_LIMITED", "SUCCESS"]);
          expect(ran.stderr).toMatch(WAITING);
          expect(ran.summary).toMatchObject({
            end: "max_ticks",
            budgets: { ticks: 2, orchestrator_calls: 2 },
          });
          checkAfterSeries(world, ran);
        },
      ),
    ));

  test("that does not pass within the configured time ends the loop", () =>
    inTurn(() =>
      inLoopWorld(
        { plans: [LIMITED, LIMITED, goodStep()], config: { loop: { max_wait_seconds: 1 } } },
        async (world) => {
          const ran = await world.loop();
          expect(ran.reports.map(({ code }) => code)).toEqual(["STOP_RATE_LIMITED", "STOP_RATE_LIMITED"]);
          expect(ran.summary).toMatchObject({ end: "stopped", reason: "STOP_RATE_LIMITED", exit_status: 13 });
          expect(ran.summary.budgets).toMatchObject({ ticks: 0, orchestrator_calls: 0 });
          checkAfterSeries(world, ran);
        },
      ),
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

  test("survives a signal and a restart: the next loop waits for the same moment", () =>
    inTurn(() =>
      inLoopWorld(
        {
          plans: ['echo "retry-at: $(cat "$HOME/moment")" >&2; exit 75\n', goodStep(), STOP],
          files: {},
        },
        async (world) => {
          const moment = new Date(Date.now() + 20_000).toISOString();
          world.put({ "../../home/moment": moment });
          const ran = readLoop(await loopAndSignal(world, "SIGINT", { isReady: isWaiting }));
          interrupted(ran, "SIGINT");
          checkAfterSeries(world, ran);
          const again = await world.loop();
          expect(WAITING.exec(again.stderr)?.[1]).toBe(moment);
          const planned = world.journal().find(({ event }) => event.type === "planned");
          expect(Date.parse(planned?.at ?? "")).toBeGreaterThanOrEqual(Date.parse(moment));
          expect(again.summary).toMatchObject({ end: "complete", series_id: ran.summary.series_id });
        },
      ),
    ));
});

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
        expect(branch).toBe(`relais/${first?.series_id}`);
        checkAfterSeries(world, again);
      },
    ),
  120_000,
);

test("while a loop runs, nobody else works here", () =>
  inLoopWorld({ plans: [HERE, STOP] }, async (world) => {
    const started = world.start(["loop", "--json"]);
    while (!existsSync(join(world.box, "home", "here"))) await delay(20);
    const other = await world.relais(["loop", "--json"]);
    expect(other.status).toBe(11);
    expect(JSON.parse(other.stdout)).toMatchObject({ code: "BLOCKED_LOCK_HELD" });
    started.process.kill("SIGTERM");
    expect((await started.ended).status).toBe(143);
    checkNobodyIsLeft(world);
  }));
