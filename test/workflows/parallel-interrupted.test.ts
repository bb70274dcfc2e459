/** A loop with several tasks at once that is killed or interrupted, and the next one that goes on with it. */
import { spawn } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { listLeft, listProcesses } from "../support/attempt-world.ts";
import { environmentOf, executable } from "../support/relais.ts";
import { type RoundWorld, roundWorld } from "../support/round-world.ts";

/** Starts a loop, sends the signal once somebody says that they are here, and waits until nobody is left. */
async function interrupt(world: RoundWorld, signal: NodeJS.Signals, ...args: string[]): Promise<number | null> {
  const { box, root } = world;
  const env = environmentOf({ cwd: root, env: { HOME: box, XDG_STATE_HOME: join(box, "state") } });
  const child = spawn(process.execPath, [executable, "loop", "--json", ...args], { cwd: root, env, stdio: "ignore" });
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  while (!existsSync(join(box, "here"))) await delay(20);
  child.kill(signal);
  const status = await ended;
  while (listProcesses(world).length > 0) await delay(20);
  return status;
}

/** Waits the first time, where both are at work. */
const hanging = (id: string) => ({
  id,
  script: `if [ -e "$box/hang" ]; then : > "$box/here"; sleep 60; fi; echo ${id} > src/${id}.txt`,
});

const write = (id: string) => ({ id, script: `echo ${id} > src/${id}.txt` });

test.each([
  ["SIGKILL", null],
  ["SIGINT", 130],
] as const)(
  "after %s in the middle of a round the next loop plans it again, and nothing is left",
  async (signal, status) => {
    const steps = [hanging("a"), hanging("b")];
    const world = roundWorld([steps, steps]);
    writeFileSync(join(world.box, "hang"), "");
    expect(await interrupt(world, signal, "--parallel", "2")).toBe(status);
    rmSync(join(world.box, "hang"));
    expect(await world.loop()).toMatchObject({
      status: 0,
      reports: [{ code: "SUCCESS" }, { code: "SUCCESS" }, { code: "SUCCESS" }],
      summary: { end: "complete", resumed: true, parallel: 2, commits_total: 2, budgets: { builder_calls: 4 } },
    });
    expect(listLeft(world)).toEqual([]);
  },
  120_000,
);

const ended = (number: number) => `grep -q run_id "../../${number}/attempt.out"`;

test.each([
  ["SIGKILL", null],
  ["SIGINT", 130],
] as const)(
  "after %s what was finished beside lands without another session, and what it cost counts once",
  async (signal, status) => {
    // The first and the last have ended when the second is interrupted.
    const script = `if [ -e "$box/hang" ]; then until ${ended(1)} && ${ended(3)}; do sleep 0.05; done; : > "$box/here"; sleep 60; fi; echo b > src/b.txt`;
    const world = roundWorld([[write("a"), { id: "b", script }, write("c")], [{ id: "b", script }]]);
    writeFileSync(join(world.box, "hang"), "");
    expect(await interrupt(world, signal, "--parallel", "3")).toBe(status);
    rmSync(join(world.box, "hang"));
    expect(await world.loop()).toMatchObject({
      status: 0,
      reports: [
        { task: { task_id: "a" }, code: "SUCCESS" },
        { task: { task_id: "c" }, code: "SUCCESS" },
        { task: { task_id: "b" }, code: "SUCCESS" },
        { code: "SUCCESS" },
      ],
      // Three sessions of the round, and one that does the second task again.
      summary: { end: "complete", resumed: true, commits_total: 3, budgets: { builder_calls: 4 } },
    });
    expect(listLeft(world)).toEqual([]);
    expect(world.git("status", "--porcelain")).toBe("");
  },
  120_000,
);

test("after a kill while the second task lands, it lands without another session", async () => {
  const check = "if test -e $HOME/hang && test -e src/a.txt && test -e src/b.txt; then : > $HOME/here; sleep 60; fi";
  const world = roundWorld([[write("a"), write("b"), write("c")]], {
    verification: { baseline: "off", templates: [{ id: "whole", cmd: "sh", args: ["-c", check] }] },
  });
  writeFileSync(join(world.box, "hang"), "");
  await interrupt(world, "SIGKILL", "--parallel", "3");
  rmSync(join(world.box, "hang"));
  expect(await world.loop()).toMatchObject({
    status: 0,
    reports: [{ task: { task_id: "b" }, code: "SUCCESS" }, { task: { task_id: "c" } }, { code: "SUCCESS" }],
    summary: { end: "complete", resumed: true, commits_total: 3, budgets: { builder_calls: 3 } },
  });
  expect(listLeft(world)).toEqual([]);
  expect(world.git("status", "--porcelain")).toBe("");
}, 120_000);
