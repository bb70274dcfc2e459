/** What share of a prompt is the beginning of the one before, in small repositories: what stays the same comes first. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { Report } from "../../src/records/report.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { inGoalWorld } from "../support/goal-world.ts";
import { node } from "../support/tree-node.ts";
import { DONE, treeWorld, write } from "../support/tree-world.ts";

/** The least share of each role and reviewer, in percent; the first prompt has none. */
function readShares(root: string): Readonly<Record<string, number>> {
  const history = join(root, "relais/history");
  const least: Record<string, number> = {};
  for (const run of readdirSync(history).toSorted()) {
    const report = v.parse(Report, JSON.parse(readFileSync(join(history, run, "report.json"), "utf8")));
    for (const { role, name = role, bytes, shared_bytes } of report.prompts ?? []) {
      if (shared_bytes === null) continue;
      least[name] = Math.min(least[name] ?? 100, Math.floor((100 * shared_bytes) / bytes));
    }
  }
  return least;
}

test("in a goal, the objective, the rules and the answer come before everything that changes", () =>
  inGoalWorld({ reviewers: '*) vote continue "" "more of it" ;;' }, async ({ world, goal }) => {
    await goal("Every line is there.", "--max-turns", "3");
    const shares = readShares(world.root);
    expect(Object.keys(shares).toSorted()).toEqual(["builder", "completion", "evidence", "risk"]);
    // Receipts and the change itself are new in each turn.
    expect(Math.min(...Object.values(shares))).toBeGreaterThanOrEqual(90);
  }));

test("in a campaign, the story and the address come last", () =>
  inCampaignWorld({}, async ({ world, campaign }) => {
    await campaign("run", "lines");
    const { builder, verifier } = readShares(world.root);
    expect(builder).toBeGreaterThanOrEqual(90);
    // A verifier reads the change, which is another one each time.
    expect(verifier).toBeGreaterThanOrEqual(85);
  }));

test("in a tree, the leaf comes last", async () => {
  const children = ["one", "two", "three"].map((id, order) => node(id, { order }));
  const world = treeWorld({
    root: node("root", { children }),
    turns: children.map(({ id }) => `${write("src/x.ts", `right ${id}`)}; ${DONE}`),
  });
  await world.iterate("run", "--max-iterations", "3");
  expect(readShares(world.root)["builder"]).toBeGreaterThanOrEqual(90);
});
