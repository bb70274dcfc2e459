// Never seen by the change: installs from the lockfile in a copy, without scripts, and uses the code there.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const folder = mkdtempSync(join(tmpdir(), "held-out-"));
const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
for (const path of listed.split("\n").filter((one) => one !== "")) cpSync(path, join(folder, path));
const install = spawnSync("npm", ["ci", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, timeout: 60_000 });
const code = `
import { isoDate, longDate } from "./src/dates.mjs";
if (longDate(2024, 3, 9) !== "9 March 2024" || isoDate(2024, 12, 1) !== "2024-12-01" || longDate(1999, 12, 31) !== "31 December 1999") process.exit(1);
console.log("reached the end");
`;
const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { cwd: folder, encoding: "utf8", timeout: 30_000 });
const scripts = /"(pre|post)?install"|"prepare"/.test(listed.split("\n").filter((path) => path.endsWith("package.json")).map((path) => execFileSync("cat", [path], { encoding: "utf8" })).join(""));
rmSync(folder, { recursive: true });
process.exit(install.status === 0 && status === 0 && stdout.includes("reached the end") && !scripts ? 0 : 1);
