/**
 * One line of the journal.
 *
 * State, reports and the live view are folds over these lines, so an event says what was decided or seen and keeps
 * everything large (evidence, transcripts, patches) in a file of its own, named by its hash. Each line carries the hash
 * of the line before it: a line that was changed, dropped or slipped in breaks the chain.
 */
import * as v from "valibot";
import { Driver, IsolationUsed, SandboxUsed, Usage, Workflow } from "./agent.ts";
import { AnyCode, AnyVerdict } from "./any-code.ts";
import { BuilderFailure } from "./evidence.ts";
import { CommitId, RunId, SeriesId, Sha256, Timestamp } from "./identifier.ts";
import { StopCode } from "./judgement.ts";
import { Count } from "./quantity.ts";
import { Task } from "./task.ts";

const SettleAction = v.picklist(["accept", "commit", "rollback"]);
const Phase = v.picklist([
  "lock",
  "preflight",
  "plan",
  "build",
  "judge",
  "verify",
  "review",
  "settle",
  "report",
]);
const Text = v.pipe(v.string(), v.minLength(1), v.maxLength(400));

const TickEvent = v.variant("type", [
  v.strictObject({ type: v.literal("tick_started"), workflow: Workflow, relais_version: Text }),
  v.strictObject({
    type: v.literal("preflight_passed"),
    base_commit: CommitId,
    /** The text of HEAD: the ref it names, or the commit where it is detached. */
    head: Text,
    config_sha256: v.nullable(Sha256),
  }),
  v.strictObject({ type: v.literal("planned"), task: Task, orchestrator_calls: Count }),
  v.strictObject({
    type: v.literal("build_started"),
    driver: Driver,
    isolation: IsolationUsed,
    sandbox: SandboxUsed,
    /** The name of the drop folder, unpredictable and used once. */
    dispatch: Text,
  }),
  v.strictObject({
    type: v.literal("build_ended"),
    failure: v.nullable(BuilderFailure),
    builder_output_valid: v.nullable(v.boolean()),
    duration_ms: Count,
    usage: v.nullable(Usage),
  }),
  v.strictObject({
    type: v.literal("observed"),
    stage: v.picklist(["before_build", "after_build", "after_verify", "after_review", "after_settle"]),
    observation_sha256: Sha256,
  }),
  v.strictObject({
    type: v.literal("judged"),
    code: v.union([v.literal("SUCCESS"), StopCode]),
    cause: v.nullable(Text),
    findings: Count,
    evidence_sha256: Sha256,
  }),
  v.strictObject({
    type: v.literal("verified"),
    /** Null where every check was green. */
    code: v.nullable(StopCode),
    cause: v.nullable(Text),
    verify_runs: Count,
  }),
  v.strictObject({
    type: v.literal("reviewed"),
    approved: v.boolean(),
    approvals: Count,
    quorum: Count,
    reviewer_calls: Count,
  }),
  v.strictObject({ type: v.literal("settle_started"), action: SettleAction }),
  v.strictObject({
    type: v.literal("settled"),
    action: SettleAction,
    commit: v.nullable(CommitId),
    salvage: v.nullable(RunId),
  }),
  v.strictObject({ type: v.literal("reported"), report_sha256: Sha256 }),
  v.strictObject({
    type: v.literal("tick_ended"),
    verdict: AnyVerdict,
    code: AnyCode,
    cause: v.nullable(Text),
    /** False where the tick costs nothing, as after a rate limit. */
    counted: v.boolean(),
  }),
  v.strictObject({
    type: v.literal("recovered"),
    interrupted_phase: Phase,
    restored: v.boolean(),
    salvage: v.nullable(RunId),
  }),
]);

export const JournalLine = v.strictObject({
  seq: Count,
  at: Timestamp,
  run_id: RunId,
  series_id: SeriesId,
  /** The SHA-256 of the line before, without its newline; null on the first line. */
  prev: v.nullable(Sha256),
  event: TickEvent,
});
export type JournalLine = v.InferOutput<typeof JournalLine>;
