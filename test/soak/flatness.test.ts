/** What the soak makes of its points. */
import { expect, test } from "vitest";
import { drawSoak } from "../../scripts/soak/draw-soak.ts";
import { isFlat, measureGrowth } from "../../scripts/soak/flatness.ts";
import type { SoakPoint } from "../../scripts/soak/run-soak.ts";

const points = (memoryMb: (at: number) => number): readonly SoakPoint[] =>
  Array.from({ length: 40 }, (_, at) => ({
    workflow: "loop",
    ticks: (at + 1) * 10,
    memoryMb: memoryMb(at),
    descriptors: 20,
    cpuMsPerTick: 100 + (at % 3),
    diskMb: 5,
    recordKbPerTick: 30,
  }));
const growthOf = (list: readonly SoakPoint[]) =>
  measureGrowth({ points: list, ticks: {}, kills: 0, prunes: 0, mends: 0, commits: 0, seconds: 0, problems: [] });

test("values that stay are flat, also after a steep first quarter", () => {
  const growth = growthOf(points((at) => Math.min(80, 20 + at * 10)));
  expect(growth.map(({ metric }) => metric)).toEqual([
    "memoryMb",
    "descriptors",
    "cpuMsPerTick",
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

test("records may be flat and still be too many", () => {
  const many = { workflow: "loop", metric: "recordKbPerTick", before: 50, after: 50 } as const;
  expect(isFlat(many)).toBe(false);
  expect(isFlat({ ...many, before: 40, after: 40 })).toBe(true);
});

test("the picture has a panel for each value and a line for each workflow that ran", () => {
  const svg = drawSoak(points(() => 60));
  expect(svg.match(/class="h"/g)).toHaveLength(5);
  expect(svg.match(/<path d="M[\d.]+ [\d.]+L/g)).toHaveLength(5);
  expect(svg).toContain("400 ticks");
});
