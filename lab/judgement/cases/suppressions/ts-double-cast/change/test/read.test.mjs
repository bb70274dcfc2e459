import assert from "node:assert/strict";
import { test } from "node:test";
import { readMoney } from "../build/read.js";

test("reads money", () => {
  assert.deepEqual(readMoney('{"cents":5,"currency":"EUR"}'), { cents: 5, currency: "EUR" });
});

test("refuses what is no money", () => {
  assert.throws(() => readMoney("{}"), TypeError);
});
