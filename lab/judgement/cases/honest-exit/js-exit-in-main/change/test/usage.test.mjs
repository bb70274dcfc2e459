import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const run = (...args) => spawnSync("node", ["bin/count.mjs", ...args], { encoding: "utf8" });

test("says how it is used", () => {
  const { status, stderr } = run();
  assert.equal(status, 2);
  assert.equal(stderr, "usage: count FILE\n");
});

test("names a file that cannot be read", () => {
  const { status, stderr } = run("no-such-file");
  assert.equal(status, 1);
  assert.match(stderr, /no-such-file/);
});
