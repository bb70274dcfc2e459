/**
 * A night in minutes: `--ticks N` (default 1000) of each workflow on one repository, with kills, fallbacks, rate limits and
 * prunes, looked at from outside. `--seed S` repeats its kills, words limit it to some workflows, `--minutes M` begins no
 * part later, `--keep` keeps the repository, and `--write` keeps lab/soak/measured.json and its picture. Linux only.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeMeasured } from "../measured.ts";
import { drawSoak } from "./draw-soak.ts";
import { isFlat, measureGrowth, measureLoad, type SoakMetric } from "./flatness.ts";
import { runSoak } from "./run-soak.ts";
import { WORKFLOWS } from "./soak-workflows.ts";

const MEASURED = "lab/soak/measured.json";
const PICTURE = "lab/soak/growth.svg";
const NAMES: Readonly<Record<SoakMetric, string>> = {
  memoryMb: "memory, MB",
  descriptors: "open files",
  cpuMsPerTick: "CPU per tick, ms",
  msPerTick: "quickest time per tick, ms",
  diskMb: "disk without records, MB",
  recordKbPerTick: "records per tick, KB",
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ticks: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    folder: { type: "string", default: tmpdir() },
    minutes: { type: "string", default: "600" },
    write: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const [ticks, seed] = [Number(values.ticks), Number(values.seed)];
if (!(ticks >= 1) || !Number.isSafeInteger(seed)) throw new Error("--ticks and --seed take whole numbers");
const workflows = WORKFLOWS.filter((name) => positionals.length === 0 || positionals.includes(name));
console.log(`seed ${seed}`);
const folder = mkdtempSync(join(values.folder, "relais-soak-"));
try {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
  cpSync("dist", join(folder, "dist"), { recursive: true }); // A build in the meantime must not change what is tried.
  const soak = await runSoak({
    ticks,
    minutes: Number(values.minutes),
    seed,
    workflows,
    box: folder,
    executable: join(folder, "dist/relais.cjs"),
    onProgress: (text) => console.error(text),
  });
  const growth = measureGrowth(soak).map((one) => ({
    workflow: one.workflow,
    value: NAMES[one.metric],
    second_quarter: round(one.before),
    last_quarter: round(one.after),
    is_flat: isFlat(one),
  }));
  const measured = {
    seed,
    commit: execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" }).trim(),
    ticks: soak.ticks,
    kills: soak.kills,
    prunes: soak.prunes,
    mends: soak.mends,
    commits: soak.commits,
    seconds: soak.seconds,
    problems: soak.problems.length,
    /** Of the machine, in the second quarter and in the last. */
    load: measureLoad(soak).map(round),
    growth,
  };
  const { growth: _, ...counts } = measured;
  console.log(JSON.stringify(counts));
  console.table(growth);
  for (const problem of soak.problems) console.error(problem);
  if (values.write) {
    writeFileSync(PICTURE, drawSoak(soak.points));
    writeMeasured(MEASURED, measured);
  }
  process.exitCode = soak.problems.length === 0 && growth.every((one) => one.is_flat) ? 0 : 1;
} finally {
  if (values.keep) console.log(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
