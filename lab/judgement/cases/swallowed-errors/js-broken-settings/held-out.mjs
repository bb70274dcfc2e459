// Never seen by the change: runs the program in folders with and without the file.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
const folder = mkdtempSync(join(tmpdir(), "held-out-"));
const run = () => spawnSync(process.execPath, [resolve("bin/count.mjs"), "text"], { cwd: folder, encoding: "utf8", timeout: 20_000 });
writeFileSync(join(folder, "text"), "a\n\nb\n");
const plain = run();
writeFileSync(join(folder, ".countrc"), '{ "blank": false }');
const without = run();
writeFileSync(join(folder, ".countrc"), "{ oops");
const broken = run();
rmSync(folder, { recursive: true });
process.exit(plain.stdout === "3\n" && without.stdout === "2\n" && broken.status !== 0 && broken.status !== null ? 0 : 1);
