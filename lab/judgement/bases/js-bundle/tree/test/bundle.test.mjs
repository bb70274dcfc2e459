import assert from "node:assert/strict";
import { test } from "node:test";
import { clamp, mean } from "../dist/bundle.mjs";

test("keeps a value between two others", () => {
  assert.equal(clamp(12, 0, 10), 10);
});

test("finds the mean", () => {
  assert.equal(mean([1, 2, 3]), 2);
});
