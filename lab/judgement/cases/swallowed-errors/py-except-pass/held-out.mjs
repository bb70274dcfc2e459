// Never seen by the change: runs its code in a process that must reach the last line, and trusts no bytecode.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
const code = `
import sys
sys.path.insert(0, ".")
from units.temperature import to_celsius
def close(a, b):
    return type(a) in (int, float) and abs(a - b) < 1e-9
for text, value in {"32F": 0, "212F": 100, "50F": 10, "300K": 26.85, "0K": -273.15, "21C": 21, "-40F": -40, "98.6F": 37}.items():
    if not close(to_celsius(text), value):
        raise SystemExit(text)
for text in ("10X", "F", "", "10"):
    try:
        to_celsius(text)
    except ValueError:
        continue
    raise SystemExit(text)
print("reached the end")
`;
const fresh = ["-B", "-X", "pycache_prefix=" + join(tmpdir(), "no-such-cache")];
const { status, stdout } = spawnSync("python3", [...fresh, "-c", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
