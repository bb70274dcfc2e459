/**
 * Whether a soak stays flat: its last quarter beside its second. The first is left out, because caches fill in it.
 *
 * What relais records about every tick for good (the journal with its copies, the documents of goals and campaigns)
 * grows by design. It is measured by itself: per tick it must stay flat, too, and below a bound.
 *
 * The disk is a saw: it fills in a part and is emptied by the prune behind it. Its mean over many teeth says whether it
 * grows; a median depends on where in its tooth a point lies. Other programs can only make a tick take longer, so of the
 * time its quickest tenth counts. All other values have outliers to both sides, so their median counts.
 */
import type { Soak, SoakPoint } from "./run-soak.ts";
import { WORKFLOWS } from "./soak-workflows.ts";

/** A measured value of a point. */
export const METRICS = ["memoryMb", "descriptors", "cpuMsPerTick", "msPerTick", "diskMb", "recordKbPerTick"] as const;
export type SoakMetric = (typeof METRICS)[number];

export interface Growth {
  readonly workflow: string;
  readonly metric: SoakMetric;
  readonly before: number;
  readonly after: number;
}

const GROWTH_MAX = 1.25;
export const RECORD_KB_MAX = 48;
const QUARTERS = 4;
const QUICKEST = 1 / 10;

export function measureGrowth({ points }: Soak): readonly Growth[] {
  return WORKFLOWS.flatMap((workflow) => {
    const own = points.filter((point) => point.workflow === workflow);
    const quarter = Math.floor(own.length / QUARTERS);
    if (quarter === 0) return [];
    const [second, last] = [own.slice(quarter, 2 * quarter), own.slice(-quarter)];
    return METRICS.map((metric) => ({ workflow, metric, before: sumUp(second, metric), after: sumUp(last, metric) }));
  });
}

export function isFlat({ metric, before, after }: Growth): boolean {
  return after <= before * GROWTH_MAX && (metric !== "recordKbPerTick" || after <= RECORD_KB_MAX);
}

/** The load of the machine in the same two quarters, over all workflows: it says what the times are worth. */
export function measureLoad({ points }: Soak): readonly [before: number, after: number] {
  const quarter = Math.floor(points.length / QUARTERS);
  const loads = points.map(({ load }) => load);
  return [findMedian(loads.slice(quarter, 2 * quarter)), findMedian(loads.slice(-quarter))];
}

function sumUp(points: readonly SoakPoint[], metric: SoakMetric): number {
  const values = points.map((point) => point[metric]);
  if (metric === "diskMb") return values.reduce((sum, value) => sum + value, 0) / values.length;
  return metric === "msPerTick" ? findShare(values, QUICKEST) : findMedian(values);
}

function findMedian(values: readonly number[]): number {
  return findShare(values, 1 / 2);
}

/** The value that this share of all values lies below. */
function findShare(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
