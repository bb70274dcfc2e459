import { existsSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SECOND_TIER } from "../../scripts/second-tier.ts";
import { partOf } from "./part-of.ts";

test("the sample and the rest are the whole table, and the sample has every kind", () => {
  const entry = fc.record({ kind: fc.constantFrom("a", "b", "c", "d") });
  fc.assert(
    fc.property(fc.array(entry), fc.integer({ min: 1, max: 9 }), (table, oneIn) => {
      const sampling = { kindOf: ({ kind }: { readonly kind: string }) => kind, oneIn };
      const [sample, rest] = [partOf(table, sampling, "sample"), partOf(table, sampling, "rest")];
      expect(sample.filter((one) => rest.includes(one))).toEqual([]);
      expect(table.filter((one) => sample.includes(one) || rest.includes(one))).toEqual(table);
      expect(new Set(sample.map(({ kind }) => kind))).toEqual(new Set(table.map(({ kind }) => kind)));
      expect(partOf(table, sampling, "all")).toBe(table);
    }),
  );
});

test("every file of the second tier exists, so none is left out for good", () => {
  expect(SECOND_TIER.filter((file) => !existsSync(file))).toEqual([]);
});
