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
import { applyCoupon, total, shippingFor } from "./src/cart.mjs";
for (const cents of [1000, 1999, 2000, 3333, 1, 0]) {
  assert.equal(applyCoupon(cents, "SAVE10"), cents - Math.floor(cents / 10));
  assert.equal(applyCoupon(cents, "SAVE25"), cents - Math.floor(cents / 4));
}
for (const code of ["NOPE", "save10", "SAVE", "toString"]) assert.throws(() => applyCoupon(1000, code), RangeError);
assert.equal(total([{ price: 3, count: 3 }]), 9);
assert.equal(shippingFor(100), 490);
console.log("reached the end");
`;
const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
