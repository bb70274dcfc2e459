/**
 * One line of the journal.
 *
 * State, reports and the live view are folds over these lines, so an event says what was decided or seen and keeps
 * everything large (evidence, transcripts, patches) in a file of its own, named by its hash. Each line carries the hash
 * of the line before it: a line that was changed, dropped or slipped in breaks the chain.
 */
import * as v from "valibot";
import { DriverName, IsolationUsed, SandboxUsed, Usage, WorkflowName } from "../agents/agent.ts";
import { AnyCode, AnyVerdict } from "../values/any-code.ts";
import { BuilderFailure } from "../evidence/evidence.ts";
import { CommitId, RunId, SeriesId, Sha256, Timestamp } from "../values/identifier.ts";
import { BlastRadius, Finding, StopCode } from "../evidence/judgement.ts";
import { Count } from "../values/quantity.ts";
import { RecordVersion } from "../values/record-version.ts";
import { VerificationRun } from "../documents/report.ts";
import { Review, ReviewerName, ReviewGate } from "../agents/review.ts";
import { HandedOver, RetryTime } from "./handed-over.ts";
import { SeriesEndRecord, SeriesOptions } from "./series.ts";
import { Task } from "../documents/task.ts";

const SettleAction = v.picklist(["accept", "commit", "rollback"]);
export type SettleAction = v.InferOutput<typeof SettleAction>;
const Text = v.pipe(v.string(), v.minLength(1), v.maxLength(400));
const LongText = v.pipe(v.string(), v.maxLength(4000));

/** One file of a history folder, by its path in there. */
const HistoryFile = v.strictObject({ name: v.string(), sha256: Sha256 });
export type HistoryFile = v.InferOutput<typeof HistoryFile>;

