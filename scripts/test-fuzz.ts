/** Runs the fuzz tests many times as long as `npm test` does; a number as argument says how many times. */
import { spawnSync } from "node:child_process";

const TIMES = Math.max(1, Number(process.argv[2] ?? 50));
const { status } = spawnSync("npx", ["vitest", "run", "test/fuzz"], {
  stdio: "inherit",
  env: { ...process.env, RELAIS_FUZZ: String(TIMES) },
});
process.exitCode = status ?? 1;
