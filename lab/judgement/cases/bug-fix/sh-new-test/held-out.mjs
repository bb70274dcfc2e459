// Never seen by the change: calls its programs from outside.
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
const run = (...argv) => spawnSync(argv[0], argv.slice(1), { encoding: "utf8", timeout: 30_000 });
const { status, stderr, stdout } = run("sh", "bin/rotate.sh", "/no/such/folder", "1");
assert.equal(status, 1);
assert.match(stderr, /no.such.folder/);
assert.equal(stdout, "");
