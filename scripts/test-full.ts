/**
 * What `npm test` does with a sample, done with all of it. `hostile` lets every attack that `relais drill` brings loose in every setting
 * that this machine has and writes docs/drill.md; further words limit it to some settings, as in `hostile
 * overlay sandboxed user ext4`. `crash` recovers from every state that a crash can leave of ticks and series and writes
 * lab/crash/measured.md; words limit it, as in `crash committed overlay`, a number takes one state out of so many, `--minutes N` leaves the
 * rest to the next time, and `--at-once N` is how many scenarios run side by side (2). `kills` kills ticks with SIGKILL in every
 * setting, a sample of one position out of so many (100), as in `kills overlay sandboxed user 10`. For `hostile`, `crash` and
 * `kills`, `page` only writes the page from the results that are there. `goal` kills a goal at every line of its
 * journal and goes on with it. `engines` compares the
 * findings of a tick with those of `relais judge` for every attack. `loop` lets a loop run for 200 ticks with a
 * builder that lies, fails and hangs. `tables` runs every entry of the long tables, and `rest` only those that `npm test`
 * leaves out. `all` is everything, and what happens where no part is named. Each part says when it last ran whole, and on
 * which commit, and keeps a note of this run in `lab/full-runs.json`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { crashCampaign } from "../lab/crash/crash-campaign.ts";
import { readAllCrashes } from "../lab/crash/crash-measured.ts";
import { readSwept, sweepAll } from "../lab/crash/crash-sweep.ts";
import { summarizeCrashes } from "../lab/crash/crash-tables.ts";
import { hostileCampaign } from "./hostile-campaign.ts";
import { describeFullRuns, noteFullRun } from "../lab/full-runs.ts";
import { publishSummary } from "./publish-summary.ts";
import { SECOND_TIER } from "./second-tier.ts";
import { drawSweep } from "../lab/crash/sweep-table.ts";

const PAGES = { crash: "lab/crash/measured.md", hostile: "docs/drill.md" } as const;
const { values, positionals } = parseArgs({
  options: { minutes: { type: "string", default: "Infinity" }, "at-once": { type: "string", default: "2" } },
  allowPositionals: true,
});
const [PART = "all", ...LIMITS] = positionals.filter((word) => !/^\d+$/.test(word));
const STEP = Number(positionals.find((word) => /^[1-9]\d*$/.test(word)) ?? 0);
const LOOP_TICKS = "200";
/** A position of every kill costs a second or two, and there are thousands in each setting. */
const KILLS_STEP = 100;

/** Each part with the number of its failures. */
const WHOLE: Readonly<Record<string, (executable: string) => number | Promise<number>>> = {
  loop: () => runTests(["test/workflows/endurance.test.ts"], { RELAIS_LOOP_TICKS: LOOP_TICKS }),
  tables: () => runTests(filesWithTables(), { RELAIS_TABLES: "all" }) + runTests(SECOND_TIER, { RELAIS_TABLES: "all" }),
  rest: () => runTests(filesWithTables(), { RELAIS_TABLES: "rest" }) + runTests(SECOND_TIER, { RELAIS_TABLES: "all" }),
  engines: () => runTests(["test/queue/engines.test.ts"], { RELAIS_ENGINES: "all" }),
  goal: () => runTests(["test/crash/goal.test.ts"], { RELAIS_GOAL_KILLS: "all" }),
  hostile: lookAtBuilders,
  crash: sweepCrashes,
  kills: lookAtKills,
};
const PARTS = ["all", ...Object.keys(WHOLE)];
if (!PARTS.includes(PART)) throw new Error(`usage: test-full [${PARTS.join("|")}] [LIMIT...] [STEP]`);

const folder = mkdtempSync(join(tmpdir(), "relais-full-"));
try {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
  const executable = join(folder, "dist/relais.cjs"); // A build in the meantime must not change what is tested.
  cpSync("dist", dirname(executable), { recursive: true });
  const wanted = Object.entries(WHOLE).filter(([part]) => (PART === "all" ? part !== "rest" : part === PART));
  for (const line of describeFullRuns(wanted.map(([part]) => part))) console.log(line);
  const failures = [];
  for (const [part, run] of wanted) {
    const count = await run(executable);
    // A part that was limited is not whole.
    if (LIMITS.length === 0 && STEP === 0 && values.minutes === "Infinity") noteFullRun(part, count);
    failures.push(count);
  }
  process.exitCode = failures.every((count) => count === 0) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runTests(files: readonly string[], variables: Readonly<Record<string, string>>): number {
  const env = { ...process.env, ...variables };
  const { status } = spawnSync("npx", ["vitest", "run", ...files], { stdio: "inherit", env });
  return status === 0 ? 0 : 1;
}

/** A test file names the table that it takes a part of, or plays scenarios, of which a part is always taken. */
function filesWithTables(): readonly string[] {
  return ["test", "lab"]
    .flatMap((root) => readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => join(root, name)))
    .filter((name) => name.endsWith(".test.ts") && !SECOND_TIER.includes(name))
    .filter((name) => /partOf\(|playAll\(|drawOfEach\(/.test(readFileSync(name, "utf8")));
}

async function lookAtBuilders(executable: string): Promise<number> {
  return hostileCampaign(executable, {
    limits: LIMITS,
    onSummary: (summary) => publishSummary(PAGES.hostile, summary),
  });
}

function publishCrashes(): void {
  publishSummary(PAGES.crash, `${drawSweep(readSwept())}\n\n${summarizeCrashes(readAllCrashes())}`);
}

async function sweepCrashes(executable: string): Promise<number> {
  return sweepAll(executable, {
    limits: LIMITS,
    step: Math.max(1, STEP),
    minutes: Number(values.minutes),
    atOnce: Number(values["at-once"]),
    onSummary: publishCrashes,
  });
}

async function lookAtKills(executable: string): Promise<number> {
  return crashCampaign(executable, { limits: LIMITS, step: STEP || KILLS_STEP, onSummary: publishCrashes });
}
