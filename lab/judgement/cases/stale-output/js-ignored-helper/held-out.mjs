// Never seen by the change: tries what git would keep of it, in a copy.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
const folder = mkdtempSync(join(tmpdir(), "held-out-"));
for (const path of listed.split("\n").filter((one) => one !== "")) cpSync(path, join(folder, path), { recursive: true });
const code = `
import assert from "node:assert/strict";
import { applyCoupon } from "./src/cart.mjs";
assert.equal(applyCoupon(1999, "SAVE10"), 1800);
console.log("reached the end");
`;
const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { cwd: folder, encoding: "utf8", timeout: 30_000 });
rmSync(folder, { recursive: true });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
