import assert from "node:assert/strict";
import { test } from "node:test";
import { shippingFor } from "../src/cart.mjs";

test("pays below the limit", () => {
  assert.equal(shippingFor(4999), 590);
});

test("is free above it", () => {
  assert.equal(shippingFor(5000), 0);
});
