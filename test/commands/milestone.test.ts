/** A reached cap blocks before anybody is called, and a person opens the next milestone. */
import { expect, test } from "vitest";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { inGoalWorld } from "../support/goal-world.ts";
import { control, goodStep, inLoopWorld, STOP } from "../support/loop-world.ts";
import { inTurn } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";
import { node } from "../support/tree-node.ts";
import { treeWorld } from "../support/tree-world.ts";

const capped = (per_milestone: object) => ({
  budgets: { per_milestone },
  loop: { soft_stop_at_warning: false },
  orchestrator: { max_parse_retries_per_tick: 0 },
});
const spentIn = ({ read }: World): unknown => JSON.parse(read("relais/STATE.json")).budgets;

const CAPS = [
  ["ticks", { max_ticks: 1 }],
  ["orchestrator_calls", { max_orchestrator_calls: 1 }],
  ["builder_calls", { max_builder_calls: 1 }],
  ["verify_runs", { max_verify_runs: 2 }],
] as const;

test.concurrent.each(CAPS)("a reached cap of %s blocks a planned tick before it is planned", (cause, caps) =>
  inTurn(() =>
    inLoopWorld({ plans: [goodStep(), goodStep(), STOP], config: capped(caps), branch: "topic" }, async (world) => {
      expect((await world.loop(["--max-ticks", "1"])).status).toBe(0);
      const spent = spentIn(world);
      for (const command of ["run", "loop"]) {
        const ran = await world.relais([command]);
        expect(ran.status).toBe(12);
        expect(ran.stdout).toContain("relais milestone next");
      }
      expect((await world.relais(["status", "--preflight", "--json"])).stdout).toContain("BLOCKED_BUDGET_CAP");
      expect(JSON.parse(world.read("relais/REPORT.json"))).toMatchObject({ code: "BLOCKED_BUDGET_CAP", cause });
      expect(world.asked()).toBe(1);
      expect(spentIn(world)).toEqual(spent);
      const opened = await world.relais(["milestone", "next", "--json"]);
      expect(opened.status).toBe(0);
      expect(JSON.parse(opened.stdout)).toMatchObject({ milestone_id: null, closed: "M-1", spent, problems: [] });
      expect(JSON.parse(world.read("relais/history/milestones/M-1.json"))).toMatchObject({ budgets: spent });
      expect((await world.relais(["run"])).status).toBe(0);
      expect(world.asked()).toBe(2);
      expect((await world.relais(["history", "replay"])).status).toBe(0);
    }),
  ),
);

test.concurrent("an autonomous loop pays one plan on a spent milestone, and a plan for that milestone ends it", () =>
  inTurn(async () => {
    const config = capped({ max_ticks: 1 });
    const loop = ["--mode", "autonomous"];
    await inLoopWorld({ plans: [goodStep(), goodStep()], config, branch: "topic" }, async (world) => {
      const { summary } = await world.loop(loop);
      expect(summary).toMatchObject({ end: "blocked", reason: "BLOCKED_BUDGET_CAP", budgets: { builder_calls: 1 } });
      expect(world.asked()).toBe(2);
    });
    await inLoopWorld({ plans: [goodStep(), control("continue")], config, branch: "topic" }, async (world) => {
      expect((await world.loop(loop)).summary).toMatchObject({ end: "blocked", reason: "BLOCKED_BUDGET_CAP" });
      expect(world.asked()).toBe(2);
    });
  }),
);

test.concurrent("a series at its own cap asks nobody, and is not told to open a milestone, which would not help", () =>
  inTurn(() => {
    const config = { budgets: { per_run: { max_ticks: 1 } }, loop: { soft_stop_at_warning: false } };
    return inLoopWorld({ plans: [goodStep(), goodStep()], config, branch: "topic" }, async (world) => {
      const { status, stdout } = await world.relais(["loop"]);
      expect([status, world.asked()]).toEqual([12, 1]);
      expect(stdout).toContain("Raise the cap of `budgets.per_run`");
      expect(stdout).not.toContain("relais milestone next");
    });
  }),
);

