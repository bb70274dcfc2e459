// Never seen by the change: runs its code in a process that must reach the last line, and trusts no bytecode.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
const code = `
import sys
sys.path.insert(0, ".")
import os
from units.length import to_metres
if os.path.exists("units/clock.py") or os.path.exists("tests/test_clock.py") or to_metres(1, "cm") != 0.01:
    raise SystemExit("wrong")
if not os.path.exists("tests/test_length.py"):
    raise SystemExit("lost")
print("reached the end")
`;
const fresh = ["-B", "-X", "pycache_prefix=" + join(tmpdir(), "no-such-cache")];
const { status, stdout } = spawnSync("python3", [...fresh, "-c", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
