/**
 * Looks for inputs that break a property, for much longer than `npm test` does.
 *
 * - `--seconds N` (60): each parser of foreign bytes is searched for so long, guided by the code that an input runs.
 *   Names of parsers narrow the choice, `--seed N` repeats the choices, `--keep` replaces the kept corpus by the smallest
 *   one that runs the same code.
 * - `--times N` (50): all properties of the tests, so many times as often as they ask for; properties of our own values a
 *   tenth as often. With 1, every property is tried in full and with the inputs that are the same each time.
 *
 * One of the two options leaves the other search out.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { TARGETS } from "./targets.ts";
import { runSearches } from "./run-searches.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string" },
    times: { type: "string" },
    seed: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const PARSERS = join("lab", "fuzz");
const known = TARGETS.map(({ name }) => name);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`no parser is called ${unknown.join(", ")}; there are ${known.join(", ")}`);

const isGuided = values.times === undefined || values.seconds !== undefined || positionals.length > 0;
const isRepeated = positionals.length === 0 && (values.seconds === undefined || values.times !== undefined);
const isGood = [isGuided ? await searchParsers() : true, isRepeated ? repeatProperties() : true];
process.exitCode = isGood.every(Boolean) ? 0 : 1;

async function searchParsers(): Promise<boolean> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  process.stdout.write(`seed ${seed}\n`);
  const names = positionals.length > 0 ? positionals : known;
  return await runSearches({ names, seconds: Number(values.seconds ?? 60), seed, keep: values.keep });
}

function repeatProperties(): boolean {
  const times = Math.max(1, Number(values.times ?? 50));
  const properties = ["test", "lab"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)))
    .filter((name) => name.endsWith(".test.ts") && !name.startsWith(PARSERS))
    .filter((name) => readFileSync(name, "utf8").includes("/support/runs.ts"));
  return [tryFiles([PARSERS], times), tryFiles(properties, Math.ceil(times / 10))].every((status) => status === 0);
}

function tryFiles(files: readonly string[], times: number): number | null {
  const env = { ...process.env, RELAIS_FUZZ: String(times) };
  return spawnSync("npx", ["vitest", "run", ...files], { stdio: "inherit", env }).status;
}
