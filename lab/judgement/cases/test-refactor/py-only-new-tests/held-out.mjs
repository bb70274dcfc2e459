// Never seen by the change: runs its code in a process that must reach the last line, and trusts no bytecode.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
const code = `
import sys
sys.path.insert(0, ".")
text = open("tests/test_factors.py").read()
if "km" not in text or "cm" not in text:
    raise SystemExit("wrong")
print("reached the end")
`;
const fresh = ["-B", "-X", "pycache_prefix=" + join(tmpdir(), "no-such-cache")];
const { status, stdout } = spawnSync("python3", [...fresh, "-c", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
