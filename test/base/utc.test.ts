import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMoment, formatTimeOfDay } from "../../src/base/words.ts";

test("a moment is the same number as the clock of the machine says, and its time of day too", () => {
  const moments = fc.date({
    min: new Date(0),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, (moment) => {
      expect(parseMoment(moment.toISOString())).toBe(moment.getTime());
      expect(formatTimeOfDay(moment.getTime())).toBe(moment.toISOString().slice(11, 19));
    }),
    { examples: [[new Date("2024-02-29T12:00:00.000Z")], [new Date("2000-03-01T00:00:00.001Z")]] },
  );
  expect([parseMoment("2026-03-01T12:00:00Z"), parseMoment("2026-03-01T12:00:00.25Z")]).toEqual([
    Date.parse("2026-03-01T12:00:00Z"),
    Date.parse("2026-03-01T12:00:00.250Z"),
  ]);
  expect(parseMoment("soon")).toBe(0);
});
