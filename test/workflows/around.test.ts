/** What comes before, between and after the ticks of a loop: answers, settings, refusals, and what a person reads. */
import { describe, expect, test } from "vitest";
import { type Ran } from "../support/relais.ts";
import { inTurn } from "../support/scenario.ts";
import { QUESTION } from "../support/planning.ts";
import {
  checkAfterSeries,
  goodStep,
  inLoopWorld,
  type LoopWorld,
  readLoop,
  RED,
  stepOf,
  STOP,
} from "../support/loop-world.ts";

const { builder: _, ...bare } = { builder: null, ...goodStep() };
const ASK = { ...bare, task_kind: QUESTION.task_kind, question: QUESTION.question };

interface Case {
  readonly shows: string;
  readonly plans: readonly (object | string)[];
  readonly config?: object;
  readonly branch?: string;
  readonly play: (world: LoopWorld) => Promise<void>;
}

/** A service that answers again after some seconds. */
const LIMITED = `echo "retry-at: $("${process.execPath}" -p 'new Date(Date.now() + 6000).toISOString()')" >&2; exit 75\n`;

const CASES: readonly Case[] = [
  {
    shows:
      "a question is shown until it is answered and asked once, and the next loop goes on with the answer in its prompt",
    plans: [goodStep(), ASK, goodStep(), STOP],
    play: async (world) => {
      const asked = await world.loop();
      expect(asked.summary).toMatchObject({ end: "needs_human", exit_status: 14 });
      const unanswered = await world.relais(["loop"]);
      expect(unanswered.status).toBe(14);
      expect(unanswered.stdout).toMatch(/\n\? Waiting for your answer\.\n│ Which one\?\n│ 1\. this\n│ 2\. that\n/u);
      expect(unanswered.stdout).toMatch(/Next:.*\n {2}relais answer "\.\.\." .*\n {2}relais loop /u);
      const answered = await world.relais(["answer", "Take the second one."]);
      expect(answered).toMatchObject({ status: 0, stderr: "" });
      expect(answered.stdout).toMatch(/Next:\n {2}relais loop +continue the series\n/);
      const status = (await world.relais([])).stdout;
      expect(status).toMatch(/needs your answer[\s\S]*Next:\n {2}relais loop +continue the series\n/);
      const again = await world.loop();
      expect(world.prompt(3)).toContain("Take the second one.");
      expect(world.prompt(4)).not.toContain("Take the second one.");
      expect(again.summary).toMatchObject({
        end: "complete",
        resumed: true,
        series_id: asked.summary.series_id,
        ticks: { total: 5 },
      });
      checkAfterSeries(world, again);
    },
  },
  {
    shows: "a series that is over is not taken up; the next one counts from nothing",
    plans: [goodStep(), goodStep(), goodStep()],
    play: async (world) => {
      const first = await world.loop(["--max-ticks", "1"]);
      const second = await world.loop(["--max-ticks", "1"]);
      expect(second.summary).toMatchObject({ resumed: false, ticks: { total: 1 }, budgets: { ticks: 1 } });
      expect(second.summary.series_id).not.toBe(first.summary.series_id);
      expect(JSON.parse(world.read("relais/STATE.json"))).toMatchObject({ budgets: { ticks: 2 } });
      checkAfterSeries(world, second);
    },
  },
  {
    shows: "a series that asked something is left alone with --new and in another mode",
    plans: [ASK, goodStep(), ASK, goodStep()],
    play: async (world) => {
      const first = await world.loop();
      await world.relais(["answer", "--drop"]);
      const anew = await world.loop(["--new", "--max-ticks", "1"]);
      expect(anew.summary).toMatchObject({ resumed: false, end: "max_ticks" });
      const asked = await world.loop();
      expect(asked.summary).toMatchObject({ resumed: false, end: "needs_human" });
      await world.relais(["answer", "--drop"]);
      const other = await world.loop(["--mode", "autonomous", "--max-ticks", "1"]);
      expect(other.summary).toMatchObject({ resumed: false, end: "max_ticks" });
      expect(new Set([first, anew, asked, other].map(({ summary }) => summary.series_id)).size).toBe(4);
    },
  },
  {
    shows: "a series continues on the branch of its commits",
    plans: [goodStep(), ASK, goodStep(), STOP],
    branch: "main",
    play: async (world) => {
      const { summary } = await world.loop();
      const branch = `relais/loop-${summary.series_id.slice(-4)}`;
      world.git("checkout", "-q", "main");
      const refused = await world.relais(["loop", "--json"]);
      expect(refused.status).toBe(11);
      expect(JSON.parse(refused.stdout)).toMatchObject({
        code: "BLOCKED_PROTECTED_BRANCH",
        cause: "other_branch",
        remedy: expect.stringContaining(`git switch ${branch}`),
      });
      world.git("checkout", "-q", branch);
      await world.relais(["answer", "1"]);
      expect((await world.loop()).summary).toMatchObject({ end: "complete", commits_total: 2 });
    },
  },
  {
    shows: "a configuration that never commits is refused before anything begins",
    plans: [STOP],
    config: { git: { commit: "never" } },
    play: async (world) => {
      const ran = await world.relais(["loop", "--json"]);
      expect(ran.status).toBe(11);
      expect(JSON.parse(ran.stdout)).toMatchObject({ code: "BLOCKED_MISSING_CONFIG", cause: "commit_never" });
      expect(world.asked()).toBe(0);
    },
  },
  {
    shows: "a dirty tree blocks the first tick",
    plans: [STOP],
    play: async (world) => {
      world.put({ "src/main.ts": "edited\n" });
      const ran = await world.loop();
      expect(ran.status).toBe(11);
      expect(ran.reports.map(({ code }) => code)).toEqual(["BLOCKED_DIRTY_WORKTREE"]);
      expect(ran.summary).toMatchObject({ end: "blocked", reason: "BLOCKED_DIRTY_WORKTREE" });
      expect(world.read("src/main.ts")).toBe("edited\n");
      expect(world.asked()).toBe(0);
    },
  },
  {
    shows: "each tick has the configuration of its moment",
    plans: [LIMITED, goodStep(), STOP],
    play: async (world) => {
      const ran = await duringTheWait(world, () => {
        const config = world.read("relais.config.json");
        world.put({ "relais.config.json": config.replace("{", '{ "product_name": "other",') });
        world.git("commit", "-qam", "another configuration");
      });
      expect(readLoop(ran).summary).toMatchObject({ end: "complete" });
      const hashes = world
        .journal()
        .flatMap(({ event }) => (event.type === "tick_started" ? [event.config_sha256] : []));
      expect(hashes[1]).not.toBe(hashes[0]);
      expect(hashes[2]).toBe(hashes[1]);
    },
  },
  {
    shows: "a configuration that is broken meanwhile ends the series",
    plans: [LIMITED, goodStep(), STOP],
    play: async (world) => {
      const ran = await duringTheWait(world, () => world.put({ "relais.config.json": "{}}" }));
      expect(ran.status).toBe(11);
      expect(readLoop(ran).summary).toMatchObject({ end: "blocked", reason: "BLOCKED_MISSING_CONFIG" });
      expect(world.asked()).toBe(1);
    },
  },
  {
    shows: "a wrong option is a usage error",
    plans: [STOP],
    play: async (world) => {
      for (const args of [["--mode", "forever"], ["--max-ticks", "0"], ["--max-ticks", "many"], ["now"]])
        expect((await world.relais(["loop", ...args])).status).toBe(2);
    },
  },
  {
    shows: "a person reads a line for each tick and a card",
    plans: [goodStep({ intent: "Say \u001b[31mhello\u001b[0m." }), stepOf([RED])],
    play: async (world) => {
      const { status, stdout, stderr } = await world.relais(["loop"]);
      expect(status).toBe(10);
      expect(stderr).toMatch(/^(?:\d\d:\d\d:\d\d \S+: [^\n]+\n)+$/u);
      expect(stderr).toContain(" end: STOP_VERIFY_FAILED_FAST\n");
      expect(stdout).toMatch(
        /^Series 20\S+\.\n✓ Kept {2}Say .*hello.*; 1 file, \+1\/-1, 0 new; committed as [0-9a-f]{12}; /u,
      );
      expect(stdout).toMatch(/\n✗ Reverted STOP_VERIFY_FAILED_FAST {2}Step \d+\.; /u);
      expect(stdout).toMatch(/\n✗ Stopped: a tick failed\.\n/u);
      expect(stdout).toMatch(/ticks +2: 1 kept, 1 stopped, 0 blocked\n/u);
      expect(stdout).toMatch(/change +1 file, \+1\/-1; 1 commit on work\n/u);
      expect(stdout).toMatch(/relais history show/u);
      expect(`${stdout}${stderr}`).not.toContain("\u001b");
    },
  },
  {
    shows: "a person who wants to hear only of trouble hears nothing of a good series",
    plans: [goodStep(), STOP],
    play: async (world) => {
      expect(await world.relais(["loop", "-q"])).toEqual({ status: 0, stdout: "", stderr: "" });
    },
  },
];

/** Starts a loop whose first tick is refused by a limit, and does something while it waits. */
async function duringTheWait(world: LoopWorld, work: () => void): Promise<Ran> {
  const loop = world.start(["loop", "--json"]);
  await new Promise<void>((resolve) => loop.process.stderr?.once("data", () => resolve()));
  work();
  return loop.ended;
}

describe.concurrent("a loop", () => {
  test.each(CASES)(
    "$shows",
    async (one) => {
      await expect(inTurn(() => inLoopWorld(one, one.play))).resolves.toBeUndefined();
    },
    120_000,
  );
});
