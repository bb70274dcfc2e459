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
import { render } from "./src/report.mjs";
const entries = [{ name: "A", hours: 1 }, { name: "B", hours: 30 }, { name: "C", hours: 4 }, { name: "D", hours: 4 }];
assert.equal(render({ title: "T", entries }), "T\\nB: 30 h\\nC: 4 h\\nD: 4 h\\nA: 1 h\\nsum: 39 h\\n");
assert.equal(entries[0].name, "A");
assert.equal(render({ title: "May", entries: [{ name: "Ada", hours: 7 }, { name: "Bob", hours: 10 }] }), "May\\nBob: 10 h\\nAda: 7 h\\nsum: 17 h\\n");
console.log("reached the end");
`;
const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
