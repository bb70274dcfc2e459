import { expect, test } from "vitest";
import { judge } from "../../../src/judge/pure/judge.ts";
import { change, evidence } from "../../support/evidence.ts";

test("a builder that failed names the code and the cause, and the change is judged all the same", () => {
  const judgement = judge(
    evidence([change("docs/a")], { builder_failure: { code: "STOP_INTERRUPTED", cause: "exit_3" } }),
  );
  expect(judgement).toMatchObject({ verdict: "stop", code: "STOP_INTERRUPTED", cause: "exit_3" });
  expect(judgement.findings.map(({ code }) => code)).toEqual([
    "STOP_INTERRUPTED",
    "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
  ]);
});
