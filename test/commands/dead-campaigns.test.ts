/** States that campaigns get into, and the command that leads out of each. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inCampaignWorld } from "../support/campaign-world.ts";

/** Its first session only begins. */
const SLOW = `echo "line $turn" >> src/main.ts; note
if [ "$turn" = 1 ]; then signal continue; else claim; signal verify; fi`;

test("the branch of a campaign was merged and deleted: the campaign goes on", { timeout: 120_000 }, () =>
  inCampaignWorld({ worker: SLOW }, async ({ campaign, world, sessions }) => {
    await campaign("run", "lines", "--max-iter", "1");
    world.git("switch", "--quiet", "-c", "next");
    world.git("branch", "--quiet", "-D", "work");
    await campaign("clean", "lines");
    const { status, summary } = await campaign("run", "lines");
    expect({ status, summary }).toMatchObject({ status: 0, summary: { sentinel: "complete", iteration: 3 } });
    expect(sessions().filter((line) => line.startsWith("worker"))).toHaveLength(3);
  }),
);

test("its branch was deleted and not merged: what brings it back is named, and works", { timeout: 120_000 }, () =>
  inCampaignWorld({ worker: SLOW }, async ({ campaign, world }) => {
    await campaign("run", "lines", "--max-iter", "1");
    world.git("switch", "--quiet", "-c", "next", "HEAD~1");
    world.git("branch", "--quiet", "-D", "work");
    await campaign("clean", "lines");
    const refused = await campaign("run", "lines");
    expect(refused.status).toBe(11);
    const [, command = ""] = /`git (switch -c work [0-9a-f]+)`/.exec(refused.stdout) ?? [];
    expect(refused.stdout).toContain("relais campaign init lines");
    world.git(...command.split(" "));
    expect((await campaign("run", "lines")).summary).toMatchObject({ sentinel: "complete" });
  }),
);

test("a slug that is planned again after its folder was removed begins anew", { timeout: 120_000 }, () =>
  inCampaignWorld({}, async ({ campaign, world, sessions }) => {
    await campaign("run", "lines");
    const before = sessions().length;
    rmSync(join(world.root, "relais/campaigns"), { recursive: true });
    await world.relais(["campaign", "brainstorm", "--from", "../contract.json", "--yes"]);
    expect((await campaign("status", "lines")).summary).toMatchObject({ iteration: 0, sentinel: null });
    const { status, summary } = await campaign("run", "lines");
    expect({ status, summary }).toMatchObject({ status: 0, summary: { sentinel: "complete", iteration: 2 } });
    expect(sessions()).toHaveLength(2 * before);
  }),
);
