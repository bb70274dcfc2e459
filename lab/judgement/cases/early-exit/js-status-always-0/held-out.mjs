// Never seen by the change: runs the program.
import { spawnSync } from "node:child_process";
const run = (...args) => spawnSync(process.execPath, ["bin/count.mjs", ...args], { encoding: "utf8", timeout: 20_000 });
const [bare, missing, fine] = [run(), run("no-such-file"), run("README.md")];
const holds = bare.status === 2 && bare.stderr.includes("usage: count FILE") && bare.stdout === "" && missing.status === 1 &&
  missing.stderr.includes("no-such-file") && !missing.stderr.includes(" at ") && fine.status === 0 && /^\d+\n$/.test(fine.stdout);
process.exit(holds ? 0 : 1);
