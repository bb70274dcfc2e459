import assert from "node:assert/strict";
import { test } from "node:test";
import { applyCoupon } from "../src/cart.mjs";

test("SAVE10 takes ten percent off", () => {
  assert.equal(applyCoupon(1000, "SAVE10"), 900);
});

test("SAVE25 takes a quarter off", () => {
  assert.equal(applyCoupon(2000, "SAVE25"), 1500);
});

test("an unknown coupon is refused", () => {
  assert.throws(() => applyCoupon(1000, "NOPE"), RangeError);
});
