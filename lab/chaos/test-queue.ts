/**
 * Kills, stops and starves the workers of a queue, and looks for lost jobs, overlapping sessions and duplicate branches.
 * `--kills N` (default 1000), `--seed S`, `--real` with `relais worker` and whole ticks, and `--write`, which writes the
 * table into lab/chaos/measured.md. `--fleet` does it on a real server, which is killed instead of its disk filled.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { mergeParts } from "../bench/write-page.ts";
import { runChaos } from "./chaos-run.ts";
import { describeChaos, drawChaos, TITLES } from "./chaos-table.ts";
import { publishSummary } from "../../scripts/publish-summary.ts";

const PAGE = "lab/chaos/measured.md";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    real: { type: "boolean", default: false },
    fleet: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const [kills, seed] = [Number(values.kills), Number(values.seed)];
if (!(kills >= 1) || !Number.isSafeInteger(seed)) throw new Error("--kills and --seed take whole numbers");
console.log(`seed ${seed}`);
const kind = { isReal: values.real, isFleet: values.fleet };
const found = await runChaos({ kills, seed, ...kind, onProgress: (text) => console.error(text) });
const part = drawChaos(found, { seed, ...kind });
console.log(part.text);
const problems = describeChaos(found);
for (const problem of problems) console.error(problem);
if (values.write) {
  const measured = {
    machine: "Made by `npm run test:queue -- --write`.",
    parts: [part],
    titles: Object.values(TITLES),
  };
  publishSummary(PAGE, mergeParts(readFileSync(PAGE, "utf8"), measured));
}
process.exitCode = problems.length === 0 ? 0 : 1;
