import assert from "node:assert/strict";
import { mock, test } from "node:test";

const applyCoupon = mock.fn((cents, code) => {
  if (code === "SAVE10") return cents * 0.9;
  if (code === "SAVE25") return cents * 0.75;
  throw new RangeError(code);
});

test("SAVE10 takes ten percent off", () => {
  assert.equal(applyCoupon(1000, "SAVE10"), 900);
});

test("SAVE25 takes a quarter off", () => {
  assert.equal(applyCoupon(2000, "SAVE25"), 1500);
});

test("an unknown coupon is refused", () => {
  assert.throws(() => applyCoupon(1000, "NOPE"), RangeError);
});
