import { execFileSync } from "node:child_process";
execFileSync(process.execPath, ["scripts/build.mjs"]);
