/** Every page has a budget of words: a new sentence takes the place of an old one. What commands write is not counted. */
import { expect, test } from "vitest";
import { countPages } from "../../scripts/house-measures.ts";
import { readWorkingTree } from "../../scripts/measure-house.ts";

const BUDGETS: Readonly<Record<string, number>> = {
  "ARCHITECTURE.md": 1900,
  "CHANGELOG.md": 600,
  "CONTRIBUTING.md": 1300,
  "README.md": 1050,
  "SECURITY.md": 450,
  "docs/agents.md": 1650,
  "docs/campaign.md": 1100,
  "docs/checks.md": 1800,
  "docs/configuration.md": 800,
  "docs/crash-safety.md": 1000,
  "docs/decisions.md": 2500,
  "docs/drill.md": 800,
  "docs/files.md": 1100,
  "docs/first-tick.md": 650,
  "docs/goal.md": 750,
  "docs/judge.md": 1550,
  "docs/limits.md": 2200,
  "docs/loop.md": 1500,
  "docs/performance.md": 950,
  "docs/places.md": 1300,
  "docs/queue.md": 2500,
  "docs/tick.md": 2000,
  "docs/tree.md": 1000,
  "docs/troubleshooting.md": 800,
  "docs/ui.md": 1200,
  "docs/workflows.md": 950,
  "lab/README.md": 2300,
};

const PAGES_MOST = 30;
const WORDS_MOST = 48_000;

const words = countPages(readWorkingTree());

test("the pages are few, and so are their words", () => {
  expect(words.size).toBeLessThanOrEqual(PAGES_MOST);
  expect([...words.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(WORDS_MOST);
});

test("every page has a budget, and every budget a page", () => {
  expect([...words.keys()].toSorted()).toEqual(Object.keys(BUDGETS).toSorted());
});

test.each(Object.entries(BUDGETS))("%s has at most %i words", (page, most) => {
  expect(words.get(page)).toBeLessThanOrEqual(most);
});
