import { CODES } from "../../contract/values/codes.ts";
import type { Meta } from "../../contract/documents/meta.ts";
import { makeIterationMeta } from "../tree/iteration-meta.ts";
import type { TickRecord } from "../tick/tick-records.ts";
import { findBase, findBuilding, findPlanning, findPrepared, findReviewing } from "../tick/tick-facts.ts";
import type { Reportable } from "../tick/tick-state.ts";

/** What the journal does not tell about a tick. */
export interface MetaExtras {
  /** The end that the report names, for a tick whose last line is not written yet. */
  readonly endedAt: string | null;
  /** The drivers of roles other than the orchestrator and the builder. */
  readonly drivers: Meta["drivers"];
  readonly promptSha256: Meta["prompt_sha256"];
}

/** A tick whose outcome is known. */
export type ReportableRecord = Omit<TickRecord, "state"> & { readonly state: Reportable };

/** The circumstances of a tick, for its history folder. */
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
    drivers: driversPart(state, extras),
    prompt_sha256: { ...extras.promptSha256, ...findPlanning(state)?.prompt_sha256 },
    journal: { first_seq: record.firstSeq, last_seq: record.lastSeq },
    ...iterationPart(state),
  };
}

function iterationPart(state: Reportable): Pick<Meta, "iteration"> {
  const iteration = makeIterationMeta(state);
  return iteration === null ? {} : { iteration };
}

function driversPart(state: Reportable, { drivers }: MetaExtras): Meta["drivers"] {
  const [planning, building, review] = [findPlanning(state), findBuilding(state), findReviewing(state)];
  return {
    ...drivers,
    ...(planning === null ? {} : { orchestrator: planning.driver }),
    ...(building === null ? {} : { builder: building.driver }),
    ...(review === null ? {} : { [review.started.review?.role ?? "reviewer"]: review.reviewing.driver }),
  };
}
