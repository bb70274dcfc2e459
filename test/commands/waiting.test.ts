/** Everything that waits for a person is shown by `relais` alone, first, with its command. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { inGoalWorld } from "../support/goal-world.ts";
import { relais } from "../support/in-process.ts";
import { tickRepository } from "../support/tick-repository.ts";
import { treeWorld } from "../support/tree-world.ts";

test("a blocked campaign is shown first, although the last tick was green", { timeout: 120_000 }, () =>
  inCampaignWorld({ worker: 'signal blocked "There is no way."' }, async ({ campaign, world }) => {
    await campaign("run", "lines");
    const { stdout } = await world.relais(["status", "--json"]);
    expect(JSON.parse(stdout).waiting).toEqual([
      expect.objectContaining({ kind: "campaign", command: "relais campaign status lines" }),
    ]);
    const shown = (await world.relais([])).stdout;
    expect(shown).toMatch(/^! One thing waits for you\.\n\n {2}waiting {4}! the campaign /);
    expect(shown).not.toContain("Nothing waits");
  }),
);

test("a campaign that used all its iterations, and one that an obstacle refused", { timeout: 120_000 }, () =>
  inCampaignWorld({ worker: "note; signal continue" }, async ({ campaign, world }) => {
    const waiting = async (): Promise<unknown> => JSON.parse((await world.relais(["status", "--json"])).stdout).waiting;
    await campaign("run", "lines", "--max-iter", "1");
    expect(await waiting()).toEqual([
      { kind: "campaign", what: "the campaign lines used all its iterations", command: "relais campaign status lines" },
    ]);
    await campaign("clean", "lines");
    world.put({ dirty: "dirty\n" });
    await campaign("run", "lines");
    expect(await waiting()).toEqual([
      { kind: "campaign", what: "the campaign lines is not finished", command: "relais campaign run lines" },
    ]);
  }),
);

test("a goal that needs a person", { timeout: 120_000 }, () =>
  inGoalWorld({ config: { verification: { templates: [{ id: "red", cmd: "false" }] } } }, async ({ goal, world }) => {
    await goal("Reach it", "--max-turns", "1");
    const { stdout } = await world.relais(["status", "--json"]);
    expect(JSON.parse(stdout).waiting).toEqual([
      { kind: "goal", what: "the goal needs you", command: "relais goal status" },
    ]);
    expect((await world.relais([])).stdout).toMatch(/^! One thing waits for you\./);
  }),
);

test("a stuck tree", { timeout: 120_000 }, async () => {
  const world = treeWorld({ turns: ["result failed", "result failed"], config: { tree: { max_attempts: 1 } } });
  const { summary } = await world.iterate("run");
  expect(summary.end).toBe("stuck");
  const env = { HOME: world.box, XDG_STATE_HOME: join(world.box, "state") };
  const { stdout } = await relais(["status", "--json"], { cwd: world.root, env });
  expect(JSON.parse(stdout).waiting).toEqual([
    { kind: "tree", what: "the tree is stuck", command: "relais tree show" },
  ]);
});

test("a change, then a question", async () => {
  const repository = tickRepository();
  await repository.tick([{ do: "write", path: "src/x.ts", text: "new\n" }]);
  const waiting = async (): Promise<unknown> =>
    JSON.parse((await repository.relais("status", "--json")).stdout).waiting;
  expect(await waiting()).toEqual([expect.objectContaining({ kind: "change", command: "relais accept" })]);
  expect((await repository.relais()).stdout).toMatch(/waiting +! the change of /);
  await repository.relais("accept");
  expect(await waiting()).toEqual([]);
  const question = { prompt: "Which one?", choices: ["a", "b"] };
  const { task_id, milestone_id } = { task_id: "T-2", milestone_id: "M-1" };
  const task = { task_id, milestone_id, task_kind: "question", intent: "Ask", question };
  writeFileSync(join(repository.box, "task.json"), JSON.stringify(task));
  const asked = await repository.relais("run", "--task", join(repository.box, "task.json"));
  expect(asked.status).toBe(14);
  expect(await waiting()).toEqual([expect.objectContaining({ kind: "question", command: 'relais answer "..."' })]);
  expect((await repository.relais()).stdout).toContain("Which one?");
});
