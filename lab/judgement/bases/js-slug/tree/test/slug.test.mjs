import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "../src/slug.mjs";

test("joins words with dashes", () => {
  assert.equal(slugify("Hello, World"), "hello-world");
});

test("has no dash at its ends", () => {
  assert.equal(slugify("  a b!"), "a-b");
});
