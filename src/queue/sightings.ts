/** How long each worker has shown the same beat, by a steady clock of this process: no clock of another machine counts. */
export interface Sightings {
  readonly countSilence: (worker: string, beat: number | null) => number;
}

export function openSightings(readSteadyMs: () => number): Sightings {
  const seen = new Map<string, { readonly beat: number | null; readonly sinceMs: number }>();
  return {
    countSilence: (worker, beat) => {
      const nowMs = readSteadyMs();
      const before = seen.get(worker);
      if (before !== undefined && before.beat === beat) return nowMs - before.sinceMs;
      seen.set(worker, { beat, sinceMs: nowMs });
      return 0;
    },
  };
}
