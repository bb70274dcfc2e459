// Never seen by the change: runs its code in a process that must reach the last line, and trusts no bytecode.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
const code = `
import sys
sys.path.insert(0, ".")
from units.clock import minutes
if minutes("1:30") != 90 or minutes("0:00") != 0 or minutes("10:59") != 659:
    raise SystemExit("wrong")
for text in ("1:60", "1:99", "-1:10", "1:-5"):
    try:
        minutes(text)
    except ValueError:
        continue
    raise SystemExit(text)
print("reached the end")
`;
const fresh = ["-B", "-X", "pycache_prefix=" + join(tmpdir(), "no-such-cache")];
const { status, stdout } = spawnSync("python3", [...fresh, "-c", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
