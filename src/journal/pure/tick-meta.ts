import * as v from "valibot";
import { CODES } from "../../base/codes.ts";
import type { Meta } from "../../records/meta.ts";
import type { TickRecord } from "../../tick/pure/tick-records.ts";
import {
  findBase,
  findBuilding,
  findPlanning,
  findPrepared,
  findReviewing,
  findBuilt,
  findSettled,
  findVerification,
} from "../../tick/pure/tick-facts.ts";
import type { Reportable, EventOf } from "../../tick/pure/tick-state.ts";
import { type IterationMeta, TreeIteration } from "../../records/tree-iteration.ts";
import { GUARD } from "../../records/tree.ts";

export interface MetaExtras {
  /** For a tick whose last line is not written yet. */
  readonly endedAt: string | null;
  readonly drivers: Meta["drivers"];
  readonly promptSha256: Meta["prompt_sha256"];
}

export type ReportableRecord = Omit<TickRecord, "state"> & { readonly state: Reportable };

export function makeTickMeta({ state, ...record }: ReportableRecord, extras: MetaExtras): Meta {
  const { started } = state.facts;
  const { code } = state.outcome;
  return {
    version: 1,
    run_id: record.runId,
    series_id: record.seriesId,
    workflow: started.workflow,
    relais_version: started.relais_version.slice(0, 80),
    started_at: record.startedAt,
    ended_at: record.endedAt ?? extras.endedAt,
    verdict: CODES[code].verdict,
    code,
    base_commit: findBase(state)?.base_commit ?? null,
    isolation: findPrepared(state)?.prepared.isolation ?? null,
    sandbox: findBuilding(state)?.sandbox ?? null,
    config_sha256: started.config_sha256,
    drivers: nameDrivers(state, extras),
    prompt_sha256: { ...extras.promptSha256, ...findPlanning(state)?.prompt_sha256 },
    journal: { first_seq: record.firstSeq, last_seq: record.lastSeq },
    ...reportIterationMeta(state),
  };
}

function nameDrivers(state: Reportable, { drivers }: MetaExtras): Meta["drivers"] {
  const [planning, building, review] = [findPlanning(state), findBuilding(state), findReviewing(state)];
  return {
    ...drivers,
    ...(planning === null ? {} : { orchestrator: planning.driver }),
    ...(building === null ? {} : { builder: building.driver }),
    ...(review === null ? {} : { [review.started.review?.role ?? "reviewer"]: review.reviewing.driver }),
  };
}

function reportIterationMeta(state: Reportable): Pick<Meta, "iteration"> {
  const settled = findSettled(state);
  const read = v.safeParse(TreeIteration, settled?.data);
  if (settled === null || !read.success) return {};
  const { iter_n, selected_leaf_id, selected_leaf_path, classification, guard } = read.output;
  return {
    iteration: {
      iter_n,
      selected_leaf_id,
      selected_leaf_path,
      classification,
      ...describeExecutor(state),
      guard: describeGuard(state, guard),
      commit_sha: settled.commit,
    },
  };
}

function describeExecutor(state: Reportable) {
  const built = findBuilt(state);
  const exit_status = readExitStatus(built?.failure ?? null);
  return { executor_kind: findBuilding(state)?.driver ?? null, exit_status, duration_ms: built?.duration_ms ?? null };
}

function describeGuard(state: Reportable, result: TreeIteration["guard"]): IterationMeta["guard"] {
  const run = findVerification(state)?.runs.find(({ template_id }) => template_id === GUARD);
  return { result, exit_status: run?.exit_code ?? null, duration_ms: run?.duration_ms ?? null };
}

/** The cause holds the status of a program that ended by itself. */
function readExitStatus(failure: EventOf<"build_ended">["failure"]): number | null {
  if (failure === null || failure.code === "STOP_BUILDER_OUTPUT_INVALID") return 0;
  const status = /^exit_(?<status>\d+)$/.exec(failure.cause)?.groups?.["status"];
  return status === undefined ? null : Number(status);
}
