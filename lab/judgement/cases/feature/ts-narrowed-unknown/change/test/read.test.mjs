import assert from "node:assert/strict";
import { test } from "node:test";
import { readMoney } from "../build/read.js";

test("reads money", () => {
  assert.deepEqual(readMoney('{"cents":5,"currency":"EUR"}'), { cents: 5, currency: "EUR" });
});

test("refuses what is no money", () => {
  for (const text of ["null", "{}", '{"cents":"5","currency":"EUR"}']) assert.throws(() => readMoney(text), TypeError);
});
