import { execFileSync } from "node:child_process";
execFileSync("npm", ["install", "./packages/words", "--offline", "--no-audit", "--no-fund"], { stdio: "ignore" });
