import * as v from "valibot";
import { DriverName, Role, Usage, IsolationUsed, SandboxUsed, WorkflowName } from "./agent.ts";
import { Timestamp, CommitId, MilestoneId, ReviewerName, RunId, SeriesId, Sha256, TaskId } from "../base/identifier.ts";
import { PromptSize, Review, ReviewGate } from "./review.ts";
import { AnyCode, AnyVerdict } from "../base/any-code.ts";
import { BuilderFailure } from "./evidence.ts";
import { BlastRadius, Finding, StopCode } from "./judgement.ts";
import { CommandLine, Count, Positive, Seconds } from "../base/quantity.ts";
import { RecordVersion } from "../base/record-version.ts";
import { Attempts } from "./attempts.ts";
import { Repair, VerificationRun } from "./report.ts";
import { SeriesEndRecord, SeriesOptions } from "./series.ts";
import { Task } from "./task.ts";

/** When a service that refused a session answers again, if it said so. */
export const RetryTime = v.exactOptional(Timestamp);

/** A service refused a session; the next agent of the role takes over. */
export const HandedOver = v.strictObject({
  type: v.literal("handed_over"),
  role: Role,
  from: DriverName,
  to: DriverName,
  cause: v.pipe(v.string(), v.minLength(1), v.maxLength(400)),
  message: v.pipe(v.string(), v.maxLength(4000)),
  usage: v.nullable(Usage),
  until: RetryTime,
});

/**
 * One line of the journal. State, reports and the live view are folds of these lines, so an event holds decisions and
 * observations; everything large (evidence, transcripts, patches) is in a file, named by its hash. Each line has the
 * hash of the line before, so a changed, removed or inserted line breaks the chain.
 */

const SettleAction = v.picklist(["accept", "commit", "rollback"]);
export type SettleAction = v.InferOutput<typeof SettleAction>;
const Text = v.pipe(v.string(), v.minLength(1), v.maxLength(400));
const LongText = v.pipe(v.string(), v.maxLength(4000));

const DecisionNote = v.strictObject({
  /** As git knows the person. */
  by: Text,
  reason: v.nullable(LongText),
});
export type DecisionNote = v.InferOutput<typeof DecisionNote>;

const HistoryFile = v.strictObject({ name: v.string(), sha256: Sha256 });
export type HistoryFile = v.InferOutput<typeof HistoryFile>;

