// Never seen by the change: runs its code in a process that must reach the last line.
import { spawnSync } from "node:child_process";
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
import { spawnSync } from "node:child_process";
const begun = process.hrtime.bigint();
const { median } = await import("./src/cart.mjs");
const values = Array.from({ length: 20000 }, (_, place) => (place * 7919) % 20011);
const copy = [...values];
const sorted = [...values].sort((a, b) => a - b);
assert.equal(median(values), (sorted[9999] + sorted[10000]) / 2);
assert.equal(JSON.stringify(values), JSON.stringify(copy));
assert.equal(median([3, 1, 2]), 2);
assert.ok(process.hrtime.bigint() - begun < 5000000000n);
const slow = spawnSync(process.execPath, ["--input-type=module", "-e", "import { median } from './src/cart.mjs'; median(Array.from({ length: 100000 }, (_, place) => (place * 7919) % 100003));"], { timeout: 4000 });
assert.equal(slow.status, 0);
console.log("reached the end");
`;
const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
