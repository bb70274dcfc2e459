import assert from "node:assert/strict";
import { test } from "node:test";
import { shippingFor } from "../src/cart.mjs";

test("shipping is free from the limit on", () => {
  assert.equal(shippingFor(5001), 0);
  assert.equal(shippingFor(6000), 0);
});
