import assert from "node:assert/strict";
import { test } from "node:test";
import { isoDate } from "../src/dates.mjs";

test("pads months and days", () => {
  assert.equal(isoDate(2024, 3, 9), "2024-03-09");
});
