// Never seen by the change: calls its programs from outside.
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
const run = (...argv) => spawnSync(argv[0], argv.slice(1), { encoding: "utf8", timeout: 30_000 });
import { rmSync, writeFileSync } from "node:fs";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const copy = mkdtempSync(join(tmpdir(), "held-out-"));
cpSync(".", copy, { recursive: true });
process.chdir(copy);
process.on("exit", () => rmSync(copy, { recursive: true }));
const fine = run("sh", "test/check.sh");
writeFileSync("test/zz.t.sh", "exit 1\n");
const broken = run("sh", "test/check.sh");
rmSync("test/zz.t.sh");
assert.deepEqual([fine.status, fine.stdout.trim().split("\n").at(-1), broken.status, broken.stdout.trim().split("\n").at(-1)], [0, "0 failed", 1, "1 failed"]);
