import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAmount } from "../build/parse.js";

test("reads an amount", () => {
  assert.deepEqual(parseAmount("12.50 EUR"), { cents: 1250, currency: "EUR" });
  assert.deepEqual(parseAmount("12 EUR"), { cents: 1200, currency: "EUR" });
});

test("refuses anything else", () => {
  assert.throws(() => parseAmount("EUR"), SyntaxError);
});
