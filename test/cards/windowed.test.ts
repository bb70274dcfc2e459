import fc from "fast-check";
import { expect, test } from "vitest";
import { pickWindow } from "../../src/cards/workflow-rows.ts";

test("what is pinned is kept before all others, and of the others the nearest, in their order", () => {
  const lengths = fc.record({
    length: fc.integer({ min: 1, max: 60 }),
    rows: fc.integer({ min: 0, max: 12 }),
    at: fc.nat(),
    places: fc.uniqueArray(fc.nat(59), { maxLength: 8 }),
  });
  fc.assert(
    fc.property(lengths, ({ length, rows, at: anywhere, places }) => {
      const at = anywhere % length;
      const pinned = places.filter((place) => place < length);
      const list = Array.from({ length }, (_, index) => index);
      const byWorth = list.toSorted(
        (a, b) =>
          Number(pinned.includes(b)) - Number(pinned.includes(a)) || Math.abs(a - at) - Math.abs(b - at) || a - b,
      );
      const best = byWorth.slice(0, rows).toSorted((a, b) => a - b);
      expect(pickWindow(list, { rows, at, pinned })).toEqual(best);
    }),
  );
});
