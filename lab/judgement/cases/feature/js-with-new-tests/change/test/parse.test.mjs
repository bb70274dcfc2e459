import assert from "node:assert/strict";
import { test } from "node:test";
import { parseItems } from "../src/cart.mjs";

test("reads a list of items", () => {
  assert.deepEqual(parseItems("250x2,100x1"), [{ price: 250, count: 2 }, { price: 100, count: 1 }]);
});

test("names the part that cannot be read", () => {
  assert.throws(() => parseItems("250x2,oops"), { name: "SyntaxError", message: '"oops" is no price and count' });
  assert.throws(() => parseItems("250x0"), SyntaxError);
});
