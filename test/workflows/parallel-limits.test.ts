/** A round that meets a limit of a service, a cap of money, or a person who stops or pauses it. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { listLeft, listProcesses } from "../support/attempt-world.ts";
import { environmentOf, executable } from "../support/relais.ts";
import { type RoundWorld, roundWorld } from "../support/round-world.ts";

const write = (id: string) => ({ id, script: `echo ${id} > src/${id}.txt` });

test("a rate limit of one session: the others land, the loop waits, and the task is planned again", async () => {
  const moment = `"${process.execPath}" -p 'new Date(Date.now() + 1500).toISOString()'`;
  const limited = `if [ ! -e "$box/limited" ]; then : > "$box/limited"; echo "retry-at: $(${moment})" >&2; exit 75; fi`;
  const second = { id: "b", script: `${limited}; echo b > src/b.txt` };
  const world = roundWorld([[write("a"), second, write("c")], [second]]);
  expect(await world.loop("--parallel", "3")).toMatchObject({
    status: 0,
    reports: [
      { task: { task_id: "a" }, code: "SUCCESS" },
      { task: { task_id: "c" }, code: "SUCCESS" },
      { task: { task_id: "b" }, code: "STOP_RATE_LIMITED" },
      { task: { task_id: "b" }, code: "SUCCESS" },
      { code: "SUCCESS" },
    ],
    summary: { end: "complete", commits_total: 3 },
  });
  expect(listLeft(world)).toEqual([]);
}, 120_000);

/** Claude Code as it answers on the wire: it does its part, and it costs four cents or as much as it may. */
const CLAUDE = `#!/bin/sh
if [ "$1" = --version ]; then echo "2.1.0 (Claude Code)"; exit 0; fi
box="\${0%/*}"
while [ $# -gt 0 ]; do if [ "$1" = --max-budget-usd ]; then may=$2; fi; shift; done
part=$(grep -o -m1 'Make the part [a-z]*' | head -1 | cut -d' ' -f4)
echo "$may" > "$box/may-$part"
echo "$part" > "src/$part.txt"
costs=$(awk "BEGIN { print ($may < 0.04) ? $may : 0.04 }")
tail -1 "$box/claude.jsonl" | sed "s/\\"total_cost_usd\\":[0-9.]*/\\"total_cost_usd\\":$costs/"
`;

test("what all sessions of the rounds spend together never exceeds the cap", async () => {
  const parts = ["a", "b", "c", "d", "e"].map((id) => ({ id, script: "" }));
  const world = roundWorld([parts.slice(0, 2), parts.slice(2, 4), parts.slice(4)], {
    builder: { default_mode: "claude_code" },
    claude_code_cli: { command: "BOX/claude" },
    budgets: { per_milestone: { max_estimated_cost_usd: 0.1 } },
    loop: { soft_stop_at_warning: false },
  });
  const { box } = world;
  for (const number of [1, 2, 3]) {
    const plan = join(box, `plans/${number}.json`);
    writeFileSync(plan, readFileSync(plan, "utf8").replaceAll('"mode":"command"', '"mode":"claude_code"'));
  }
  const recording = join(import.meta.dirname, "../fixtures/claude/build.jsonl");
  writeFileSync(join(box, "claude.jsonl"), readFileSync(recording));
  writeFileSync(join(box, "claude"), CLAUDE);
  chmodSync(join(box, "claude"), 0o755);
  const { status, summary } = await world.loop("--parallel", "2");
  expect({ status, summary }).toMatchObject({
    status: 12,
    summary: {
      end: "blocked",
      commits_total: 4,
      budgets: { builder_calls: 4, estimated_cost_usd: expect.closeTo(0.1, 6) },
    },
  });
  const may = ["a", "b", "c", "d"].map((part) => Number(readFileSync(join(box, `may-${part}`), "utf8")));
  // Each has half of what is left: of ten cents, and then of two.
  expect(may).toEqual([0.05, 0.05, expect.closeTo(0.01, 6), expect.closeTo(0.01, 6)]);
  expect(existsSync(join(box, "may-e"))).toBe(false);
}, 120_000);

/** Starts a loop, and answers with its exit once somebody of the round says that they are here. */
async function startRound({ box, root }: RoundWorld): Promise<{ readonly status: Promise<number | null> }> {
  const env = environmentOf({ cwd: root, env: { HOME: box, XDG_STATE_HOME: join(box, "state") } });
  const args = [executable, "loop", "--json", "--parallel", "2"];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "ignore" });
  const status = new Promise<number | null>((resolve) => child.on("exit", resolve));
  while (!existsSync(join(box, "here"))) await delay(20);
  return { status };
}

test("relais stop in the middle of a round keeps what is finished, and ends the rest at once", async () => {
  const ready = 'grep -q run_id "../../1/attempt.out"';
  const script = `if [ -e "$box/hang" ]; then until ${ready}; do sleep 0.05; done; : > "$box/here"; sleep 60; fi; echo b > src/b.txt`;
  const world = roundWorld([[write("a"), { id: "b", script }], [{ id: "b", script }]]);
  writeFileSync(join(world.box, "hang"), "");
  const { status } = await startRound(world);
  expect(await world.ask("stop")).toMatchObject({ status: 0 });
  expect(await status).toBe(143);
  while (listProcesses(world).length > 0) await delay(20);
  expect(world.git("status", "--porcelain")).toBe("");
  rmSync(join(world.box, "hang"));
  expect(await world.loop()).toMatchObject({
    status: 0,
    reports: [{ task: { task_id: "a" }, code: "SUCCESS" }, { task: { task_id: "b" }, code: "SUCCESS" }, {}],
    summary: { end: "complete", resumed: true, commits_total: 2, budgets: { builder_calls: 3 } },
  });
  expect(listLeft(world)).toEqual([]);
}, 120_000);

const held = (id: string) => ({
  id,
  script: `: > "$box/here"; while [ ! -e "$box/go" ]; do sleep 0.05; done; echo ${id} > src/${id}.txt`,
});

test("relais pause in the middle of a round lets the running tick end; the others land without a session", async () => {
  const world = roundWorld([[held("a"), held("b")]]);
  const { status } = await startRound(world);
  expect(await world.ask("pause")).toMatchObject({ status: 0 });
  writeFileSync(join(world.box, "go"), "");
  expect(await status).toBe(0);
  expect(world.git("log", "--format=%s", "-1")).toContain("The part a is there.");
  expect(await world.loop()).toMatchObject({
    status: 0,
    reports: [{ task: { task_id: "b" }, code: "SUCCESS" }, { code: "SUCCESS" }],
    summary: { end: "complete", resumed: true, commits_total: 2, budgets: { builder_calls: 2 } },
  });
  expect(listLeft(world)).toEqual([]);
}, 120_000);
