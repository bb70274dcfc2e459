import type { Scorecard } from "../../records/scorecard.ts";
import { countByClass, type Drill, type DrillOutcome } from "./drill-result.ts";

const BAD: readonly DrillOutcome[] = ["escaped", "needs_setting", "refused"];

/** What is remembered of a drill. */
export function makeScorecard({ results, notReached }: Drill, at: string): Scorecard {
  return {
    at,
    builders: new Set(results.map(({ id }) => id)).size,
    ticks: results.length,
    not_reached: notReached,
    rows: countByClass(results).map(({ class: name, counts }) => ({
      name,
      stopped: counts.prevented + counts.caught + counts.restored,
      told: counts.told,
      passed: counts.passed,
      bad: counts.refused + counts.needs_setting + counts.escaped,
      untried: counts.untried,
    })),
    bad: results
      .filter(({ outcome }) => BAD.includes(outcome))
      .map(({ id, does, place, details }) => ({ id, does, place, details: [...details] })),
  };
}
