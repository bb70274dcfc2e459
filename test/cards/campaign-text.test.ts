import * as v from "valibot";
import { expect, test } from "vitest";
import { Config } from "../../src/config/config.ts";
import { NEW_CAMPAIGN } from "../../src/workflows/pure/campaign-state.ts";
import { summariseCampaign } from "../../src/workflows/pure/campaign-status.ts";
import { renderCampaignCard } from "../../src/cards/campaign-text.ts";
import { plainStyle } from "../../src/base/style.ts";
import { SETTINGS } from "../support/campaign-ticks.ts";
import { summaryOf } from "../support/summaries.ts";

const canvas = { style: plainStyle, columns: 100 };
const config = v.parse(Config, {});
const sight = {
  folderPath: "relais/campaigns/lines",
  branch: null,
  commits: [],
  ended: null,
  life: { leader: null, session: null },
} as const;

const status = (sentinel: "blocked" | null) =>
  summariseCampaign({ ...NEW_CAMPAIGN, settings: SETTINGS }, SETTINGS, config, sentinel);

test("a campaign goes on only where somebody leads it", () => {
  const led = { ...sight, status: status(null), life: { leader: "alive", session: null } } as const;
  expect(renderCampaignCard(led, canvas)).toContain("The campaign is running.");
  const left = renderCampaignCard({ ...sight, status: status(null) }, canvas);
  expect(left).toContain("The campaign is not finished.");
  expect(left).toMatch(/Next:\n {2}relais campaign run lines +continue/);
});

test("a campaign that was blocked says what is to be done about it", () => {
  const ended = { ...summaryOf("blocked", "campaign lines"), hint: "Commit it first." };
  expect(renderCampaignCard({ ...sight, status: status("blocked"), ended }, canvas)).toMatch(
    /Next: Commit it first\.\n[^]*relais campaign clean lines/,
  );
});
