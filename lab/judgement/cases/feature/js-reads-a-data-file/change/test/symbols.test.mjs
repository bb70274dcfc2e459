import assert from "node:assert/strict";
import { test } from "node:test";
import { money } from "../src/format.mjs";

test("takes the symbol of the currency", () => {
  assert.equal(money(1205, "USD"), "$12.05");
  assert.equal(money(-50, "GBP"), "-£0.50");
});

test("refuses a currency without a symbol", () => {
  assert.throws(() => money(1, "XXX"), RangeError);
});
