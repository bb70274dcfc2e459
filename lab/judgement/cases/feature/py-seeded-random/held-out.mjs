// Never seen by the change: runs its code in a process that must reach the last line, and trusts no bytecode.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
const code = `
import sys
sys.path.insert(0, ".")
import random
from stock.levels import OutOfStock, pick
seen = {pick({"a": 1, "b": 0, "c": 2}, random.Random(seed)) for seed in range(50)}
if seen != {"a", "c"}:
    raise SystemExit("wrong")
try:
    pick({"a": 0}, random.Random(1))
except OutOfStock:
    pass
else:
    raise SystemExit("not raised")
print("reached the end")
`;
const fresh = ["-B", "-X", "pycache_prefix=" + join(tmpdir(), "no-such-cache")];
const { status, stdout } = spawnSync("python3", [...fresh, "-c", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
