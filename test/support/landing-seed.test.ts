import fc from "fast-check";
import { expect, test } from "vitest";
import { draw, drawOfEach, shuffle } from "./landing-seed.ts";

const table = Array.from({ length: 40 }, (_, place) => place);

test("the same seed and topic give the same order, another one another order, and no entry is lost", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (seed, topic) => {
      expect(shuffle(table, topic, seed)).toEqual(shuffle(table, topic, seed));
      expect(shuffle(table, topic, seed).toSorted((one, other) => one - other)).toEqual(table);
    }),
  );
  expect(shuffle(table, "a", "one")).not.toEqual(shuffle(table, "a", "other"));
  expect(shuffle(table, "a", "one")).not.toEqual(shuffle(table, "b", "one"));
});

test("so many are drawn, in the order of the table, and each is drawn for some topic", () => {
  const drawn = Array.from({ length: 200 }, (_, place) => draw(table, 5, String(place)));
  for (const entries of drawn) {
    expect(entries).toHaveLength(5);
    expect(entries.toSorted((one, other) => one - other)).toEqual(entries);
  }
  expect(new Set(drawn.flat()).size).toBe(table.length);
  expect(draw(table, 100, "all")).toEqual(table);
});

test("of each kind so many are drawn", () => {
  const drawn = drawOfEach(table, { kindOf: (entry) => String(entry % 7), count: 2, topic: "kinds" });
  expect(drawn).toHaveLength(14);
  expect(new Set(drawn.map((entry) => entry % 7)).size).toBe(7);
});
