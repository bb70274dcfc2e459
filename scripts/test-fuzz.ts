/**
 * Looks for inputs that break a property, for much longer than `npm test` does. The number says how many times as often
 * as a property asks for, 50 unless told; properties of our own values are tried a tenth as often as the parsers of
 * bytes that others write. With 1, every property is tried in full and with the inputs that are the same each time.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TIMES = Math.max(1, Number(process.argv[2] ?? 50));
const PARSERS = join("test", "fuzz");

const properties = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((name) => join("test", name))
  .filter((name) => name.endsWith(".test.ts") && !name.startsWith(PARSERS))
  .filter((name) => readFileSync(name, "utf8").includes("/support/runs.ts"));
const statuses = [tryFiles([PARSERS], TIMES), tryFiles(properties, Math.ceil(TIMES / 10))];
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;

function tryFiles(files: readonly string[], times: number): number | null {
  const env = { ...process.env, RELAIS_FUZZ: String(times) };
  return spawnSync("npx", ["vitest", "run", ...files], { stdio: "inherit", env }).status;
}
