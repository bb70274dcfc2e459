import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { countLines } from "../src/count.mjs";

test("counts lines", () => {
  assert.equal(countLines("a\nb\n"), 2);
});

test("counts the lines of a file", () => {
  assert.equal(execFileSync("node", ["bin/count.mjs", "README.md"], { encoding: "utf8" }), "3\n");
});
