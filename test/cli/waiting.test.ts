/** Everything that waits for a person is shown by `relais` alone, first, with its command. */
import { expect, test } from "vitest";
import { inCampaignWorld } from "../support/campaign-world.ts";

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
