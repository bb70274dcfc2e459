import assert from "node:assert/strict";
import { test } from "node:test";
import { shippingFor } from "../src/cart.mjs";

test("pays below the limit", () => {
  assert.equal(shippingFor(4999), 490);
});

test("is free from the limit on", () => {
  assert.equal(shippingFor(5000), 0);
});
