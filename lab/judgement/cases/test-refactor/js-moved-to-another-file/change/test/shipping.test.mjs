import assert from "node:assert/strict";
import { test } from "node:test";
import { shippingFor } from "../src/cart.mjs";

test("small orders pay for shipping", () => {
  assert.equal(shippingFor(1200), 490);
});
