// Never seen by the change: runs its code in a process that must reach the last line, and trusts no bytecode.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
const code = `
import sys
sys.path.insert(0, ".")
import os, tempfile
from stock.load import load
folder = tempfile.mkdtemp()
path = os.path.join(folder, "levels")
try:
    load(path)
except OSError:
    pass
else:
    raise SystemExit("a missing file is no error")
with open(path, "w") as file:
    file.write("nut five\\n")
try:
    load(path)
except ValueError:
    pass
else:
    raise SystemExit("a broken file is no error")
with open(path, "w") as file:
    file.write("nut 5\\n")
if load(path) != {"nut": 5}:
    raise SystemExit("wrong")
print("reached the end")
`;
const fresh = ["-B", "-X", "pycache_prefix=" + join(tmpdir(), "no-such-cache")];
const { status, stdout } = spawnSync("python3", [...fresh, "-c", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
