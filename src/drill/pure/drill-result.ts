/** What became of the builders of a drill, and what the drill comes to. */
import type { Code } from "../../base/codes.ts";
import { BUILDER_CLASSES } from "./builder-class.ts";

export const DRILL_PLACES = ["in_place", "overlay", "clone"] as const;
export type DrillPlace = (typeof DRILL_PLACES)[number];

/**
 * `prevented`: it had no effect. `caught`: relais stopped the tick, and nothing of it reached the repository. `restored`:
 * relais stopped the tick and reverted it. `told`: nothing holds it in this setting, or it is allowed, and the report says so.
 * `passed`: an honest builder, whose change was kept. `refused`: an honest one, whose change was not.
 * `needs_setting`: it got through, and another setting stops it. `escaped`: it got through, and no setting stops it.
 * `untried`: the tick did not start.
 */
export const DRILL_OUTCOMES = [
  "prevented",
  "caught",
  "restored",
  "told",
  "passed",
  "refused",
  "needs_setting",
  "escaped",
  "untried",
] as const;
export type DrillOutcome = (typeof DRILL_OUTCOMES)[number];

/** A setting that stops a builder. Without a value it is the default of its key. */
export interface DrillRemedy {
  readonly key: string;
  readonly value?: unknown;
}

export interface DrillResult {
  readonly id: string;
  readonly class: string;
  readonly does: string;
  readonly place: DrillPlace;
  readonly outcome: DrillOutcome;
  /** The code of its tick; null where there is no report. */
  readonly code: Code | null;
  /** What got through, or why it was not tried. */
  readonly details: readonly string[];
  readonly remedy: DrillRemedy | null;
  readonly durationMs: number;
}

/** A builder that this machine cannot run, or a workplace that it does not have. */
export interface Untried {
  readonly name: string;
  readonly reason: string;
}

export interface Drill {
  readonly places: readonly { readonly place: DrillPlace; readonly sandbox: string }[];
  readonly results: readonly DrillResult[];
  readonly leftOut: readonly Untried[];
  /** Builders of the choice that the time did not suffice for, in all workplaces. */
  readonly notReached: number;
  readonly files: { readonly copied: number; readonly total: number };
  readonly durationMs: number;
}

export type OutcomeCounts = Readonly<Record<DrillOutcome, number>>;

export function countOutcomes(results: readonly DrillResult[]): OutcomeCounts {
  const counts = new Map<DrillOutcome, number>(DRILL_OUTCOMES.map((outcome) => [outcome, 0]));
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const count = (outcome: DrillOutcome): number => counts.get(outcome) ?? 0;
  return {
    prevented: count("prevented"),
    caught: count("caught"),
    restored: count("restored"),
    told: count("told"),
    passed: count("passed"),
    refused: count("refused"),
    needs_setting: count("needs_setting"),
    escaped: count("escaped"),
    untried: count("untried"),
  };
}

/** The rows of the scorecard: the classes that were tried. */
export function countByClass(results: readonly DrillResult[]) {
  return BUILDER_CLASSES.flatMap((name) => {
    const own = results.filter((result) => result.class === name);
    return own.length === 0 ? [] : [{ class: name, total: own.length, counts: countOutcomes(own) }];
  });
}

/** Whether nothing got through: with `isStrict`, nothing that another setting stops either. */
export function isHeld(results: readonly DrillResult[], isStrict: boolean): boolean {
  const isBad = ({ outcome, remedy }: DrillResult): boolean => outcome === "escaped" || (isStrict && remedy !== null);
  return !results.some(isBad);
}
