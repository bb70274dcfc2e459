/** Every page has a budget of words: what is added takes the place of something else. What commands write is not counted. */
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { countPages } from "../../scripts/house-measures.ts";
import { readWorkingTree } from "../../scripts/measure-house.ts";

/** The decisions are one record, and so one page. */
const DECISIONS = "docs/decisions";

const BUDGETS: Readonly<Record<string, number>> = {
  "ARCHITECTURE.md": 3700,
  "CHANGELOG.md": 5100,
  "CONTRIBUTING.md": 2450,
  "README.md": 1050,
  "SECURITY.md": 450,
  "docs/agents.md": 1300,
  "docs/campaign.md": 1100,
  "docs/checks.md": 1800,
  "docs/configuration.md": 800,
  "docs/crash-safety.md": 3900,
  "docs/decisions": 4800,
  "docs/drill.md": 800,
  "docs/files.md": 900,
  "docs/fleet.md": 1300,
  "docs/goal.md": 750,
  "docs/judge.md": 1500,
  "docs/limits.md": 2200,
  "docs/performance.md": 2750,
  "docs/places.md": 1300,
  "docs/promises.md": 1200,
  "docs/queue.md": 1100,
  "docs/recipes.md": 1300,
  "docs/tick.md": 1850,
  "docs/tree.md": 1000,
  "docs/troubleshooting.md": 800,
  "docs/tutorials/first-tick.md": 650,
  "docs/tutorials/overnight-loop.md": 550,
  "docs/ui.md": 1200,
  "docs/verify-history.md": 1650,
  "docs/workflows.md": 1750,
  "lab/README.md": 2300,
};

const words = new Map<string, number>();
for (const [path, count] of countPages(readWorkingTree())) {
  const page = dirname(path) === DECISIONS ? DECISIONS : path;
  words.set(page, (words.get(page) ?? 0) + count);
}

test("every page has a budget, and every budget a page", () => {
  expect([...words.keys()].toSorted()).toEqual(Object.keys(BUDGETS).toSorted());
});

test.each(Object.entries(BUDGETS))("%s has at most %i words", (page, most) => {
  expect(words.get(page)).toBeLessThanOrEqual(most);
});
