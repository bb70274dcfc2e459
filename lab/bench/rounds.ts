/** Runs subjects in turn, round after round, so that a slow minute of the machine meets all of them. */
import type { Sample } from "./meter.ts";
import type { Bench, Reading, Samples, Subject } from "./rows.ts";

/** The first round only warms up. */
export async function runRounds({ meter, runs }: Bench, subjects: readonly Subject[]): Promise<Samples> {
  const samples = new Map<string, Sample[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round <= runs; round += 1) {
    const shift = round % subjects.length;
    for (const subject of [...subjects.slice(shift), ...subjects.slice(0, shift)]) {
      await subject.before?.();
      const sample = await meter.measure(subject);
      await subject.after?.();
      if (round > 0) samples.get(subject.name)?.push(sample);
    }
  }
  return samples;
}

export interface Spread {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

/** The median and the quartiles of a value over the rounds. */
export function spreadOf(samples: Samples, key: keyof Sample, value: (read: Reading) => number): Spread {
  const rounds = Math.max(...[...samples.values()].map(({ length }) => length));
  const values = Array.from({ length: rounds }, (_, round) => {
    return value((name) => samples.get(name)?.[round]?.[key] ?? Number.NaN);
  }).toSorted((one, other) => one - other);
  return { median: quantile(values, 0.5), lower: quantile(values, 0.25), upper: quantile(values, 0.75) };
}

function quantile(sorted: readonly number[], part: number): number {
  const at = (sorted.length - 1) * part;
  const [below = Number.NaN, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}
