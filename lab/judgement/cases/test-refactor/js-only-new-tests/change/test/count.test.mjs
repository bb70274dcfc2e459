import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.mjs";

test("a count of 0 costs nothing", () => {
  assert.equal(total([{ price: 250, count: 0 }]), 0);
});
