import * as v from "valibot";
import type { Report } from "../../contract/documents/report.ts";
import { TreeIteration } from "../../contract/workflows/tree-iteration.ts";
import { findSettled } from "./tick-facts.ts";
import type { Reportable, TickState } from "./tick-state.ts";

/** What a tick was to its tree; nothing where it belongs to none. */
export function reportIteration(state: TickState | Reportable): Pick<Report, "iteration"> {
  const read = v.safeParse(TreeIteration, findSettled(state)?.data);
  if (!read.success) return {};
  const { iter_n, selected_leaf_id, outcome } = read.output;
  return { iteration: { iter_n, selected_leaf_id, outcome } };
}
