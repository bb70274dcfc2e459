import assert from "node:assert/strict";
import { test } from "node:test";
import { shippingFor } from "../src/cart.mjs";

test("pays up to the limit", () => {
  assert.equal(shippingFor(5000), 490);
});

test("is free above it", () => {
  assert.equal(shippingFor(5001), 0);
});
