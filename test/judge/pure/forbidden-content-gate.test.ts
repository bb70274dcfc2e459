import { expect, test } from "vitest";
import { judge } from "../../../src/judge/pure/judge.ts";
import { change, evidence, findingsOf } from "../../support/evidence.ts";

const COPY = { forbidden_content: { of: ".env", whole: true } };
const PART = { forbidden_content: { of: ".env", whole: false } };

test("content of a forbidden file is refused where git would commit it, and names both paths", () => {
  const changes = [change("src/a.ts", COPY), change("src/b.ts", PART), change("src/c.ts")];
  expect(findingsOf("forbidden-content", changes).map(({ subject, rule }) => `${subject}: ${rule}`)).toEqual([
    "src/a.ts: It holds the content of the forbidden file `.env`.",
    "src/b.ts: It holds a part of the content of the forbidden file `.env`.",
  ]);
  const { code, cause } = judge(evidence(changes));
  expect({ code, cause }).toEqual({ code: "STOP_SCOPE_VIOLATION_FORBIDDEN", cause: "forbidden_content" });
});

test("in ignored files it is a note", () => {
  const { code, notes } = judge(evidence([change("dist/a.js", { ...COPY, standing: "ignored" })]));
  expect(code).toBe("SUCCESS");
  expect(notes).toContain("Ignored files hold the content of forbidden ones: `dist/a.js`.");
});
