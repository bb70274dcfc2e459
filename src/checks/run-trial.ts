import type { Observation } from "../base/manifest.ts";
import { endTrial, noteTrial } from "../journal/trial-note.ts";
import type { Workplace } from "../place/workplace.ts";

export interface Trial {
  /** What the place holds now, and again afterwards. */
  readonly kept: Observation;
  /** What it holds meanwhile. */
  readonly tried: Observation;
  /** Paths where files lie meanwhile that no agent may see. */
  readonly heldOut?: readonly string[];
}

interface TrialPlace {
  readonly place: Pick<Workplace, "bringBack">;
  readonly runDirectory: string;
}

/** Does something with another content of the place, which is restored and proven afterwards. */
export async function runTrial<Answer>(
  { place, runDirectory }: TrialPlace,
  { kept, tried, heldOut = [] }: Trial,
  act: () => Promise<Answer>,
): Promise<Answer> {
  await noteTrial(runDirectory, heldOut);
  try {
    if (tried !== kept) await place.bringBack(tried);
    return await act();
  } finally {
    await place.bringBack(kept);
    endTrial(runDirectory);
  }
}
