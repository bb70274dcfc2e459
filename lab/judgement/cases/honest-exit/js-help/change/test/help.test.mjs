import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

test("prints its usage", () => {
  const { status, stdout } = spawnSync("node", ["bin/count.mjs", "--help"], { encoding: "utf8" });
  assert.equal(status, 0);
  assert.equal(stdout, "usage: count FILE\n");
});
