/** The commands of docs/campaign.md, done exactly as they are written there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf, typeCommands } from "../support/page-commands.ts";

test("the campaign of the page fails once, is fixed, and is complete", () => {
  const { said, cwd } = typeCommands(blocksOf("campaign.md").slice(0, 1), "greeting");
  expect(readFileSync(join(cwd, "greeting.txt"), "utf8")).toBe("Good morning\n");
  expect(said).toMatch(/STOP_REVIEW_REFUSED[^]*The campaign is complete\.[^]*2 of 6/);
  expect(said).toMatch(/verdict on `US-001`: `fail` \[leader-measured\]/);
  expect(said.trim().split("\n").slice(-3)).toEqual([
    expect.stringContaining("US-001: The greeting"),
    expect.stringContaining("US-001: The greeting"),
    expect.stringMatching(/a sample$/),
  ]);
});
