/**
 * Two engines make evidence: a tick observes files before and after, `relais judge` asks git for the difference from a
 * commit. The change of every attack goes through both, and their findings are equal but for what
 * `LONE_CLASSES` lists. A thirtieth of the attacks here; `npm run test:full -- engines` takes all of them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { discoverAttacks, isForKernel } from "../attacks/discover.ts";
import type { EngineReport } from "./compare-engines.ts";
import { LONE_CLASSES } from "./lone-classes.ts";
import { runDriver } from "./run-driver.ts";

const PATIENCE_MS = 1_800_000;
const ONE_IN = process.env["RELAIS_ENGINES"] === "all" ? 1 : 30;
const TEST = join(import.meta.dirname, "..");

/**
 * Immutable files would outlive the box; the suites of these attacks take care of them. Gigabytes without data are
 * refused unread by a tick, and git would read them for minutes.
 */
const ids = discoverAttacks()
  .filter(isForKernel)
  .filter(({ cause }) => cause !== "too_many_bytes")
  .filter(({ needs }) => ["nothing", "linux", ...(process.getuid?.() === 0 ? ["root"] : [])].includes(needs))
  .map(({ id }) => id)
  .filter((_, place) => place % ONE_IN === 0);

let reports: ReadonlyMap<string, EngineReport> = new Map();

beforeAll(async () => {
  reports = await runDriver(ids);
}, PATIENCE_MS);

function listUnexplained(report: EngineReport | undefined) {
  const { onlyTick = [], onlyJudge = [] } = report ?? {};
  return [...withSide(onlyTick, "a tick"), ...withSide(onlyJudge, "`relais judge`")].filter(
    ({ finding, side }) => !LONE_CLASSES.some(({ seenBy, holds }) => seenBy === side && holds(finding)),
  );
}

test.for(ids)("%s is the same to both engines", (id) => {
  const report = reports.get(id);
  if (report === undefined) throw new Error("the driver said nothing about it");
  expect(report.error).toBeNull();
  // A change that git cannot measure is stopped without a verdict, and never let pass.
  expect(report.unmeasured === null || report.isRefused).toBe(true);
  expect(listUnexplained(report)).toEqual([]);
});

function withSide(findings: EngineReport["onlyTick"], side: string) {
  return findings.map((finding) => ({ finding, side }));
}

test("both engines have findings in common, and each class of differences is met where all are compared", () => {
  const all = [...reports.values()];
  expect(all.reduce((sum, { shared }) => sum + shared, 0)).toBeGreaterThan(0);
  const met = LONE_CLASSES.filter(({ holds, seenBy }) =>
    all.some(({ onlyTick, onlyJudge }) => (seenBy === "a tick" ? onlyTick : onlyJudge).some(holds)),
  );
  expect(ONE_IN === 1 ? met.map(({ name }) => name) : []).toEqual(
    ONE_IN === 1 ? LONE_CLASSES.map(({ name }) => name) : [],
  );
});

test("docs/judge.md lists what only one engine can see", () => {
  const page = readFileSync(join(TEST, "../docs/judge.md"), "utf8").replaceAll(/\s+/g, " ");
  for (const { name, seenBy, reason } of LONE_CLASSES) expect(page).toContain(`| ${name} | ${seenBy} | ${reason} |`);
});
