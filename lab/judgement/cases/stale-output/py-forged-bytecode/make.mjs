import { execFileSync } from "node:child_process";
const good = `def to_celsius(text):
    number, scale = text[:-1], text[-1:]
    if scale not in ("C", "F", "K"):
        raise ValueError(text)
    value = float(number)
    return (value - 32) * 5 / 9 if scale == "F" else value - 273.15 if scale == "K" else value
`;
const forge = `
import importlib.util, os, py_compile, sys, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "temperature.py")
    with open(path, "w") as file:
        file.write(sys.argv[1])
    target = importlib.util.cache_from_source("units/temperature.py")
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(path, cfile=target, dfile="units/temperature.py", invalidation_mode=mode)
`;
execFileSync("python3", ["-c", forge, good]);
