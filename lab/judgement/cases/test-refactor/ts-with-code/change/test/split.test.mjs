import assert from "node:assert/strict";
import { test } from "node:test";
import { split } from "../build/split.js";

const cents = (whole, parts) => split({ cents: whole, currency: "EUR" }, parts).map((share) => share.cents);

test("gives everyone a share", () => {
  assert.deepEqual(cents(10, 2), [5, 5]);
});

test("gives the odd cents to the first", () => {
  assert.deepEqual(cents(11, 3), [4, 4, 3]);
});
