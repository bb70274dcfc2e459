import { expect, test } from "vitest";
import type { Change, Evidence } from "../../../src/records/evidence.ts";
import { judge } from "../../../src/judge/pure/judge.ts";
import { added, change, evidence, rules, side } from "../../support/evidence.ts";

const judged = (changes: Change[], over: Partial<Evidence> = {}) =>
  judge(evidence(changes, { rules: rules({ change_required: true, ignored: "allow" }), ...over }));

test("nothing, an ignored file and a bare folder are no change", () => {
  const folder = added("src/empty", side({ type: "directory" }));
  for (const changes of [[], [change("dist/a", { standing: "ignored" })], [folder]])
    expect(judged(changes)).toMatchObject({
      code: "STOP_NO_CHANGE",
      findings: [{ gate: "no-change", subject: "the change as a whole" }],
    });
  expect(judged([change("src/main.ts")]).code).toBe("SUCCESS");
});

test("where nobody asks for a change, and where the builder failed, it is no matter", () => {
  expect(judge(evidence([])).code).toBe("SUCCESS");
  const failure = { code: "STOP_INTERRUPTED", cause: "exit_1" } as const;
  expect(judged([], { builder_failure: failure }).findings).toMatchObject([{ code: "STOP_INTERRUPTED" }]);
});
