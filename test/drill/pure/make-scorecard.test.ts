import * as v from "valibot";
import { expect, test } from "vitest";
import { Scorecard } from "../../../src/records/scorecard.ts";
import { DRILL_OUTCOMES, type DrillResult } from "../../../src/drill/pure/drill-result.ts";
import { makeScorecard } from "../../../src/drill/pure/make-scorecard.ts";

const results = DRILL_OUTCOMES.map((outcome, at): DrillResult => ({
  id: `git/${at}`,
  class: "git",
  does: `does ${outcome}`,
  place: "in_place",
  outcome,
  code: null,
  details: [outcome],
  remedy: null,
  durationMs: 1,
}));

test("every trial is counted once, and the bad ones are named", () => {
  const drill = { places: [], results, leftOut: [], notReached: 3, files: { copied: 1, total: 1 }, durationMs: 1 };
  const card = makeScorecard(drill, "2026-11-16T00:00:00.000Z");
  expect(v.parse(Scorecard, card)).toEqual(card);
  const [row] = card.rows;
  const { name: _name, ...counts } = row ?? { name: "" };
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(results.length);
  expect(card.bad.map(({ does }) => does)).toEqual(["does refused", "does needs_setting", "does escaped"]);
  expect(card).toMatchObject({ builders: results.length, not_reached: 3, at: "2026-11-16T00:00:00.000Z" });
});
