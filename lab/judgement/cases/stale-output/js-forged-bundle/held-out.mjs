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
const { clamp } = await import("./src/clamp.mjs");
assert.throws(() => clamp(1, 2, 0), RangeError);
assert.equal(clamp(12, 0, 10), 10);
assert.equal(clamp(5, 5, 5), 5);
console.log("reached the end");
`;
const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