export const TickEvent = v.variant("type", [
  v.strictObject({
    type: v.literal("tick_started"),
    workflow: WorkflowName,
    relais_version: Text,
    config_sha256: v.nullable(Sha256),
    /** What becomes of a green tick. */
    on_success: v.picklist(["accept", "commit"]),
    /** What becomes of a candidate whose checks are red or whose reviewers refuse; absent is a rollback. */
    on_failure: v.exactOptional(v.picklist(["rollback", "commit"])),
    /** Who reviews it; absent is nobody. */
    review: v.exactOptional(ReviewGate),
    max_tick_seconds: Count,
    /** The worktree that the tick works in. Linked worktrees share one journal. */
    worktree: v.exactOptional(v.string()),
    /** What of the common git directory is its own, so that it is known again where it was moved; empty in the main one. */
    git_prefix: v.exactOptional(v.string()),
    /** What was asked of the series that the tick belongs to; absent where a tick stands alone. */
    series: v.exactOptional(SeriesOptions),
  }),
  /** The tick ends before a builder was paid. */
  v.strictObject({
    type: v.literal("refused"),
    code: AnyCode,
    cause: v.nullable(Text),
    message: v.nullable(LongText),
    /** What the last session of the orchestrator reported, where there was one. */
    usage: v.exactOptional(v.nullable(Usage)),
    until: RetryTime,
    /** The question of an earlier tick that has to be answered first; absent is none. */
    question: v.exactOptional(v.strictObject({ prompt: v.string(), choices: v.array(v.string()) })),
  }),
  v.strictObject({
    type: v.literal("preflight_passed"),
    base_commit: CommitId,
    /** The text of HEAD: the ref it names, or the commit where it is detached. */
    head: Text,
    warnings: v.array(Text),
  }),
  /** Everything is remembered; from here on a crash is undone by putting it back. */
  v.strictObject({ type: v.literal("prepared"), isolation: IsolationUsed, observation_sha256: Sha256 }),
  /** One session of the orchestrator begins. It counts from here on, however it ends. */
  v.strictObject({
    type: v.literal("plan_started"),
    driver: DriverName,
    /** The name of the drop folder, unpredictable and used once. */
    dispatch: Text,
    /** The bytes of each section of its prompt, and of all of it. */
    prompt_bytes: v.record(v.string(), Count),
    /** The hash of each rendered prompt, by the name of its file. */
    prompt_sha256: v.record(v.string(), Sha256),
  }),
  /** The answer was no task that can be worked on, and there is one more attempt. */
  v.strictObject({
    type: v.literal("plan_rejected"),
    cause: Text,
    message: LongText,
    /** How the answer began, made harmless. */
    excerpt: v.nullable(LongText),
    usage: v.nullable(Usage),
  }),
  v.strictObject({
    type: v.literal("planned"),
    task: Task,
    orchestrator_calls: Count,
    usage: v.exactOptional(v.nullable(Usage)),
    /** How many checks the workflow may bring itself, besides those that the task names; absent is none. */
    own_checks: v.exactOptional(Count),
  }),
  v.strictObject({
    type: v.literal("build_started"),
    driver: DriverName,
    sandbox: SandboxUsed,
    /** The name of the drop folder, unpredictable and used once. */
    dispatch: Text,
    /** Whether a person brought the patch themselves: it does not count against the patches of a milestone. */
    own_patch: v.exactOptional(v.literal(true)),
    /** The tick whose finished work is taken up here; nobody is called then. */
    kept: v.exactOptional(RunId),
    /** The salvage that the session begins from, because a limit ended the one before; absent is none. */
    continues: v.exactOptional(RunId),
  }),
  HandedOver,
  v.strictObject({
    type: v.literal("build_ended"),
    failure: v.nullable(BuilderFailure),
    builder_output_valid: v.nullable(v.boolean()),
    /** What the builder says it did. Shown as its words, never believed. */
    summary: v.nullable(LongText),
    duration_ms: Count,
    usage: v.nullable(Usage),
    /** What a person should know about the session; absent is nothing. */
    notes: v.exactOptional(v.array(Text)),
    /** What the workflow has read in the builder's result and proposals, and wants to remember. */
    data: v.exactOptional(v.record(v.string(), v.unknown())),
    until: RetryTime,
  }),
  v.strictObject({
    type: v.literal("judged"),
    code: v.union([v.literal("SUCCESS"), StopCode]),
    cause: v.nullable(Text),
    evidence_sha256: Sha256,
    blast_radius: BlastRadius,
    findings: v.array(Finding),
    findings_total: Count,
    notes: v.array(v.string()),
    touched_paths: v.array(v.string()),
    touched_paths_total: Count,
  }),
  /** A candidate that was judged before anything was written now lies in the worktree, and was found to. */
  v.strictObject({ type: v.literal("written") }),
  v.strictObject({
    type: v.literal("verified"),
    /** Null where every check was green. */
    code: v.nullable(StopCode),
    cause: v.nullable(Text),
    runs: v.array(VerificationRun),
    findings: v.array(Finding),
  }),
  v.strictObject({
    type: v.literal("review_started"),
    driver: DriverName,
    /** One session for each reviewer, and the name of its drop folder. */
    sessions: v.array(v.strictObject({ reviewer: ReviewerName, dispatch: Text })),
  }),
  /** Some of the reviewers have answered, and what they changed was put back. */
  v.strictObject({
    type: v.literal("review_answered"),
    reviews: v.array(Review),
    /** Whether others were still looking, so that nobody has measured yet what was changed meanwhile; absent is no. */
    unmeasured: v.exactOptional(v.boolean()),
  }),
  v.strictObject({
    type: v.literal("reviewed"),
    /** Null where the reviewers approved. */
    code: v.nullable(v.picklist(["STOP_REVIEW_REFUSED", "STOP_RATE_LIMITED"])),
    cause: v.nullable(Text),
    message: v.nullable(LongText),
    reviews: v.array(Review),
    until: RetryTime,
  }),
  v.strictObject({ type: v.literal("settle_started"), action: SettleAction }),
  v.strictObject({
    type: v.literal("settled"),
    action: SettleAction,
    commit: v.nullable(CommitId),
    branch: v.nullable(v.string()),
    salvage: v.nullable(RunId),
    /** Whether all that a session had finished can be taken up again; absent is no. */
    whole: v.exactOptional(v.boolean()),
    /** What a person should know about it. */
    notes: v.exactOptional(v.array(Text)),
    /** What the workflow made of the tick, and wants to remember. */
    data: v.exactOptional(v.record(v.string(), v.unknown())),
  }),
  v.strictObject({
    type: v.literal("rollback_failed"),
    message: LongText,
    differences: v.array(v.string()),
  }),
  /** A signal, a crash, a deadline, a measurement that failed, or a journal that somebody else changed. */
  v.strictObject({
    type: v.literal("interrupted"),
    code: v.picklist(["STOP_INTERRUPTED", "STOP_TICK_TIMEOUT", "STOP_RUNNER_OWNED_MUTATION"]),
    cause: Text,
    message: v.nullable(LongText),
  }),
  v.strictObject({
    type: v.literal("reported"),
    /** Null where the report could not be written, which changes nothing about the verdict. */
    report_sha256: v.nullable(Sha256),
    /** Every file of the history folder; empty where none is kept, and absent where the report failed. */
    history_files: v.exactOptional(v.array(HistoryFile)),
  }),
  v.strictObject({
    type: v.literal("tick_ended"),
    verdict: AnyVerdict,
    code: AnyCode,
    cause: v.nullable(Text),
    /** False where the tick costs nothing, as after a rate limit. */
    counted: v.boolean(),
  }),
  /** After its end: a person had the change that lay in the worktree committed. */
  v.strictObject({ type: v.literal("accepted"), commit: CommitId, branch: v.string() }),
  /** After its end: a person had the change taken back. */
  v.strictObject({ type: v.literal("undone") }),
  /** A person gave up a tick that cannot be put back. It may be all that is known of that tick. */
  v.strictObject({ type: v.literal("abandoned"), message: LongText }),
  /** After its end: a person answered the question that the tick asked. The last answer counts. */
  v.strictObject({
    type: v.literal("answered"),
    text: v.pipe(LongText, v.minLength(1)),
    /** Whether the person wants no answer to be given: the question is closed, and nobody is told. Absent is no. */
    dropped: v.exactOptional(v.literal(true)),
  }),
  /** After its end: its history folder is about to be removed, because a person asked for room. */
  v.strictObject({ type: v.literal("pruned") }),
  /** After the end of the last tick: its series waits, and goes on waiting after a restart. */
  v.strictObject({ type: v.literal("series_waiting"), until: Timestamp }),
  /** After the end of the last tick: somebody goes on with a series that was interrupted or asked something. */
  v.strictObject({ type: v.literal("series_resumed") }),
  /** After the end of the last tick: how its series ended. */
  v.strictObject({
    type: v.literal("series_ended"),
    end: SeriesEndRecord,
    reason: Text,
    message: LongText,
    hint: v.nullable(LongText),
  }),
]);
export type TickEvent = v.InferOutput<typeof TickEvent>;

export const JournalLine = v.strictObject({
  /** On disk, the first key, in this place in every version: an older relais has to find it. Absent is version 1. */
  version: v.exactOptional(RecordVersion),
  seq: Count,
  at: Timestamp,
  run_id: RunId,
  series_id: SeriesId,
  /** The SHA-256 of the line before, without its newline; null on the first line. */
  prev: v.nullable(Sha256),
  event: TickEvent,
  /** On disk, the last key: the SHA-256 of the line's own text without it, which protects the last line too. */
  sha256: v.exactOptional(Sha256),
});
export type JournalLine = v.InferOutput<typeof JournalLine>;
