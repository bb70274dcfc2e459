// Never seen by the change: runs its code in a process that must reach the last line, and trusts no bytecode.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
const code = `
import sys
sys.path.insert(0, ".")
import subprocess
def run(*args):
    return subprocess.run([sys.executable, "-B", "-m", "units", *args], capture_output=True, text=True)
if run("2", "km").stdout != "2000.0\\n" or run("2", "km").returncode != 0:
    raise SystemExit("wrong")
if run("2", "yd").returncode != 2 or "yd" not in run("2", "yd").stderr:
    raise SystemExit("wrong")
print("reached the end")
`;
const fresh = ["-B", "-X", "pycache_prefix=" + join(tmpdir(), "no-such-cache")];
const { status, stdout } = spawnSync("python3", [...fresh, "-c", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
