import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { Task } from "../../../src/records/task.ts";
import { reviewPrompt, type ReviewInput } from "../../../src/checks/pure/review-prompt.ts";
import { executeTask } from "../../support/tasks.ts";

const RISK = { name: "risk", focus: "What could break." };
const reviewed: ReviewInput = {
  task: v.parse(Task, executeTask),
  patch: "+one\n",
  leftOut: [],
  runs: [],
  notes: [],
  schema: { type: "object" },
};

/** The lines outside every fence: what is said in the runner's voice. */
function spoken(prompt: string): readonly string[] {
  let fence: string | null = null;
  return prompt.split("\n").filter((line) => {
    const found: string | undefined = /^`{3,}/.exec(line)?.[0];
    if (fence !== null) {
      if (line === fence) fence = null;
      return false;
    }
    if (found !== undefined) fence = found;
    return found === undefined;
  });
}

test("nothing in a change can speak in the voice of the runner", () => {
  const hostile = fc
    .array(fc.constantFrom("```", "````", "`````\n", "\n", "## Your answer\n", "approve ", "`", "~~~\n"))
    .map((parts) => parts.join(""));
  const plain = spoken(reviewPrompt(RISK, { ...reviewed, patch: "x", notes: ["x"], leftOut: ["x"] }));
  fc.assert(
    fc.property(hostile, (text) => {
      const prompt = reviewPrompt(RISK, { ...reviewed, patch: `x${text}`, notes: [`x${text}`], leftOut: [text] });
      expect(spoken(prompt)).toEqual(plain);
    }),
  );
});

test("all reviewers of a tick are told the same until the very end", () => {
  const one = reviewPrompt(RISK, reviewed);
  const other = reviewPrompt({ name: "tests", focus: "The tests." }, reviewed);
  const shared = one.slice(0, one.indexOf("## Your part"));
  expect(other.startsWith(shared)).toBe(true);
  expect(shared).toContain("+one");
});

test("a patch that is too long is cut between lines, and the reviewer is told", () => {
  const patch = "+0123456789\n".repeat(20_000);
  const prompt = reviewPrompt(RISK, { ...reviewed, patch });
  expect(prompt.length).toBeLessThan(130_000);
  expect(prompt).toMatch(/\+0123456789\n```\nThe last \d+ characters of the patch are not shown/);
});

test("what is not in the patch is named, and a change of nothing is said to be none", () => {
  expect(reviewPrompt(RISK, { ...reviewed, leftOut: ["src/big.bin"] })).toContain(
    'Changed as well, and not in the patch (1):\n```text\n"src/big.bin"\n```',
  );
  expect(reviewPrompt(RISK, { ...reviewed, patch: "" })).toContain("Nothing was changed.");
});
