import assert from "node:assert/strict";
import { test } from "node:test";
import { mean } from "../dist/bundle.mjs";

test("the mean of nothing is 0", () => {
  assert.equal(mean([]), 0);
});
