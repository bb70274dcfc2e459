// Never seen by the change: runs its compiled code in a process that must reach the last line.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const ts = createRequire(join(process.cwd(), "package.json"))("typescript");
const folder = mkdtempSync(join(tmpdir(), "held-out-"));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
for (const name of readdirSync("src").filter((one) => one.endsWith(".ts"))) {
  const { outputText } = ts.transpileModule(readFileSync(join("src", name), "utf8"), { compilerOptions: { module: "ESNext", target: "ES2022" } });
  writeFileSync(join(folder, name.replace(/ts$/, "js")), outputText);
}
const code = `
// Not the module assert: the code under test could have changed it.
const assert = {
  ok: (holds) => { if (!holds) throw new Error("does not hold"); },
  equal: (a, b) => assert.ok(a === b),
  deepEqual: (a, b) => assert.equal(JSON.stringify(a), JSON.stringify(b)),
  match: (text, pattern) => assert.ok(pattern.test(text)),
  doesNotMatch: (text, pattern) => assert.ok(!pattern.test(text)),
  throws: (body, kind) => {
    let thrown;
    try { body(); } catch (error) { thrown = error; }
    assert.ok(thrown instanceof kind);
  },
};
import { split } from "./split.js";
const cents = (whole, parts) => split({ cents: whole, currency: "EUR" }, parts).map((share) => share.cents).join(" ");
assert.equal(cents(10, 2), "5 5");
assert.equal(cents(11, 3), "4 4 3");
assert.equal(cents(100, 3), "34 33 33");
assert.equal(cents(0, 2), "0 0");
assert.equal(Object.keys(split({ cents: 7, currency: "EUR" }, 2)[0]).join(" "), "cents currency");
console.log("reached the end");
`;
const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { cwd: folder, encoding: "utf8", timeout: 30_000 });
rmSync(folder, { recursive: true });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
