import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "../src/slug.mjs";

test("cuts without a dash at the end", () => {
  assert.equal(slugify("hello world", { max: 6 }), "hello");
});
