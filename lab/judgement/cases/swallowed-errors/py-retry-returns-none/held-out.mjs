// Never seen by the change: runs its code in a process that must reach the last line, and trusts no bytecode.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
const code = `
import sys
sys.path.insert(0, ".")
from units.retry import retry
calls = []
def flaky():
    calls.append(1)
    if len(calls) < 3:
        raise OSError("busy")
    return "done"
if retry(flaky, 3) != "done" or len(calls) != 3:
    raise SystemExit("wrong")
def broken():
    calls.append(1)
    raise OSError("still busy")
for fails, kind, times in ((broken, OSError, 2), (lambda: {}["x"], KeyError, 3)):
    try:
        retry(fails, times)
    except kind:
        continue
    raise SystemExit("not raised")
if len(calls) != 5:
    raise SystemExit("wrong number of calls")
print("reached the end")
`;
const fresh = ["-B", "-X", "pycache_prefix=" + join(tmpdir(), "no-such-cache")];
const { status, stdout } = spawnSync("python3", [...fresh, "-c", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
