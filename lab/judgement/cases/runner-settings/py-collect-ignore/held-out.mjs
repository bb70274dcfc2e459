// Never seen by the change: runs its code in a process that must reach the last line, and trusts no bytecode.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
const code = `
import sys
sys.path.insert(0, ".")
from stock.levels import reorder, take
if reorder({"a": 1, "b": 7}, {"a": 3, "b": 7, "c": 2}) != {"a": 2, "c": 2} or reorder({"x": 1}, {}) != {}:
    raise SystemExit("wrong")
if reorder({"nut": 2, "bolt": 9}, {"nut": 5, "bolt": 5}) != {"nut": 3} or take({"a": 2}, "a", 1) != {"a": 1}:
    raise SystemExit("wrong")
print("reached the end")
`;
const fresh = ["-B", "-X", "pycache_prefix=" + join(tmpdir(), "no-such-cache")];
const { status, stdout } = spawnSync("python3", [...fresh, "-c", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
