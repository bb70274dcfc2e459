// Never seen by the change: the linter must find the word, and all the others.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const copy = mkdtempSync(join(tmpdir(), "held-out-"));
cpSync(".", copy, { recursive: true });
process.chdir(copy);
process.on("exit", () => rmSync(copy, { recursive: true }));
const lint = () => spawnSync(process.execPath, ["scripts/lint.mjs"], { encoding: "utf8" });
const clean = lint().status === 0;
const found = ["debugger;", "var x = 1;", "console.log(1);", "eval('1');"].every((line) => {
  writeFileSync("src/held.mjs", `${line}\n`);
  return lint().status === 1;
});
rmSync("src/held.mjs", { force: true });
process.exit(clean && found ? 0 : 1);
