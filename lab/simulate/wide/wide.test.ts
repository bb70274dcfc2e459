/** What the wide search once found, as the smallest plan of each, and some hundred ticks by seed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { loadWide } from "./build-wide.ts";
import type { WidePlan } from "./plan.ts";

interface Case {
  readonly name: string;
  readonly plan: WidePlan;
}

const CASES: readonly Case[] = JSON.parse(readFileSync(join(import.meta.dirname, "cases.json"), "utf8"));
const SEED = 1;
const TICKS = 250;
const ENDLESS = { seconds: Number.MAX_SAFE_INTEGER, plans: Number.MAX_SAFE_INTEGER };

let wide: Awaited<ReturnType<typeof loadWide>>;

beforeAll(async () => {
  wide = await loadWide();
});

test.each(CASES)("$name", async ({ plan }) => {
  expect((await wide.simulateWide(plan, null)).violation).toBeNull();
});

test("some hundred ticks of every workflow keep all invariants", async () => {
  const { failure, ticks, codes } = await wide.searchWide({ ...ENDLESS, seed: SEED, stride: 1, ticks: TICKS });
  expect(failure).toBeNull();
  expect(ticks).toBeGreaterThanOrEqual(TICKS);
  expect(codes).toHaveProperty("SUCCESS");
});

test("so many plans are tried, the same ones each time", async () => {
  const request = { ...ENDLESS, seed: SEED, stride: 2, ticks: Number.MAX_SAFE_INTEGER, plans: 3 };
  const [first, again] = [await wide.searchWide(request), await wide.searchWide(request)];
  expect(first.worlds).toBe(3);
  expect({ ...again, seconds: 0, cpuSeconds: 0 }).toEqual({ ...first, seconds: 0, cpuSeconds: 0 });
});

test("the same seed gives the same world, step by step", async () => {
  const plan = wide.makeWidePlan(SEED);
  const [first, again]: [string[], string[]] = [[], []];
  await wide.simulateWide(plan, (line) => void first.push(line));
  await wide.simulateWide(plan, (line) => void again.push(line));
  expect(again).toEqual(first);
  expect(first.length).toBeGreaterThan(0);
});

test("a plan is made as small as its violation allows", async () => {
  const plan = wide.makeWidePlan(SEED);
  const smallest = await wide.shrinkWide({ ...plan, starts: 3 }, ({ starts }) => Promise.resolve(starts >= 1));
  expect(smallest).toMatchObject({ starts: 1, faults: [], wild: 0 });
});
