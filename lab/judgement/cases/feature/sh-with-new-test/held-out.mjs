// Never seen by the change: calls its programs from outside.
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
const run = (...argv) => spawnSync(argv[0], argv.slice(1), { encoding: "utf8", timeout: 30_000 });
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const box = mkdtempSync(join(tmpdir(), "held-out-"));
for (const name of ["a", "b c", "d"]) writeFileSync(join(box, name), "");
const dry = run("sh", "bin/rotate.sh", "--dry-run", box, "1");
assert.equal(dry.status, 0);
assert.deepEqual(dry.stdout.trim().split("\n").map((line) => line.replace(`${box}/`, "")), ["a", "b c"]);
assert.equal(readdirSync(box).length, 3);
const wet = run("sh", "bin/rotate.sh", box, "1");
assert.equal(wet.status, 0);
assert.deepEqual(readdirSync(box), ["d"]);
const wrong = run("sh", "bin/rotate.sh", join(box, "missing"), "1");
rmSync(box, { recursive: true });
