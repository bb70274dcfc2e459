import type { Observation } from "../../contract/evidence/manifest.ts";
import { countLaunched } from "../../io/process/supervise-launch.ts";

export type Look = (earlier: Observation, afterBuild: boolean) => Promise<Observation>;

/** Longer ago, a person may well have edited something since. */
const FRESH_MS = 1_000;

/**
 * The last look after the checks, for the settlement that follows it at once: it would find the same. No program of the
 * tick has run since, and nothing was restored. A process that hides from relais could write between the two, as it
 * could after the second.
 */
export function rememberLook(look: Look) {
  let last: { readonly earlier: Observation; readonly now: Observation; readonly seenAt: number } | null = null;
  let launched = 0;
  return {
    look: async (earlier: Observation): Promise<Observation> => {
      launched = countLaunched();
      const now = await look(earlier, true);
      last = { earlier, now, seenAt: performance.now() };
      return now;
    },
    /** Called before anything is written. */
    forget: (): void => {
      last = null;
    },
    /** Looks again, unless what was seen since that observation is fresh. */
    recall: async (earlier: Observation, afterBuild: boolean): Promise<Observation> => {
      const known = last;
      last = null;
      const isFresh =
        known?.earlier === earlier &&
        afterBuild &&
        launched === countLaunched() &&
        performance.now() - known.seenAt < FRESH_MS;
      return known !== null && isFresh ? known.now : look(earlier, afterBuild);
    },
  };
}
