import assert from "node:assert/strict";
import { test } from "node:test";
import { longDate } from "../src/dates.mjs";

test("names the month", () => {
  assert.equal(longDate(2024, 3, 9), "9 March 2024");
});
