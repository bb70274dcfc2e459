/**
 * A night in minutes: `--ticks N` (default 1000) of each workflow on one repository, with kills, fallbacks, rate limits and
 * prunes, looked at from outside. `--seed S` repeats its kills, words limit it to some workflows, `--minutes M` begins no
 * part later, `--keep` keeps the repository, and `--write` writes docs/soak.md and its picture. Linux only.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { publishSummary } from "../../scripts/publish-summary.ts";
import { drawSoak } from "./draw-soak.ts";
import { isFlat, measureGrowth, measureLoad, type SoakMetric } from "./flatness.ts";
import { runSoak } from "./run-soak.ts";
import { WORKFLOWS } from "./soak-workflows.ts";
import { writeRows } from "../../scripts/write-rows.ts";

const PAGE = "docs/soak.md";
const PICTURE = "docs/pictures/soak.svg";
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
  const growth = measureGrowth(soak);
  const rows = growth.map((one) => [
    one.workflow,
    NAMES[one.metric],
    one.before.toFixed(1),
    one.after.toFixed(1),
    isFlat(one) ? "yes" : "**no**",
  ]);
  const reached = Object.entries(soak.ticks).map(([workflow, count]) => `${workflow} ${count}`);
  const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" }).trim();
  const load = measureLoad(soak).map((one) => one.toFixed(1));
  const told = `Seed ${seed}, commit ${commit}: ${reached.join(", ")} ticks; ${soak.kills} kills, ${soak.prunes} prunes, ${soak.mends} mends, ${soak.commits} commits, ${soak.seconds} s, ${soak.problems.length} ${soak.problems.length === 1 ? "problem" : "problems"}. The load of the machine was ${load.join(" in the second quarter and ")} in the last.`;
  const table = writeRows(["workflow", "value", "second quarter", "last quarter", "flat"], rows);
  console.log(`${told}\n\n${table}`);
  for (const problem of soak.problems) console.error(problem);
  if (values.write) {
    writeFileSync(PICTURE, drawSoak(soak.points));
    publishSummary(PAGE, `${told}\n\n${table}`);
  }
  process.exitCode = soak.problems.length === 0 && growth.every((one) => isFlat(one)) ? 0 : 1;
} finally {
  if (values.keep) console.log(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
