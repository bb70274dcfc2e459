/** A goal and a tree find out that their checks are red before anybody is paid, and say how to go on. */
import { expect, test } from "vitest";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { inGoalWorld } from "../support/goal-world.ts";
import { inTurn } from "../support/scenario.ts";
import { DONE, treeWorld, write } from "../support/tree-world.ts";

const SECOND = { id: "second", cmd: "grep", args: ["-q", "line 1", "src/main.ts"] };

test.concurrent("a goal on a red base pays nobody, and its remedy is the command that goes on", () =>
  inTurn(() =>
    inGoalWorld(
      { config: { verification: { baseline: "auto", templates: [SECOND] } } },
      async ({ world, goal, sessions }) => {
        const { status, summary } = await goal('Write "one" line.');
        const goOn = `relais goal 'Write "one" line.' --fixes second`;
        expect([status, summary.reason]).toEqual([11, "BLOCKED_BASELINE_RED"]);
        expect(JSON.parse(world.read("relais/REPORT.json"))).toMatchObject({
          code: "BLOCKED_BASELINE_RED",
          message: "Before any work, `second` fails.",
          go_on: goOn,
          budgets: { builder_calls: 0, reviewer_calls: 0 },
        });
        expect((await world.relais(["goal", 'Write "one" line.'])).stdout).toContain(goOn);
        expect((await goal("resume")).summary.reason).toBe("BLOCKED_BASELINE_RED");
        expect(sessions()).toEqual([]);
        const fixed = await goal('Write "one" line.', "--fixes", "second");
        expect([fixed.status, fixed.summary.status]).toEqual([0, "complete"]);
        expect(sessions()).toHaveLength(4);
      },
    ),
  ),
);

test.concurrent("a base that a person made green lets the same goal go on", () =>
  inTurn(() =>
    inGoalWorld(
      { config: { verification: { baseline: "auto", templates: [SECOND] } } },
      async ({ world, goal, sessions }) => {
        await goal("Write.");
        world.put({ "src/main.ts": "line 1\n" });
        world.git("commit", "-qam", "by hand");
        expect((await goal("resume")).summary.status).toBe("complete");
        expect(sessions()).toHaveLength(4);
      },
    ),
  ),
);

const RIGHT = `${write("src/x.ts", "right")}; ${DONE}`;
const ON = { verification: { baseline: "auto" } };

test.concurrent("a tree with a red guard pays nobody, and goes on with the command that it names", () =>
  inTurn(async () => {
    const world = treeWorld({ turns: [RIGHT], config: ON });
    const { summary, reports } = await world.iterate("run");
    expect(reports).toMatchObject([{ code: "BLOCKED_BASELINE_RED", go_on: "relais tree run --fixes guard" }]);
    expect(summary).toMatchObject({ end: "blocked", exit_status: 11, hint: expect.stringContaining("--fixes guard") });
    expect(world.asked()).toBe(0);
    expect(world.subjects()).toEqual([]);
    expect((await world.iterate("run", "--fixes", "guard")).summary).toMatchObject({ end: "complete" });
    expect(world.asked()).toBe(1);
  }),
);

test.concurrent.each([
  ["a script", { tree: { guard: ["sh", "later.sh"] } }],
  ["a script of a package", { tree: { guard: ["npm", "run", "later"] } }],
])("a guard whose recipe is not there yet is no red base: %s", (_, config) =>
  inTurn(async () => {
    const world = treeWorld({ turns: ["result retry"], config: { ...ON, ...config } });
    expect((await world.iterate("step")).reports).toMatchObject([{ code: expect.not.stringContaining("BLOCKED") }]);
    expect(world.asked()).toBe(1);
  }),
);

test.concurrent("a campaign, a loop and a job take --fixes, too", () =>
  inTurn(() =>
    inCampaignWorld({}, async ({ campaign, world }) => {
      expect((await campaign("run", "lines", "--fixes", "second")).summary).toMatchObject({ sentinel: "complete" });
      for (const args of [["loop"], ["submit", "loop"], ["submit", "goal", "x y"], ["submit", "tree"]])
        expect((await world.relais([...args, "--fixes", "x", "--nonsense"])).stderr).toMatch(/nonsense/);
      expect((await world.relais(["run", "x", "--mends", "y"])).stderr).toMatch(/mends/);
    }),
  ),
);
