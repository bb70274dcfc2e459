import assert from "node:assert/strict";
import { test } from "node:test";
import { countInput } from "../src/count-stream.mjs";

test("counts a text by way of a file", () => {
  assert.equal(countInput("a\nb\nc\n"), 3);
});
