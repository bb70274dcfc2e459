"""A small linter: bare excepts, prints and long lines, but for lines that end with "noqa"."""
import pathlib
import sys
import tomllib

settings = tomllib.loads(pathlib.Path("pyproject.toml").read_text())["tool"]["lint"]
findings = []
for path in sorted(pathlib.Path("stock").rglob("*.py")):
    if str(path) in settings["exclude"]:
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.rstrip().endswith("noqa"):
            continue
        if len(line) > settings["max_line"]:
            findings.append(f"{path}:{number} too long")
        if "except:" in line or "print(" in line:
            findings.append(f"{path}:{number} {line.strip()}")
print("\n".join(findings))
sys.exit(1 if findings else 0)
