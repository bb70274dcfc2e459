import * as v from "valibot";
import { DriverName, IsolationUsed, SandboxUsed, WorkflowName } from "./agent.ts";
import { AnyCode, AnyVerdict } from "../base/any-code.ts";
import { CommitId, RunId, SeriesId, Sha256, Timestamp } from "../base/identifier.ts";
import { Count } from "../base/quantity.ts";
import { IterationMeta } from "./tree-iteration.ts";

/** meta.json of a history folder. */
export const Meta = v.strictObject({
  version: v.literal(1),
  run_id: RunId,
  series_id: SeriesId,
  workflow: WorkflowName,
  relais_version: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
  started_at: Timestamp,
  ended_at: v.nullable(Timestamp),
  verdict: v.nullable(AnyVerdict),
  code: v.nullable(AnyCode),
  base_commit: v.nullable(CommitId),
  isolation: v.nullable(IsolationUsed),
  sandbox: v.nullable(SandboxUsed),
  config_sha256: v.nullable(Sha256),
  drivers: v.strictObject({
    orchestrator: v.exactOptional(DriverName),
    builder: v.exactOptional(DriverName),
    reviewer: v.exactOptional(DriverName),
    verifier: v.exactOptional(DriverName),
  }),
  /** The hash of each rendered prompt, by the name of its file. */
  prompt_sha256: v.record(v.string(), Sha256),
  journal: v.nullable(v.strictObject({ first_seq: Count, last_seq: Count })),
  iteration: v.exactOptional(IterationMeta),
});
export type Meta = v.InferOutput<typeof Meta>;
