import { CODES } from "../../contract/values/codes.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import type { Meta } from "../../contract/documents/meta.ts";
import { iterationMeta } from "../tree/iteration-meta.ts";
import type { TickRecord } from "../tick/tick-records.ts";
import type { TickState } from "../tick/tick-state.ts";

/** What the journal does not tell about a tick. */
export interface MetaExtras {
  /** The end that the report names, for a tick whose last line is not written yet. */
  readonly endedAt: string | null;
  /** The drivers of roles other than the orchestrator and the builder. */
  readonly drivers: Meta["drivers"];
  readonly promptSha256: Meta["prompt_sha256"];
}

/** The circumstances of a tick, for its history folder. */
export function tickMeta(record: TickRecord, extras: MetaExtras): Meta {
  const { started } = record.state;
  if (started === null) throw new InvariantError("a tick without a beginning");
  return {
    version: 1,
    run_id: record.runId,
    series_id: record.seriesId,
    workflow: started.workflow,
    relais_version: started.relais_version.slice(0, 80),
    started_at: record.startedAt,
    ended_at: record.endedAt ?? extras.endedAt,
    ...outcomePart(record.state),
    ...placePart(record.state),
    config_sha256: started.config_sha256,
    drivers: driversPart(record.state, extras),
    prompt_sha256: { ...extras.promptSha256, ...record.state.planning?.prompt_sha256 },
    journal: { first_seq: record.firstSeq, last_seq: record.lastSeq },
    ...iterationPart(record.state),
  };
}

function iterationPart(state: TickState): Pick<Meta, "iteration"> {
  const iteration = iterationMeta(state);
  return iteration === null ? {} : { iteration };
}

function outcomePart({ outcome }: TickState): Pick<Meta, "verdict" | "code"> {
  return outcome === null
    ? { verdict: null, code: null }
    : { verdict: CODES[outcome.code].verdict, code: outcome.code };
}

function placePart({
  base,
  prepared,
  building,
}: TickState): Pick<Meta, "base_commit" | "isolation" | "sandbox"> {
  return {
    base_commit: base?.base_commit ?? null,
    isolation: prepared?.isolation ?? null,
    sandbox: building?.sandbox ?? null,
  };
}

function driversPart(
  { planning, building, reviewing, started }: TickState,
  { drivers }: MetaExtras,
): Meta["drivers"] {
  return {
    ...drivers,
    ...(planning === null ? {} : { orchestrator: planning.driver }),
    ...(building === null ? {} : { builder: building.driver }),
    ...(reviewing === null ? {} : { [started?.review?.role ?? "reviewer"]: reviewing.driver }),
  };
}
