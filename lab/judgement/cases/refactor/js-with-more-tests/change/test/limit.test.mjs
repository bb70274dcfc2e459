import assert from "node:assert/strict";
import { test } from "node:test";
import { shippingFor } from "../src/cart.mjs";

test("large orders pay nothing for shipping", () => {
  assert.equal(shippingFor(5001), 0);
});
