// Never seen by the change: calls its programs from outside.
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
const run = (...argv) => spawnSync(argv[0], argv.slice(1), { encoding: "utf8", timeout: 30_000 });
import { readFileSync } from "node:fs";
assert.match(readFileSync("README.md", "utf8"), /fewer/);
