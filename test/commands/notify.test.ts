/** `notify.command`: told what was decided, after it was decided, and unable to change anything about it. */
import { expect, test } from "vitest";
import { inHome, KEEPER, notifying, told } from "../support/notified.ts";
import { inWorld } from "../support/scenario.ts";
import { GOOD_EDIT } from "../support/scenario-documents.ts";

test("a verdict is told once the tick is over and the lock is gone", async () => {
  const env = { SECRET_TOKEN: "s3cret", DISPLAY: ":7" };
  await inWorld({ ...notifying(KEEPER, { steps: [GOOD_EDIT] }), env }, async (world) => {
    const ran = await world.run();
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    const report = JSON.parse(ran.stdout);
    expect(told(world)).toEqual([
      {
        version: 1,
        kind: "tick_ended",
        at: report.ended_at,
        repository: world.root,
        workflow: "relay",
        series_id: report.series_id,
        run_id: report.run_id,
        verdict: "success",
        code: "SUCCESS",
        cause: null,
        end: null,
        summary: "relais: SUCCESS: Set the answer to 42.",
        message: report.message,
        question: null,
        exit_status: 0,
      },
    ]);
    const variables = inHome(world, "env-0");
    for (const line of ["RELAIS_EVENT=tick_ended", "RELAIS_CODE=SUCCESS", "RELAIS_VERDICT=success", "DISPLAY=:7"])
      expect(variables).toContain(`${line}\n`);
    expect(variables).not.toContain("s3cret");
    expect(inHome(world, "locks")).toBe("");
    expect(inHome(world, "last-line")).toContain('"type":"tick_ended"');
    expect(world.has("injected")).toBe(false);
  });
});
