/** The commands of docs/goal.md, done exactly as they are written there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf, typeCommands } from "../support/page-commands.ts";
import { useExecutable } from "../support/relais.ts";

useExecutable();

test("the goal of the page is reached in its second turn, and handed over as one commit", () => {
  const { said, cwd } = typeCommands(blocksOf("goal.md").slice(0, 1), "shop");
  expect(readFileSync(join(cwd, "greetings.txt"), "utf8")).toBe("Good morning\nGood morning\n");
  expect(said).toMatch(/STOP_REVIEW_REFUSED[^]*The goal is reached\.[^]*2 of 4/);
  expect(said).toMatch(/## Final status\n\n`complete`/);
  expect(said.trim().split("\n").slice(-3)).toEqual([
    expect.stringMatching(/^[0-9a-f]+ greetings\.txt has two greetings$/),
    expect.any(String),
    expect.stringMatching(/a sample$/),
  ]);
});
