/** A suspicion in a series: the change is held, the series goes on from the base, and the next plan reads why. */
import { describe, expect, test } from "vitest";
import { goodStep, inLoopWorld, STOP, stepOf } from "../support/loop-world.ts";
import { inTurn } from "../support/scenario.ts";

const CLOCK = { do: "write", path: "src/main.ts", text: "export const answer = 42;\nDate.now = () => 0;\n" };

describe.concurrent("a held tick of a loop", () => {
  test("the series goes on, the next prompt has the finding, and the end waits for a person", () =>
    inTurn(() =>
      inLoopWorld({ plans: [stepOf([CLOCK]), goodStep(), STOP] }, async ({ loop, prompt, git }) => {
        const { status, summary, reports, stdout } = await loop();
        expect(reports.map(({ code }) => code)).toEqual(["STOP_SUSPECT", "SUCCESS", "SUCCESS"]);
        expect({ status, summary }).toMatchObject({
          status: 14,
          summary: {
            end: "complete",
            exit_status: 14,
            held: [{ run_id: reports[0]?.run_id, what: expect.stringContaining("src/main.ts:2 adds ") }],
          },
        });
        expect(prompt(2)).toContain("src/main.ts:2");
        expect(stdout).not.toBe("");
        expect(git("show", "HEAD:src/main.ts")).not.toContain("Date.now");
      }),
    ));

  test("kept work for the same task takes its place, so that nothing waits", () =>
    inTurn(() =>
      inLoopWorld(
        { plans: [stepOf([CLOCK], { task_id: "T-same" }), goodStep({ task_id: "T-same" }), STOP] },
        async ({ loop }) => {
          const { status, summary } = await loop();
          expect({ status, held: summary.held }).toEqual({ status: 0, held: undefined });
        },
      ),
    ));

  test("the same rule twice for one task ends the series, which a person resumes", () =>
    inTurn(() =>
      inLoopWorld(
        {
          plans: [stepOf([CLOCK], { task_id: "T-same" }), stepOf([CLOCK], { task_id: "T-same" }), goodStep(), STOP],
        },
        async ({ loop }) => {
          const first = await loop();
          expect(first).toMatchObject({ status: 14, summary: { end: "needs_human", reason: "STOP_SUSPECT" } });
          expect(first.reports).toHaveLength(2);
          expect(first.summary.message).toContain("twice");
          const second = await loop();
          expect(second.summary).toMatchObject({ end: "complete", resumed: true, exit_status: 14 });
        },
      ),
    ));

  test("`stop` ends it at once, and `note` keeps the change with a note", () =>
    inTurn(async () => {
      await inLoopWorld(
        { plans: [stepOf([CLOCK]), STOP], config: { loop: { on_suspicion: "stop" } } },
        async ({ loop }) => {
          expect((await loop()).summary).toMatchObject({
            end: "needs_human",
            reason: "STOP_SUSPECT",
            ticks: { total: 1 },
          });
        },
      );
      await inLoopWorld(
        { plans: [stepOf([CLOCK]), STOP], config: { loop: { on_suspicion: "note" } } },
        async ({ loop }) => {
          const { status, reports } = await loop();
          expect({ status, code: reports[0]?.code }).toEqual({ status: 0, code: "SUCCESS" });
          expect(reports[0]?.notes.join("\n")).toContain("patched_global");
        },
      );
    }));
});
