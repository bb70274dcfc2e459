import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "../src/slug.mjs";

test("keeps letters without their accents", () => {
  assert.equal(slugify("Crème brûlée"), "creme-brulee");
});

test("writes sharp s as two letters", () => {
  assert.equal(slugify("Größe"), "grosse");
});
