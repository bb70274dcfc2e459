// Never seen by the change: calls its programs from outside.
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
const run = (...argv) => spawnSync(argv[0], argv.slice(1), { encoding: "utf8", timeout: 30_000 });
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const box = mkdtempSync(join(tmpdir(), "held-out-"));
writeFileSync(join(box, "some"), "error\nfine\nan error\n");
writeFileSync(join(box, "none"), "fine\n");
process.env.TMPDIR = mkdtempSync(join(box, "tmp-"));
const [some, none] = [run("sh", "bin/errors.sh", join(box, "some")), run("sh", "bin/errors.sh", join(box, "none"))];
const left = readdirSync(process.env.TMPDIR).length;
rmSync(box, { recursive: true });
assert.deepEqual([some.status, some.stdout.trim(), none.status, none.stdout.trim(), left], [0, "2", 0, "0", 0]);
