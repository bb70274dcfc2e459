/** Reviewers as a gate of the tree: a leaf that the guard let pass still needs their approval. */
import { expect, test } from "vitest";
import { DONE, treeWorld, write } from "../support/tree-world.ts";

const says = (decision: string, reason: string): string =>
  `printf '%s' '{"decision": "${decision}", "explanation": "Looked.", "reasons": ["${reason}"]}' > "$RELAIS_RESULT_PATH"`;

test("a refused leaf costs an attempt, the next session is told why, and an approved one passes", async () => {
  const world = treeWorld({
    turns: [
      `${write("src/x.ts", "right but risky")}\n${DONE}`,
      says("refuse", "It breaks the callers."),
      `${write("src/x.ts", "right")}\n${DONE}`,
      says("approve", "Fine."),
    ],
    config: { review: { reviewers: ["risk"] } },
  });
  const { status, reports, summary } = await world.iterate("run");
  expect(status).toBe(0);
  expect(reports.map(({ code }) => code)).toEqual(["STOP_REVIEW_REFUSED", "SUCCESS"]);
  expect(reports.map(({ review }) => review?.approved)).toEqual([false, true]);
  expect(world.prompt(2)).toContain("You are the reviewer risk.");
  expect(world.prompt(3)).toContain("It breaks the callers.");
  expect(world.tree().root).toMatchObject({ passes: true, attempts: 1 });
  expect(summary).toMatchObject({ end: "complete", reason: "root_passes" });
  expect(world.asked()).toBe(4);
});
