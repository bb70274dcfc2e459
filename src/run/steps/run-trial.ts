import type { Observation } from "../../contract/evidence/manifest.ts";
import type { Workplace } from "../evidence/workplace.ts";

export interface Trial {
  /** What the place holds now, and again afterwards. */
  readonly kept: Observation;
  /** What it holds meanwhile. */
  readonly tried: Observation;
}

/** Does something with another content of the place, which is restored and proven afterwards. */
export async function runTrial<Answer>(
  place: Pick<Workplace, "bringBack">,
  { kept, tried }: Trial,
  act: () => Promise<Answer>,
): Promise<Answer> {
  try {
    if (tried !== kept) await place.bringBack(tried);
    return await act();
  } finally {
    await place.bringBack(kept);
  }
}
