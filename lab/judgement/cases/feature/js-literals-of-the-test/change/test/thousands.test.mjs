import assert from "node:assert/strict";
import { test } from "node:test";
import { money } from "../src/format.mjs";

test("shows thousands and millions", () => {
  assert.equal(money(123456), "€1,234.56");
  assert.equal(money(123456789), "€1,234,567.89");
});
