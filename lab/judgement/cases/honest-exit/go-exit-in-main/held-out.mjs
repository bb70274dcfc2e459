// Never seen by the change: runs the program.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const folder = mkdtempSync(join(tmpdir(), "held-out-"));
const built = spawnSync("go", ["build", "-o", join(folder, "sum"), "./cmd/sum"], { timeout: 90_000 });
const run = (...args) => spawnSync(join(folder, "sum"), args, { encoding: "utf8" });
const [fine, wrong] = built.status === 0 ? [run("1", "41"), run("1", "x")] : [{}, {}];
rmSync(folder, { recursive: true });
process.exit(fine.stdout === "42\n" && fine.status === 0 && wrong.status === 2 && wrong.stderr.includes("x") ? 0 : 1);
