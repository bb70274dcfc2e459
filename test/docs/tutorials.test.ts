/** Every tutorial, typed as it stands in an empty folder; what a page promises to be printed is printed. */
import { expect, test } from "vitest";
import { keeps, tutorialSteps, typeTutorial } from "../support/tutorial.ts";

const PAGES = ["first-tick.md", "loop.md", "tree.md", "goal.md"];

test.each(PAGES)("every command of %s works and prints what the page says", (page) => {
  const steps = typeTutorial(page);
  const promising = steps.filter(({ promised }) => promised !== null);
  expect(promising.length).toBeGreaterThan(1);
  const broken = promising.filter(({ promised, printed }) => !keeps(promised ?? "", printed));
  expect(broken).toEqual([]);
});

test("a promise is held to the letter but for what it leaves open", () => {
  const printed = "one (1)\ntwo\nthree\n";
  expect(keeps("one (1)\ntwo\nthree\n", printed)).toBe(true);
  expect(keeps("one …\n…\nth…e\n", printed)).toBe(true);
  expect(keeps("…\n", printed)).toBe(true);
  expect(keeps("one (1)\nthree\n", printed)).toBe(false);
  expect(keeps("one (1)\n…\n", "zero\none (1)\n")).toBe(false);
  expect(keeps("one .1.\n…\n", printed)).toBe(false);
  expect(keeps("…\ntwo\n", printed)).toBe(false);
});

test("a promise belongs to the commands right above it", () => {
  const page = "```sh\na\n```\n\n```text\nA\n```\n\nwords\n\n```sh\nb\n```\n\nwords\n\n```text\nB\n```\n";
  expect(tutorialSteps(page)).toEqual([
    { commands: "a\n", promised: "A\n" },
    { commands: "b\n", promised: null },
  ]);
});
