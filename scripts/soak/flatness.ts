/**
 * Whether a soak stays flat: its last quarter beside its second. The first is left out, because caches fill in it.
 *
 * What relais records about every tick for good (the journal with its copies, the documents of goals and campaigns)
 * grows by design. It is measured by itself: per tick it must stay flat, too, and below a bound.
 */
import type { Soak, SoakPoint } from "./run-soak.ts";
import { WORKFLOWS } from "./soak-workflows.ts";

/** A measured value of a point. */
export type SoakMetric = "memoryMb" | "descriptors" | "cpuMsPerTick" | "diskMb" | "recordKbPerTick";
export const METRICS: readonly SoakMetric[] = ["memoryMb", "descriptors", "cpuMsPerTick", "diskMb", "recordKbPerTick"];

export interface Growth {
  readonly workflow: string;
  readonly metric: SoakMetric;
  readonly before: number;
  readonly after: number;
}

const GROWTH_MAX = 1.25;
export const RECORD_KB_MAX = 48;
const QUARTERS = 4;

export function measureGrowth({ points }: Soak): readonly Growth[] {
  return WORKFLOWS.flatMap((workflow) => {
    const own = points.filter((point) => point.workflow === workflow);
    const quarter = Math.floor(own.length / QUARTERS);
    if (quarter === 0) return [];
    const [second, last] = [own.slice(quarter, 2 * quarter), own.slice(-quarter)];
    return METRICS.map((metric) => ({ workflow, metric, before: middle(second, metric), after: middle(last, metric) }));
  });
}

export function isFlat({ metric, before, after }: Growth): boolean {
  return after <= before * GROWTH_MAX && (metric !== "recordKbPerTick" || after <= RECORD_KB_MAX);
}

function middle(points: readonly SoakPoint[], metric: SoakMetric): number {
  const sorted = points.map((point) => point[metric]).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
