import type { TreeIteration } from "../../contract/workflows/tree-iteration.ts";
import type { Judged } from "../tick/tick-state.ts";
import type { IterationFacts } from "./iteration-facts.ts";

/** Work is what changed outside the runner's folder; whatever else an iteration did was planning. */
export function classify(
  { workspace }: Pick<IterationFacts, "workspace">,
  { judged }: Pick<Judged, "judged">,
): TreeIteration["classification"] {
  const { touched_paths: paths, touched_paths_total: total } = judged;
  // The list is cut where it is long. Nobody plans with so many files, so what is not listed counts as work.
  const isWork = total > paths.length || paths.some((path) => !path.startsWith(`${workspace}/`));
  return isWork ? "execute" : "decompose";
}
