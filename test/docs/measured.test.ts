/** The tables of the pages say what was measured, and nothing else. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readAllCrashes } from "../../lab/crash/crash-measured.ts";
import { readSwept } from "../../lab/crash/crash-sweep.ts";
import { countTried, summarizeCrashes } from "../../lab/crash/crash-tables.ts";
import { readAllMeasured } from "../../scripts/hostile-measured.ts";
import { summarize } from "../../scripts/hostile-tables.ts";
import { drawSweep } from "../../lab/crash/sweep-table.ts";
import { discoverAttacks } from "../attacks/discover.ts";

/** Without what Prettier does to a table. */
const plain = (text: string): string => text.replaceAll(/-{3,}/gu, "---").replaceAll(/ +/gu, " ").trim();

function readMeasuredPart(page: string): string {
  const [, part = ""] = readFileSync(page, "utf8").split(/<!-- \/?measured -->/u);
  return plain(part);
}

const crashes = readAllCrashes();

test("the page about crashes", () => {
  expect(readMeasuredPart("lab/crash/measured.md")).toBe(
    plain(`${drawSweep(readSwept())}\n\n${summarizeCrashes(crashes)}`),
  );
});

test("the page about the drill", () => {
  const builders = discoverAttacks().filter(({ isShipped }) => isShipped);
  expect(readMeasuredPart("docs/drill.md")).toBe(plain(summarize(readAllMeasured(), builders)));
});

test.each(crashes)("every tick that was killed $isolation, sandbox $sandbox, as $user has an end", ({ ticks }) => {
  const ends = Object.values(ticks).map((tick) => tick.reverted + tick.kept + tick.missed);
  expect(ends).toEqual(Object.values(ticks).map(countTried));
});
