import assert from "node:assert/strict";
import { test } from "node:test";
import { median } from "../src/cart.mjs";

test("finds the middle", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
});

test("is fast", () => {
  const values = Array.from({ length: 3000 }, (_, place) => (place * 7919) % 3001);
  const begun = performance.now();
  median(values);
  assert.ok(performance.now() - begun < 5);
});
