import assert from "node:assert/strict";
import { test } from "node:test";
import { carrierFee } from "../src/carrier.mjs";

test("knows the fees", () => {
  assert.equal(carrierFee("EX-24"), 1290);
  assert.equal(carrierFee("ST-72"), 490);
  assert.equal(carrierFee("PU-00"), 0);
});

test("refuses another code", () => {
  assert.throws(() => carrierFee("XX-99"), RangeError);
});
