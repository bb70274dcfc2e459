import { queueScenario } from "./queue-scenario.ts";
import type { Scenario } from "./scenario.ts";
import { SERIES } from "./series.ts";
import { seriesScenario } from "./series-scenario.ts";
import { KINDS } from "./site.ts";
import { tickScenario } from "./tick-scenario.ts";

const PLACES = ["in_place", "overlay", "clone"] as const;

/** Everything that is killed at every call. */
export const SCENARIOS: readonly Scenario[] = [
  ...PLACES.flatMap((isolation) => KINDS.map((kind) => tickScenario(kind, isolation))),
  tickScenario("held", "in_place"),
  tickScenario("landed", "in_place"),
  tickScenario("dirty", "overlay"),
  tickScenario("dirty", "clone"),
  ...SERIES.map(seriesScenario),
  queueScenario,
];
