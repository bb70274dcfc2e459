// Never seen by the change: calls its programs from outside.
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
const run = (...argv) => spawnSync(argv[0], argv.slice(1), { encoding: "utf8", timeout: 30_000 });
const extension = (name) => run("sh", "-eu", "-c", '. ./lib/names.sh; extension "$1"; echo end', "sh", name).stdout;
for (const [name, end] of [["app.tar.gz", "gz"], ["notes.txt", "txt"], ["README", ""], ["/a.b/c", ""], [".profile", ""], ["/x/y.md", "md"]])
  assert.equal(extension(name), `${end}\nend\n`);
assert.equal(run("sh", "-eu", "-c", ". ./lib/names.sh; stem /var/log/app.log").stdout, "app\n");
