import { expect, test } from "vitest";
import type { CampaignSettings } from "../../../src/records/campaign.ts";
import { composeVerifierPrompt } from "../../../src/workflows/pure/campaign-prompts.ts";
import { SETTINGS } from "../../support/campaign-ticks.ts";

function compose(settings: CampaignSettings, story: string): string {
  const address = { slug: settings.slug, iteration: 1, story, nonce: `nonce-of-${story}` };
  return composeVerifierPrompt(
    { settings, claim: null, address, own: "Verify.", diff: `what ${story} changed` },
    { runs: [], schema: {} },
  );
}

function makeStories(length: number, text: string): CampaignSettings {
  const stories = Array.from({ length }, (_, at) => ({
    id: `US-00${at + 1}`,
    title: `Story ${at + 1}`,
    criteria: [{ id: "AC1", text: `${text} ${at + 1}` }],
  }));
  return { ...SETTINGS, stories };
}

test("the stories stand before everything that differs from one verification to the next", () => {
  const settings = makeStories(3, "It holds");
  const [one, other] = ["US-001", "US-002"].map((story) => compose(settings, story));
  for (const prompt of [one, other]) {
    const different = prompt?.indexOf("what US-00") ?? -1;
    expect(prompt?.indexOf("US-003 AC1: It holds 3")).toBeLessThan(different);
    expect(prompt?.slice(0, different)).toBe(one?.slice(0, different));
  }
});

test.each([
  ["US-002", "Verify US-002 AC1, as listed above."],
  ["ALL", "Verify every criterion of every story, as listed above."],
])("%s is named at the end", (story, sentence) => {
  expect(compose(makeStories(3, "It holds"), story)).toContain(`## What is to be verified: ${story}\n${sentence}`);
});

test("of stories that are too long for each verification, the verified one is whole", () => {
  const prompt = compose(makeStories(9, "x".repeat(4000)), "US-009");
  expect(prompt).toContain(`US-009 AC1: ${"x".repeat(4000)} 9`);
  expect(prompt).not.toContain("as listed above");
});
