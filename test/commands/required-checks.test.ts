/** Required checks: no plan, goal, tree or campaign leaves them out; a person may, and the card says so. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { inGoalWorld } from "../support/goal-world.ts";
import { goodStep, inLoopWorld, stepOf } from "../support/loop-world.ts";
import { inTurn } from "../support/scenario.ts";
import { DONE, treeWorld, write } from "../support/tree-world.ts";

const ONLY_LINT = { verification: { fast: ["green"], slow: [] } };
const REQUIRED = { verification: { required: ["answer"] } };
const BREAKS = [{ do: "write", path: "src/main.ts", text: "export const answer = 0;\n" }];

test.concurrent("a planner that names only one check gets no change committed that breaks another", () =>
  inTurn(() =>
    inLoopWorld({ plans: [stepOf(BREAKS, ONLY_LINT)], config: REQUIRED, branch: "topic" }, async (world) => {
      for (const command of ["loop", "run"]) {
        const ran = await world.relais([command, "--json"]);
        expect(ran.status).toBe(10);
        expect(JSON.parse(world.read("relais/REPORT.json"))).toMatchObject({
          code: "STOP_VERIFY_FAILED_SLOW",
          verification: { runs: [{ template_id: "green" }, { template_id: "answer", exit_code: 1 }] },
        });
      }
      // Neither a further try nor a landing leaves out what the plan could not.
      expect((await world.relais(["fix"])).stdout).toMatch(/STOP_VERIFY_FAILED_SLOW/);
      expect((await world.relais(["land", JSON.parse(world.read("relais/REPORT.json")).run_id])).stdout).toMatch(
        /STOP_VERIFY_FAILED_SLOW/,
      );
      expect(world.git("log", "--format=%s")).not.toContain("Step");
    }),
  ),
);

test.concurrent("what a plan names already runs once, and without the key nothing is required", () =>
  inTurn(async () => {
    await inLoopWorld({ plans: [goodStep()], config: REQUIRED, branch: "topic" }, async (world) => {
      const { reports } = await world.loop(["--max-ticks", "1"]);
      expect(reports[0]?.verification.runs.map(({ template_id: id }) => id)).toEqual(["answer", "green"]);
    });
    await inLoopWorld({ plans: [stepOf(BREAKS, ONLY_LINT)], branch: "topic" }, async (world) => {
      expect((await world.loop(["--max-ticks", "1"])).summary).toMatchObject({ commits_total: 1 });
    });
  }),
);

test.concurrent("a person's option and task leave checks out, and the card says so; an agent's do not", () =>
  inTurn(() =>
    inLoopWorld({ plans: [stepOf(BREAKS, ONLY_LINT)], config: REQUIRED, branch: "topic" }, async (world) => {
      const file = join(world.box, "own.json");
      writeFileSync(file, JSON.stringify(stepOf(BREAKS, ONLY_LINT)));
      const own = await world.relais(["run", "--task", file]);
      expect(own.stdout).toMatch(/required, and left out by you: answer/);
      expect(JSON.parse(world.read("relais/REPORT.json"))).toMatchObject({ verification: { left_out: ["answer"] } });
      await world.relais(["undo"]);
      const agent = await world.relais(["run", "--task", file], { CLAUDECODE: "1" });
      expect(agent.stdout).toContain("STOP_VERIFY_FAILED_SLOW");
      const asked = await world.relais(["run", "--check", "green"], { CLAUDECODE: "1" });
      expect(asked.stdout).toContain("STOP_VERIFY_FAILED_SLOW");
      const person = await world.relais(["run", "--check", "green"]);
      expect(person.stdout).toMatch(/required, and left out by you: answer/);
    }),
  ),
);

const RED = { id: "second", cmd: "grep", args: ["-q", "line 2", "src/main.ts"] };
const GREEN = { id: "green", cmd: "true" };
const TEMPLATES = { templates: [GREEN, RED], required: ["second"] };

test.concurrent("a goal and a campaign run required checks besides their own", () =>
  inTurn(async () => {
    const config = { verification: TEMPLATES, goal: { checks: ["green"] } };
    await inGoalWorld({ config }, async ({ goal, sessions }) => {
      expect((await goal("Reach it")).summary).toMatchObject({ status: "complete", turns_completed: 2 });
      expect(sessions().filter((one) => one !== "worker")).toHaveLength(3);
    });
    const worker = `echo "line $turn" >> src/main.ts; note; claim '{"path":"src/main.ts","issue":1}'; signal verify`;
    await inCampaignWorld({ worker, config: { verification: TEMPLATES } }, async ({ campaign, sessions }) => {
      expect((await campaign("run", "lines")).summary).toMatchObject({ sentinel: "complete" });
      expect(sessions().slice(0, 2)).toMatchObject([
        expect.stringMatching(/^worker/),
        expect.stringMatching(/^worker/),
      ]);
    });
  }),
);

test.concurrent("in a tree the guard is all that is required, unless the key is written", () =>
  inTurn(async () => {
    const turns = [`${write("src/x.ts", "right")}; ${DONE}`, `${write("src/y.ts", "more")}; ${DONE}`];
    const y = { id: "y", cmd: "test", args: ["-f", "src/y.ts"] };
    const alone = treeWorld({ turns, config: { verification: { templates: [y], baseline: "off" } } });
    expect((await alone.iterate("run")).reports).toMatchObject([{ code: "SUCCESS" }]);
    const config = { verification: { templates: [y], required: ["y"], baseline: "off" } };
    const world = treeWorld({ turns, config });
    expect((await world.iterate("run")).reports).toMatchObject([
      { code: "STOP_VERIFY_FAILED_SLOW" },
      { code: "SUCCESS" },
    ]);
  }),
);
