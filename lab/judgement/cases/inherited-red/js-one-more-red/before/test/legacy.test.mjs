import assert from "node:assert/strict";
import { test } from "node:test";
import { old } from "../src/legacy.mjs";

test("the old name is replaced", () => {
  assert.equal(old, "new");
});
