import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../build/money.js";
import { convert } from "../build/rates.js";

test("adds money of one currency", () => {
  assert.deepEqual(add({ cents: 5, currency: "EUR" }, { cents: 7, currency: "EUR" }), { cents: 12, currency: "EUR" });
});

test("converts by a rate", () => {
  assert.deepEqual(convert({ cents: 1000, currency: "EUR" }, "USD", { USD: 1.1 }), { cents: 1100, currency: "USD" });
});
