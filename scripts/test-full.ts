/**
 * What `npm test` does with a sample, done with all of it. `hostile` lets every builder of test/hostile loose in every setting
 * that this machine has and writes docs/hostile-builders.md; further words limit it to some settings, as in `hostile
 * overlay sandboxed user ext4`. `crash` kills the built executable at every position of three ticks and recovers each time,
 * which takes the better part of an hour for each workplace that the machine has, and writes docs/crash-safety.md; a number
 * takes only every so many-th position, and the name of a workplace only that one. `goal` kills a goal at every line of its
 * journal and goes on with it. `engines` compares the
 * findings of a tick with those of `relais judge` for every hostile program. `loop` lets a loop run for 200 ticks with a
 * builder that lies, fails and hangs. `tables` runs every entry of the long tables, and `rest` only those that `npm test`
 * leaves out. `all` is everything, and what happens where no part is named.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KINDS } from "../test/crash/site.ts";
import type { Crash, Position } from "../test/crash/strike.ts";
import { everyPosition } from "../test/crash/strike.ts";
import { type Campaign, strikeAll } from "../test/crash/strike-all.ts";
import { listIsolations } from "../test/support/isolations.ts";
import { hostileCampaign } from "./hostile-campaign.ts";
import { SECOND_TIER } from "./second-tier.ts";

const PAGES = { crash: "docs/crash-safety.md", hostile: "docs/hostile-builders.md" } as const;
const MARKS = ["<!-- measured -->", "<!-- /measured -->"] as const;
const PROGRESS_EVERY = 50;
const ISOLATIONS = await listIsolations();
const [PART = "all", ...LIMITS] = process.argv.slice(2).filter((word) => !/^\d+$/.test(word));
const ONLY = ISOLATIONS.find((name) => LIMITS.includes(name));
const STEP = Math.max(1, Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 1));
if (!["all", "crash", "engines", "goal", "hostile", "loop", "rest", "tables"].includes(PART))
  throw new Error("usage: test-full [all|crash|engines|goal|hostile|loop|rest|tables] [LIMIT...] [STEP]");
const isWanted = (part: string): boolean => PART === "all" || PART === part;
const LOOP_TICKS = "200";

const folder = mkdtempSync(join(tmpdir(), "relais-full-"));
try {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
  const executable = join(folder, "relais.cjs"); // A build in the meantime must not change what is tested.
  copyFileSync("dist/relais.cjs", executable);
  const failures = [
    isWanted("loop") ? runTests(["test/loop/endurance.test.ts"], { RELAIS_LOOP_TICKS: LOOP_TICKS }) : 0,
    isWanted("tables") ? runTests(filesWithTables(), { RELAIS_TABLES: "all" }) : 0,
    PART === "rest" ? runTests(filesWithTables(), { RELAIS_TABLES: "rest" }) : 0,
    PART === "rest" || PART === "all" ? runTests(SECOND_TIER, { RELAIS_TABLES: "all" }) : 0,
    isWanted("engines") ? runTests(["test/engines/engines.test.ts"], { RELAIS_ENGINES: "all" }) : 0,
    isWanted("goal") ? runTests(["test/crash/goal.test.ts"], { RELAIS_GOAL_KILLS: "all" }) : 0,
    isWanted("hostile") ? await lookAtBuilders(executable) : 0,
    isWanted("crash") ? await lookAtCrashes(executable) : 0,
  ];
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
  return readdirSync("test", { recursive: true, encoding: "utf8" })
    .map((name) => join("test", name))
    .filter((name) => name.endsWith(".test.ts") && !SECOND_TIER.includes(name))
    .filter((name) => /partOf\(|playAll\(/.test(readFileSync(name, "utf8")));
}

async function lookAtBuilders(executable: string): Promise<number> {
  return hostileCampaign(executable, { limits: LIMITS, onSummary: (summary) => publish(PAGES.hostile, summary) });
}

async function lookAtCrashes(executable: string): Promise<number> {
  const campaigns: Campaign[] = [];
  for (const isolation of ISOLATIONS.filter((name) => ONLY === undefined || name === ONLY))
    for (const kind of KINDS)
      campaigns.push(await strikeAll({ executable, kind, isolation, choose, onCrash: progress(isolation) }));
  const failed = campaigns.flatMap(({ crashes }) => crashes.filter(({ failures }) => failures.length > 0));
  for (const { kind, isolation, position, failures } of failed) {
    console.error(`${kind}, ${isolation}, ${position.when} ${position.at} ${position.call}`);
    for (const failure of failures) console.error(`  ${failure.slice(0, 2000)}`);
  }
  const summary = summaryOf(campaigns);
  console.log(`\n${summary}`);
  publish(PAGES.crash, summary);
  return failed.length;
}

function choose(calls: readonly string[]): readonly Position[] {
  return everyPosition(calls).filter((_, index) => index % STEP === STEP - 1);
}

function progress(isolation: string): (crash: Crash) => void {
  let done = 0;
  return ({ kind, position, failures }) => {
    done += 1;
    if (failures.length > 0)
      console.error(`failed: ${kind}, ${isolation}, ${position.when} ${position.at} ${position.call}`);
    if (done % PROGRESS_EVERY === 0) console.error(`${kind}, ${isolation}: ${done}`);
  };
}

function summaryOf(campaigns: readonly Campaign[]): string {
  const rows = campaigns.map(({ kind, isolation, calls, crashes }) => {
    const ended = (outcome: Crash["outcome"]): number => crashes.filter((crash) => crash.outcome === outcome).length;
    const at = (when: Crash["position"]["when"]): number =>
      crashes.filter(({ position }) => position.when === when).length;
    const failures = crashes.filter((crash) => crash.failures.length > 0).length;
    const cells = [calls, at("before"), at("torn"), at("after"), ended("put back"), ended("kept")];
    return `| ${[kind, isolation.replace("_", " "), ...cells, ended("missed"), failures].join(" | ")} |`;
  });
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.version} on ${process.platform}${STEP === 1 ? "" : `, one position out of ${STEP}`}.`,
    "",
    "| tick | place | calls | killed before | torn | killed after | put back | kept | missed | failures |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function publish(page: string, summary: string): void {
  const text = readFileSync(page, "utf8");
  const [begin, end] = MARKS;
  const [head, rest] = text.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error(`${page} has no place for the summary`);
  writeFileSync(page, `${head}${begin}\n\n${summary}\n\n${end}${tail}`);
  execFileSync("npx", ["prettier", "--write", "--log-level", "warn", page], { stdio: "inherit" });
}
