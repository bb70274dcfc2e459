import * as v from "valibot";
import { type IterationMeta, TreeIteration } from "../../contract/workflows/tree-iteration.ts";
import { findBuilding, findBuilt, findSettled, findVerification } from "../tick/tick-facts.ts";
import type { EventOf, Reportable } from "../tick/tick-state.ts";
import { GUARD } from "./iteration-facts.ts";

/** The part of meta.json that tells of an iteration; null where the tick was none. */
export function makeIterationMeta(state: Reportable): IterationMeta | null {
  const settled = findSettled(state);
  const read = v.safeParse(TreeIteration, settled?.data);
  if (!read.success) return null;
  const { iter_n, selected_leaf_id, selected_leaf_path, classification, guard } = read.output;
  return {
    iter_n,
    selected_leaf_id,
    selected_leaf_path,
    classification,
    ...executorPart(state),
    guard: guardPart(state, guard),
    commit_sha: settled?.commit ?? null,
  };
}

type Executor = Pick<IterationMeta, "executor_kind" | "exit_status" | "duration_ms">;

function executorPart(state: Reportable): Executor {
  const built = findBuilt(state);
  return {
    executor_kind: findBuilding(state)?.driver ?? null,
    exit_status: exitStatus(built?.failure ?? null),
    duration_ms: built?.duration_ms ?? null,
  };
}

function guardPart(state: Reportable, result: TreeIteration["guard"]): IterationMeta["guard"] {
  const run = findVerification(state)?.runs.find(({ template_id }) => template_id === GUARD);
  if (run === undefined) return { result, exit_status: null, duration_ms: null };
  return { result, exit_status: run.exit_code, duration_ms: run.duration_ms };
}

/** A session whose program ended by itself tells its status in the cause; words that cannot be read come after it. */
function exitStatus(failure: EventOf<"build_ended">["failure"]): number | null {
  if (failure === null || failure.code === "STOP_BUILDER_OUTPUT_INVALID") return 0;
  const status = /^exit_(?<status>\d+)$/.exec(failure.cause)?.groups?.["status"];
  return status === undefined ? null : Number(status);
}
