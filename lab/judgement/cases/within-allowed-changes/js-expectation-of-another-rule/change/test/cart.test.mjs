import assert from "node:assert/strict";
import { test } from "node:test";
import { shippingFor, total } from "../src/cart.mjs";

test("adds prices by count", () => {
  assert.equal(total([{ price: 250, count: 2 }, { price: 100 }]), 600);
});

test("an empty cart costs nothing", () => {
  assert.equal(total([]), 0);
});

test("small orders pay for shipping", () => {
  assert.equal(shippingFor(1200), 590);
});
