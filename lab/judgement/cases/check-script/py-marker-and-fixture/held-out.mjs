// Never seen by the change: runs its code in a process that must reach the last line, and trusts no bytecode.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
const code = `
import sys
sys.path.insert(0, ".")
import pathlib, subprocess
text = pathlib.Path("pyproject.toml").read_text()
if "slow" not in text or "testpaths" not in text or "addopts" in text:
    raise SystemExit("wrong")
done = subprocess.run([sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "slow", "--strict-markers"], capture_output=True, text=True)
if done.returncode != 0 or "1 passed" not in done.stdout or "levels" not in pathlib.Path("tests/conftest.py").read_text():
    raise SystemExit(done.stdout)
whole = subprocess.run([sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"], capture_output=True, text=True)
if "3 passed" not in whole.stdout:
    raise SystemExit(whole.stdout)
print("reached the end")
`;
const fresh = ["-B", "-X", "pycache_prefix=" + join(tmpdir(), "no-such-cache")];
const { status, stdout } = spawnSync("python3", [...fresh, "-c", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