export const TickEvent = v.variant("type", [
  v.strictObject({
    type: v.literal("tick_started"),
    workflow: WorkflowName,
    relais_version: Text,
    config_sha256: v.nullable(Sha256),
    on_success: v.picklist(["accept", "commit"]),
    /** For failed checks or a refused review; absent is a rollback. */
    on_failure: v.exactOptional(v.picklist(["rollback", "commit"])),
    review: v.exactOptional(ReviewGate),
    /** A change that would be kept waits for a person's answer; absent is no. */
    ask: v.exactOptional(v.strictObject({ timeout_seconds: Seconds })),
    max_tick_seconds: Count,
    /** Whether the checks run before the build; absent is no. */
    baseline: v.exactOptional(v.literal(true)),
    /** Linked worktrees share one journal. */
    worktree: v.string(),
    /** Where the worktree's own data is in the common git directory; empty in the main worktree. */
    git_prefix: v.string(),
    /** Absent for a first try. */
    repair: v.exactOptional(Repair),
    /** How many paths a person had not committed, where they are part of its base; absent is none. */
    uncommitted: v.exactOptional(Positive),
    /** Absent for a single tick. */
    series: v.exactOptional(SeriesOptions),
    /** The branch for its commits where they may not go to the one that is checked out; absent is none. */
    own_branch: v.exactOptional(Text),
    /** What a person typed, as arguments, so that a card can say it again with one more; absent where that is unknown. */
    command_line: v.exactOptional(CommandLine),
  }),
  /** The tick ends before a builder was paid. */
  v.strictObject({
    type: v.literal("refused"),
    code: AnyCode,
    cause: v.nullable(Text),
    message: v.nullable(LongText),
    usage: v.exactOptional(v.nullable(Usage)),
    until: RetryTime,
    attempts: v.exactOptional(Attempts),
    /** The question of an earlier tick that must be answered first. */
    question: v.exactOptional(v.strictObject({ prompt: v.string(), choices: v.array(v.string()) })),
  }),
  v.strictObject({
    type: v.literal("preflight_passed"),
    base_commit: CommitId,
    head: Text,
    warnings: v.array(Text),
  }),
  /** The repository is observed; from here on a crash is rolled back. */
  v.strictObject({ type: v.literal("prepared"), isolation: IsolationUsed, observation_sha256: Sha256 }),
  /** It counts from here on, however it ends. */
  v.strictObject({
    type: v.literal("plan_started"),
    driver: DriverName,
    /** The name of the drop folder, unpredictable and used once. */
    dispatch: Text,
    prompt_bytes: v.record(v.string(), Count),
    prompt: v.exactOptional(PromptSize),
    prompt_sha256: v.record(v.string(), Sha256),
  }),
  /** The answer was no valid task, and there is one more attempt. */
  v.strictObject({
    type: v.literal("plan_rejected"),
    cause: Text,
    message: LongText,
    excerpt: v.nullable(LongText),
    usage: v.nullable(Usage),
  }),
  v.strictObject({
    type: v.literal("planned"),
    task: Task,
    /** Further tasks of the same answer: they are worked on beside this one or after it; absent is none. */
    also: v.exactOptional(v.array(Task)),
    orchestrator_calls: Count,
    usage: v.exactOptional(v.nullable(Usage)),
    /** How many checks the workflow may add; absent is none. */
    own_checks: v.exactOptional(Count),
    /** How many of them run before the build, too; absent is none. */
    base_checks: v.exactOptional(Positive),
    /** Required checks that a person's own option or task leaves out; absent is none. */
    left_out: v.exactOptional(v.array(Text)),
  }),
  /** How the checks ended before the build. */
  v.strictObject({
    type: v.literal("baselined"),
    commit: CommitId,
    /** Of the checks as they are configured: with another hash the runs say nothing. */
    checks_sha256: Sha256,
    runs: v.array(VerificationRun),
    /** Nobody is paid for work on a base that is already red. */
    code: v.nullable(v.literal("BLOCKED_BASELINE_RED")),
    message: v.nullable(LongText),
    /** The command of a series with which the work may fix it; a single tick is typed again. */
    go_on: v.exactOptional(LongText),
    /** Whether the runs are those of an earlier tick; absent is no. */
    kept: v.exactOptional(v.literal(true)),
    /** Whether the checks take too long to be run twice; absent is no. */
    skipped: v.exactOptional(v.literal(true)),
  }),
  v.strictObject({
    type: v.literal("build_started"),
    driver: DriverName,
    sandbox: SandboxUsed,
    dispatch: Text,
    /** A patch of a person does not count against the patches of a milestone. */
    own_patch: v.exactOptional(v.literal(true)),
    /** The tick whose finished work is used; no session starts. */
    kept: v.exactOptional(RunId),
    /** Salvage that this session starts from: a limit ended the one before, or its change was refused. */
    continues: v.exactOptional(RunId),
    /** The number of sessions in parallel, of which the best work is used; absent is one. */
    attempts: v.exactOptional(Positive),
    /** Each of these sessions has a task of its own, in this order; absent if all have the task of the tick. */
    tasks: v.exactOptional(v.array(TaskId)),
    /** Work from elsewhere, on top of the base of this tick: a run, a job or a branch. No session starts. */
    landed: v.exactOptional(
      v.strictObject({
        name: Text,
        tip: v.nullable(CommitId),
        /** Who accepted this held run, and why: what it was held for is lifted. Absent if nobody did. */
        accepted: v.exactOptional(DecisionNote),
      }),
    ),
  }),
  HandedOver,
  v.strictObject({
    type: v.literal("build_ended"),
    failure: v.nullable(BuilderFailure),
    builder_output_valid: v.nullable(v.boolean()),
    /** The builder's own words, never evidence. */
    summary: v.nullable(LongText),
    duration_ms: Count,
    usage: v.nullable(Usage),
    /** Absent if there was no session. */
    prompt: v.exactOptional(PromptSize),
    notes: v.exactOptional(v.array(Text)),
    /** What the workflow keeps of the builder's result. */
    data: v.exactOptional(v.record(v.string(), v.unknown())),
    attempts: v.exactOptional(Attempts),
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
  /** A change that was judged before it was written is now in the worktree, and verified there. */
  v.strictObject({ type: v.literal("written") }),
  v.strictObject({
    type: v.literal("verified"),
    code: v.nullable(StopCode),
    cause: v.nullable(Text),
    runs: v.array(VerificationRun),
    findings: v.array(Finding),
    /** What the checks read besides the judged change. */
    notes: v.exactOptional(v.array(v.string())),
  }),
  v.strictObject({
    type: v.literal("review_started"),
    driver: DriverName,
    sessions: v.array(v.strictObject({ reviewer: ReviewerName, dispatch: Text })),
  }),
  /** Some reviewers have answered, and their changes were reverted. */
  v.strictObject({
    type: v.literal("review_answered"),
    reviews: v.array(Review),
    /** Whether others were still running, so that changes are not measured yet; absent is no. */
    unmeasured: v.exactOptional(v.boolean()),
  }),
  v.strictObject({
    type: v.literal("reviewed"),
    code: v.nullable(v.picklist(["STOP_REVIEW_REFUSED", "STOP_RATE_LIMITED"])),
    cause: v.nullable(Text),
    message: v.nullable(LongText),
    reviews: v.array(Review),
    until: RetryTime,
  }),
  /** The change waits until a person decides. Only an answer that names this question counts. */
  v.strictObject({ type: v.literal("asked"), question: Text, until: Timestamp }),
  v.strictObject({
    type: v.literal("decided"),
    question: Text,
    /** `edit`: the person changed the files, so they are judged again. `none`: nobody decided in time. */
    decision: v.picklist(["accept", "reject", "edit", "none"]),
    /** The reason of a rejection, or the edited paths. */
    message: v.nullable(LongText),
  }),
  v.strictObject({ type: v.literal("settle_started"), action: SettleAction }),
  v.strictObject({
    type: v.literal("settled"),
    action: SettleAction,
    commit: v.nullable(CommitId),
    branch: v.nullable(v.string()),
    salvage: v.nullable(RunId),
    /** Whether all finished work of the session was kept; absent is no. */
    whole: v.exactOptional(v.boolean()),
    /** The hash of the document about the kept work: commands obey it later, and a builder can write it. */
    kept_sha256: v.exactOptional(Sha256),
    notes: v.exactOptional(v.array(Text)),
    data: v.exactOptional(v.record(v.string(), v.unknown())),
  }),
  v.strictObject({
    type: v.literal("rollback_failed"),
    message: LongText,
    differences: v.array(v.string()),
  }),
  /** A signal, a crash, a deadline, a failed measurement, or a journal that something else changed. */
  v.strictObject({
    type: v.literal("interrupted"),
    code: v.picklist(["STOP_INTERRUPTED", "STOP_TICK_TIMEOUT", "STOP_RUNNER_OWNED_MUTATION", "STOP_MAIN_TREE_CHANGED"]),
    cause: Text,
    message: v.nullable(LongText),
  }),
  v.strictObject({
    type: v.literal("reported"),
    /** Null if the report could not be written, which does not change the verdict. */
    report_sha256: v.nullable(Sha256),
    /** Empty if no history is kept, absent if the report failed. */
    history_files: v.exactOptional(v.array(HistoryFile)),
  }),
  v.strictObject({
    type: v.literal("tick_ended"),
    verdict: AnyVerdict,
    code: AnyCode,
    cause: v.nullable(Text),
    counted: v.boolean(),
  }),
  /** After the end: a person committed the change. */
  v.strictObject({ type: v.literal("accepted"), commit: CommitId, branch: v.string() }),
  /** After the end: a person does not want this held change. That it is wanted says the tick that lands it. */
  v.strictObject({ type: v.literal("rejected"), ...DecisionNote.entries }),
  /** After the end: a person reverted the change. */
  v.strictObject({ type: v.literal("undone") }),
  /** A person gave up a tick that cannot be rolled back. It may be its only event. */
  v.strictObject({ type: v.literal("abandoned"), message: LongText }),
  /** After the end: a person answered the question. The last answer counts. */
  v.strictObject({
    type: v.literal("answered"),
    text: v.pipe(LongText, v.minLength(1)),
    /** The question is closed without an answer; absent is no. */
    dropped: v.exactOptional(v.literal(true)),
  }),
  /** After the end: a person closed the milestone. The next one begins with counters of its own. */
  v.strictObject({
    type: v.literal("milestone_opened"),
    /** Null is named by its first task. */
    milestone_id: v.nullable(MilestoneId),
  }),
  /** After the end: its history folder is about to be pruned. */
  v.strictObject({ type: v.literal("pruned") }),
  /** After the last tick: the series waits, also after a restart. */
  v.strictObject({ type: v.literal("series_waiting"), until: Timestamp }),
  /** After the last tick: an interrupted or waiting series is resumed. */
  v.strictObject({ type: v.literal("series_resumed") }),
  /** After the last tick. */
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
  /** On disk the first key in every version, so that each relais finds it. */
  version: RecordVersion,
  seq: Count,
  at: Timestamp,
  run_id: RunId,
  series_id: SeriesId,
  prev: v.nullable(Sha256),
  event: TickEvent,
  /** On disk the last key: the SHA-256 of the line without it, which protects the last line too. */
  sha256: v.exactOptional(Sha256),
});
export type JournalLine = v.InferOutput<typeof JournalLine>;
