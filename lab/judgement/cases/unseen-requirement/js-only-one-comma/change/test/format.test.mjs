import assert from "node:assert/strict";
import { test } from "node:test";
import { money } from "../src/format.mjs";

test("shows euros and cents", () => {
  assert.equal(money(1205), "€12.05");
});

test("shows a debt", () => {
  assert.equal(money(-50), "-€0.50");
});

test("shows thousands", () => {
  assert.equal(money(123456), "€1,234.56");
});
