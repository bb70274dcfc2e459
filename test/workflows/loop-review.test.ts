/** Reviewers as a gate of the relay, in a whole series. */
import { expect, test } from "vitest";
import { checkAfterSeries, inLoopWorld, stepOf, STOP } from "../support/loop-world.ts";

const says = (decision: string, reason: string) => [
  { do: "result", content: { decision, explanation: "Looked.", reasons: [reason] } },
];

/** A task whose builder writes this line, and whose reviewer says that. */
function reviewedStep(line: string, risk: readonly object[]): object {
  const steps = [{ do: "write", path: "src/main.ts", text: `export const answer = 42; // ${line}\n` }];
  const instructions = JSON.stringify({ steps, reviewers: { risk } });
  return stepOf([], { builder: { mode: "scripted", max_turns: 1, instructions } });
}

test("what a reviewer of a relay refuses is put back and told to the orchestrator; what it approves is committed", () =>
  inLoopWorld(
    {
      plans: [
        reviewedStep("risky", says("refuse", "It breaks the callers.")),
        reviewedStep("careful", says("approve", "Fine.")),
        STOP,
      ],
      config: { review: { reviewers: ["risk"] }, loop: { on_stop: "continue" } },
    },
    async (world) => {
      const ran = await world.loop();
      expect(ran.reports.map(({ code }) => code)).toEqual(["STOP_REVIEW_REFUSED", "SUCCESS", "SUCCESS"]);
      expect(ran.reports[0]?.review).toMatchObject({ approved: false, reviewers: [{ vote: "refuse" }] });
      expect(world.prompt(2)).toContain("It breaks the callers.");
      expect(world.read("src/main.ts")).toContain("careful");
      expect(world.git("log", "--format=%s", "-2")).not.toContain("risky");
      expect(ran.summary).toMatchObject({ end: "complete" });
      checkAfterSeries(world, ran);
    },
  ));
