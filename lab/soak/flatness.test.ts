/** What the soak makes of its points. */
import { expect, test } from "vitest";
import { drawSoak } from "./draw-soak.ts";
import { isFlat, measureGrowth, measureLoad } from "./flatness.ts";
import type { Soak, SoakPoint } from "./run-soak.ts";

const points = (memoryMb: (at: number) => number): readonly SoakPoint[] =>
  Array.from({ length: 40 }, (_, at) => ({
    workflow: "loop",
    ticks: (at + 1) * 10,
    memoryMb: memoryMb(at),
    descriptors: 20,
    cpuMsPerTick: 100 + (at % 3),
    msPerTick: 300,
    diskMb: 5 + (at % 5),
    recordKbPerTick: 30,
    load: at < 20 ? 1 : 3,
  }));
const soakOf = (list: readonly SoakPoint[]): Soak => ({
  points: list,
  ticks: {},
  kills: 0,
  prunes: 0,
  mends: 0,
  commits: 0,
  seconds: 0,
  problems: [],
});
const growthOf = (list: readonly SoakPoint[]) => measureGrowth(soakOf(list));

test("values that stay are flat, also after a steep first quarter", () => {
  const growth = growthOf(points((at) => Math.min(80, 20 + at * 10)));
  expect(growth.map(({ metric }) => metric)).toEqual([
    "memoryMb",
    "descriptors",
    "cpuMsPerTick",
    "msPerTick",
    "diskMb",
    "recordKbPerTick",
  ]);
  expect(growth.every((one) => isFlat(one))).toBe(true);
});

test("memory that grows with the ticks is not flat", () => {
  const [memory, ...others] = growthOf(points((at) => 60 + at * 2));
  expect(memory === undefined || isFlat(memory)).toBe(false);
  expect(others.every((one) => isFlat(one))).toBe(true);
});

const saw = (kept: (at: number) => number): readonly SoakPoint[] =>
  points(() => 60).map((point, at) => ({ ...point, diskMb: kept(at) + 3 * ((at + Math.floor(at / 20)) % 5) }));
const isDiskFlat = (list: readonly SoakPoint[]): boolean =>
  growthOf(list).every((one) => one.metric !== "diskMb" || isFlat(one));

test("a disk that fills and is emptied again and again is flat, and one that keeps more each time is not", () => {
  expect(isDiskFlat(saw(() => 6))).toBe(true);
  expect(isDiskFlat(saw((at) => 6 + at / 4))).toBe(false);
});

const isTimeFlat = (msPerTick: (at: number) => number): boolean =>
  growthOf(points(() => 60).map((point, at) => ({ ...point, msPerTick: msPerTick(at) }))).every(
    (one) => one.metric !== "msPerTick" || isFlat(one),
  );

test("a machine that others use too makes ticks slower, and that is no growth", () => {
  expect(isTimeFlat((at) => (at >= 20 && at % 5 > 0 ? 900 : 300))).toBe(true);
  expect(isTimeFlat((at) => 300 + 10 * at)).toBe(false);
});

test("the load of the machine is told for the same two quarters", () => {
  expect(measureLoad(soakOf(points(() => 60)))).toEqual([1, 3]);
});

test("records may be flat and still be too many", () => {
  const many = { workflow: "loop", metric: "recordKbPerTick", before: 50, after: 50 } as const;
  expect(isFlat(many)).toBe(false);
  expect(isFlat({ ...many, before: 40, after: 40 })).toBe(true);
});

test("the picture has a panel for each value and a line for each workflow that ran", () => {
  const svg = drawSoak(points(() => 60));
  expect(svg.match(/class="h"/g)).toHaveLength(6);
  expect(svg.match(/<path d="M[\d.]+ [\d.]+L/g)).toHaveLength(6);
  expect(svg).toContain("400 ticks");
});