const GO_ON = "*) vote continue '' 'More is wanted.' ;;";

test.concurrent.each([
  ["ticks", { max_ticks: 2 }],
  ["reviewer_calls", { max_reviewer_calls: 3 }],
  ["verify_runs", { max_verify_runs: 1 }],
])("a goal at its cap of %s calls nobody, and goes on in the next milestone", (cause, caps) =>
  inTurn(() =>
    inGoalWorld({ reviewers: GO_ON, config: { ...capped(caps), goal: { checks: ["green"] } } }, async (goals) => {
      const { world, goal, sessions } = goals;
      const { summary } = await goal("Write lines.", "--max-turns", "2");
      expect(summary).toMatchObject({ end: "blocked", reason: "BLOCKED_BUDGET_CAP" });
      const paid = ["completion", "evidence", "risk", "worker"];
      expect(sessions().toSorted()).toEqual(paid);
      const spent = spentIn(world);
      expect((await goal("resume")).status).toBe(12);
      expect(JSON.parse(world.read("relais/REPORT.json"))).toMatchObject({ cause });
      expect([sessions().length, spentIn(world)]).toEqual([paid.length, spent]);
      expect((await world.relais(["milestone", "next"])).status).toBe(0);
      await goal("resume");
      expect(sessions().length).toBe(2 * paid.length);
    }),
  ),
);

test.concurrent("a tree and a campaign at their caps call nobody either", () =>
  inTurn(async () => {
    const tree = treeWorld({
      config: { budgets: { per_milestone: { max_builder_calls: 1 } } },
      root: node("root"),
      turns: ["result retry", "result retry"],
    });
    await tree.iterate("step");
    expect((await tree.iterate("step")).summary).toMatchObject({ last_code: "BLOCKED_BUDGET_CAP" });
    expect(tree.asked()).toBe(1);
    await inCampaignWorld({ config: capped({ max_reviewer_calls: 1 }) }, async ({ campaign, sessions }) => {
      expect((await campaign("run", "lines")).status).toBe(12);
      const paid = sessions();
      expect(paid.filter((one) => one.startsWith("verifier"))).toHaveLength(1);
      expect((await campaign("run", "lines")).status).toBe(12);
      expect(sessions()).toEqual(paid);
    });
  }),
);

test.concurrent("only a person opens a milestone, and only after something was spent", () =>
  inTurn(() =>
    inLoopWorld({ plans: [goodStep()], branch: "topic" }, async (world) => {
      const next = (name: string, env = {}) => world.relais(["milestone", "next", name, "--json"], env);
      expect(JSON.parse((await next("M-2")).stdout)).toMatchObject({ cause: "milestone_unspent" });
      await world.loop(["--max-ticks", "1"]);
      for (const marker of ["RELAIS_RUN_ID", "CLAUDECODE", "CODEX_THREAD_ID"]) {
        const refused = await next("M-2", { [marker]: "1" });
        expect(refused.status).toBe(10);
        expect(JSON.parse(refused.stdout)).toMatchObject({ cause: "not_a_person" });
      }
      expect(JSON.parse((await next("M-1")).stdout)).toMatchObject({ cause: "same_milestone" });
      expect((await next("x".repeat(81))).status).toBe(2);
      expect(JSON.parse(world.read("relais/STATE.json"))).toMatchObject({ milestone_id: "M-1", budgets: { ticks: 1 } });
      expect((await next("M-2")).status).toBe(0);
      expect(JSON.parse(world.read("relais/STATE.json"))).toMatchObject({ milestone_id: "M-2", budgets: { ticks: 0 } });
      expect((await world.relais(["status"])).stdout).toMatch(/milestone +M-2/);
    }),
  ),
);
