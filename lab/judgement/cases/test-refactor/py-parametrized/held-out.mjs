// Never seen by the change: runs its code in a process that must reach the last line, and trusts no bytecode.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
const code = `
import sys
sys.path.insert(0, ".")
import pathlib, subprocess
text = pathlib.Path("tests/test_levels.py").read_text()
if "parametrize" not in text or "OutOfStock" not in text:
    raise SystemExit("wrong")
done = subprocess.run([sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"], capture_output=True, text=True)
if done.returncode != 0:
    raise SystemExit(done.stdout)
import shutil, tempfile
with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(".", folder, dirs_exist_ok=True)
    source = pathlib.Path(folder, "stock/levels.py")
    source.write_text(source.read_text().replace("left < 0", "left <= 0"))
    broken = subprocess.run([sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=folder, capture_output=True, text=True)
if broken.returncode == 0:
    raise SystemExit("a broken take() passes")
print("reached the end")
`;
const fresh = ["-B", "-X", "pycache_prefix=" + join(tmpdir(), "no-such-cache")];
const { status, stdout } = spawnSync("python3", [...fresh, "-c", code], { encoding: "utf8", timeout: 30_000 });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
