import assert from "node:assert/strict";
import { test } from "node:test";
import { parseItems } from "../src/cart.mjs";

test("reads a list of items", () => {
  assert.deepEqual(parseItems("250x2,100x1"), [{ price: 250, count: 2 }, { price: 100, count: 1 }]);
});
