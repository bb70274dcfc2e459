import assert from "node:assert/strict";
import { test } from "node:test";
import { title } from "../src/title.mjs";

test("writes titles in a style", () => {
  assert.equal(title("hello world", "words"), "Hello World");
  assert.equal(title("hello world", "first"), "Hello world");
});
