import { expect, test } from "vitest";
import { judge } from "../../../src/judge/pure/judge.ts";
import { change, evidence, findingsOf } from "../../support/evidence.ts";

const KEYS = { credentials: [{ rule: "aws-access-token", line: 3 }] };

test("a key of a provider in a new line is refused with its line and the rule that knows it", () => {
  const changes = [change("src/a.ts", KEYS), change("src/b.ts")];
  expect(findingsOf("credentials", changes).map(({ subject, rule }) => `${subject}: ${rule}`)).toEqual([
    "src/a.ts: It adds a credential in line 3 (aws-access-token).",
  ]);
  const { code, cause } = judge(evidence(changes));
  expect({ code, cause }).toEqual({ code: "STOP_SCOPE_VIOLATION_FORBIDDEN", cause: "credential" });
});

test("in a file that git ignores it is no finding", () => {
  expect(judge(evidence([change("dist/a.js", { ...KEYS, standing: "ignored" })])).code).toBe("SUCCESS");
});
