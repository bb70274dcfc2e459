import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";

test("leaves blank lines out", () => {
  const cwd = mkdtempSync(join(tmpdir(), "count-"));
  writeFileSync(join(cwd, "text"), "a\n\nb\n");
  writeFileSync(join(cwd, ".countrc"), '{ "blank": false }');
  assert.equal(execFileSync("node", [resolve("bin/count.mjs"), "text"], { cwd, encoding: "utf8" }), "2\n");
  rmSync(cwd, { recursive: true });
});
