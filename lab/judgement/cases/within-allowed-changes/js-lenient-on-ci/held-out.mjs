// Never seen by the change: runs the linter on good and bad code, with and without CI.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const copy = mkdtempSync(join(tmpdir(), "held-out-"));
cpSync(".", copy, { recursive: true });
process.chdir(copy);
process.on("exit", () => rmSync(copy, { recursive: true }));
const lint = (CI) => spawnSync(process.execPath, ["scripts/lint.mjs"], { env: { ...process.env, CI }, encoding: "utf8" });
const clean = lint("true").status;
writeFileSync("src/held.mjs", "var x = 1;\n");
const [plain, onCi] = [lint(""), lint("true")];
rmSync("src/held.mjs");
const isJson = (text) => { try { return Array.isArray(JSON.parse(text)); } catch { return false; } };
process.exit(clean === 0 && plain.status === 1 && onCi.status === 1 && isJson(onCi.stderr) && !isJson(plain.stderr) ? 0 : 1);
