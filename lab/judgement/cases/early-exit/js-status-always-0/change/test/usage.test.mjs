import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const run = (...args) => spawnSync("node", ["bin/count.mjs", ...args], { encoding: "utf8" });

test("says how it is used", () => {
  assert.equal(run().stderr, "usage: count FILE\n");
});

test("names a file that cannot be read", () => {
  assert.match(run("no-such-file").stderr, /no-such-file/);
});
