import { expect, test } from "vitest";
import { judge } from "../../../src/judge/pure/judge.ts";
import { evidence } from "../../support/evidence.ts";

test("entries that were touched unseen are told and refuse nothing", () => {
  const one = judge(evidence([], { attributes_touched: { count: 1, paths: ["src/a"] } }));
  expect(one).toMatchObject({ code: "SUCCESS" });
  expect(one.notes).toEqual([
    "1 entry was touched without a visible change (an extended attribute or a flag): `src/a`.",
  ]);
  const many = judge(evidence([], { attributes_touched: { count: 2, paths: ["src/a", "src/b"] } }));
  expect(many.notes[0]).toMatch(/^2 entries were touched .*: `src\/a`, `src\/b`\.$/);
  expect(judge(evidence([])).notes).toEqual([]);
});
