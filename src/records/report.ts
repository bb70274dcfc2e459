import * as v from "valibot";
import { Attempts } from "./attempts.ts";
import { CommandLine, limitedText, limitedTexts, Count, Dollars, Positive } from "../base/quantity.ts";
import { DriverName, IsolationUsed, Role, SandboxUsed, Usage, WorkflowName } from "./agent.ts";
import { PromptSize, REVIEW_LIMITS } from "./review.ts";
import { AnyCode, AnyVerdict, VERDICT_MATCHES_CODE, verdictMatchesCode } from "../base/any-code.ts";
import { CommitId, MilestoneId, ReviewerName, RunId, SeriesId, Sha256, TaskId, Timestamp } from "../base/identifier.ts";
import { BlastRadius, Finding } from "./judgement.ts";
import { TreeIteration } from "./tree-iteration.ts";

export const REPORT_LIMITS = {
  violations: 200,
  violationChars: 200,
  touchedPaths: 500,
  pathChars: 400,
  findings: 200,
  notes: 50,
  noteChars: 400,
  quoteChars: 4000,
  runs: 40,
  args: 40,
  argChars: 200,
  lastLines: 8,
  lastLineChars: 200,
  warnings: 20,
  warningChars: 200,
} as const;

/**
 * REPORT.json: what happened in one tick, for every tick that got the lock. A blocked tick has no task and perhaps no
 * commit, so those are nullable. Lists are cut, with their total beside them, because a report that breaks its own
 * schema would block the next tick.
 */

const ReportTask = v.strictObject({
  task_id: TaskId,
  milestone_id: MilestoneId,
  /** Null for a task that only controls the loop. */
  task_kind: v.nullable(v.picklist(["execute", "verify_only", "question"])),
  intent: v.nullable(v.string()),
});

const ReportScope = v.strictObject({
  ok: v.boolean(),
  violations: limitedTexts({ maxLength: REPORT_LIMITS.violationChars, maxItems: REPORT_LIMITS.violations }),
  violations_total: Count,
  touched_paths: limitedTexts({ maxLength: REPORT_LIMITS.pathChars, maxItems: REPORT_LIMITS.touchedPaths }),
  touched_paths_total: Count,
});

export const VerificationRun = v.strictObject({
  template_id: limitedText(64),
  phase: v.picklist(["fast", "slow"]),
  cmd: limitedText(400),
  args: v.pipe(v.array(v.pipe(v.string(), v.maxLength(REPORT_LIMITS.argChars))), v.maxLength(REPORT_LIMITS.args)),
  /** -1 if the check was killed or did not start. */
  exit_code: v.pipe(v.number(), v.integer(), v.minValue(-1), v.maxValue(255)),
  duration_ms: Count,
  timed_out: v.boolean(),
  /** Where its output tells: the tests, and the hash of their names. */
  tests: v.exactOptional(v.strictObject({ passed: Count, failed: Count, skipped: Count, sha256: Sha256 })),
  /** In the light of the same check before the build; absent where nobody knows. */
  state: v.exactOptional(v.picklist(["passed", "broken", "red_before", "mended", "flaky", "asked"])),
  /** `base`: the run with the tests and settings from before the build. */
  oracle: v.exactOptional(v.literal("base")),
  /** The run on the base commit and the change, without what a person had not committed. */
  committed: v.exactOptional(v.literal(true)),
  /** How long `verification.setup` took before this run. */
  setup_ms: v.exactOptional(Count),
  /** How long new tests took on the code from before the build, on the first run alone. */
  old_code_ms: v.exactOptional(Count),
  /** A check that no agent sees. Unless its output is shared, the status is 0, 1 or -1, and there are no last lines. */
  held_out: v.exactOptional(v.literal(true)),
  /** The last output of a failed check, without secrets. */
  last_lines: v.exactOptional(
    limitedTexts({ maxLength: REPORT_LIMITS.lastLineChars, maxItems: REPORT_LIMITS.lastLines }),
  ),
});

const ReportReview = v.strictObject({
  approved: v.boolean(),
  quorum: Count,
  reviewers: v.pipe(
    v.array(
      v.strictObject({
        name: limitedText(40),
        vote: v.picklist(["approve", "refuse", "none"]),
        cause: v.nullable(limitedText(400)),
        summary: v.pipe(v.string(), v.maxLength(REVIEW_LIMITS.explanationChars)),
        reasons: limitedTexts({ maxLength: REVIEW_LIMITS.reasonChars, maxItems: REVIEW_LIMITS.reasons }),
        /** Paths that changed while it ran; all of them were reverted. */
        wrote: limitedTexts({ maxLength: REPORT_LIMITS.pathChars, maxItems: REVIEW_LIMITS.paths }),
      }),
    ),
    v.maxLength(REVIEW_LIMITS.reviewers),
  ),
});

const ReportBudgets = v.strictObject({
  milestone_id: v.nullable(MilestoneId),
  ticks: Count,
  orchestrator_calls: Count,
  builder_calls: Count,
  verify_runs: Count,
  reviewer_calls: Count,
  /** The sum of reported costs; relais estimates nothing. */
  estimated_cost_usd: Dollars,
  warnings: limitedTexts({ maxLength: REPORT_LIMITS.warningChars, maxItems: REPORT_LIMITS.warnings }),
});

const Settlement = v.strictObject({
  action: v.picklist(["accept", "commit", "rollback"]),
  commit: v.nullable(CommitId),
  branch: v.nullable(v.string()),
});

/** It goes on from the work of a tick whose change was not kept. */
export const Repair = v.strictObject({
  run_id: RunId,
  /** Of all tries: the first repair is the second one. */
  number: Positive,
  /** What was wrong with the try before. */
  failed: limitedText(400),
});

export const Report = v.pipe(
  v.strictObject({
    run_id: RunId,
    series_id: SeriesId,
    workflow: WorkflowName,
    started_at: Timestamp,
    ended_at: Timestamp,
    duration_ms: Count,
    base_commit: v.nullable(CommitId),
    head_commit: v.nullable(CommitId),
    task: v.nullable(ReportTask),
    /** Absent for a first try. */
    repair: v.exactOptional(Repair),
    /** How many paths a person had not committed, where they are part of its base; absent is none. */
    uncommitted: v.exactOptional(Positive),
    verdict: AnyVerdict,
    code: AnyCode,
    cause: v.nullable(v.string()),
    message: v.nullable(v.string()),
    /** When the service that refused the tick answers again, if it said so. */
    retry_at: v.exactOptional(Timestamp),
    /** The command that goes on, if there is one. */
    go_on: v.exactOptional(v.string()),
    blast_radius: BlastRadius,
    scope: ReportScope,
    findings: v.pipe(v.array(Finding), v.maxLength(REPORT_LIMITS.findings)),
    findings_total: Count,
    notes: limitedTexts({ maxLength: REPORT_LIMITS.noteChars, maxItems: REPORT_LIMITS.notes }),
    notes_total: Count,
    diff: v.strictObject({
      files_changed: Count,
      lines_changed: Count,
      diff_patch_path: v.nullable(limitedText(400)),
    }),
    verification: v.strictObject({
      exec_mode: v.literal("argv_no_shell"),
      runs: v.pipe(v.array(VerificationRun), v.maxLength(REPORT_LIMITS.runs)),
      runs_total: Count,
      /** The runs before the build; absent where there are none. */
      baseline: v.exactOptional(v.pipe(v.array(VerificationRun), v.maxLength(REPORT_LIMITS.runs))),
      /** Required checks that a person's own option or task left out; absent is none. */
      left_out: v.exactOptional(v.array(v.string())),
      verify_log_path: v.nullable(limitedText(400)),
    }),
    review: v.nullable(ReportReview),
    budgets: ReportBudgets,
    /** Null if there was no builder. */
    builder_output_valid: v.nullable(v.boolean()),
    question: v.nullable(v.strictObject({ prompt: v.string(), choices: v.array(v.string()) })),
    isolation: v.nullable(IsolationUsed),
    sandbox: v.nullable(SandboxUsed),
    /** Null if there was nothing to settle. */
    settle: v.nullable(Settlement),
    usage: v.array(v.strictObject({ role: Role, driver: DriverName, model: v.nullable(v.string()), ...Usage.entries })),
    /** Absent if one session worked. */
    attempts: v.exactOptional(Attempts),
    /** A tick whose gates all passed can still be a failed attempt of its tree. */
    iteration: v.exactOptional(v.pick(TreeIteration, ["iter_n", "selected_leaf_id", "outcome"])),
    prompt_bytes: v.exactOptional(v.record(v.string(), Count)),
    /** One for each session; absent if there was none. */
    prompts: v.exactOptional(
      v.array(v.strictObject({ role: Role, name: v.exactOptional(ReviewerName), ...PromptSize.entries })),
    ),
    /** What the person typed; absent where that is unknown. */
    command_line: v.exactOptional(CommandLine),
    pointers: v.strictObject({
      report_md_path: v.exactOptional(v.string()),
      history_dir: v.exactOptional(v.string()),
      /** The id of the reverted work for `relais salvage`. */
      salvage: v.exactOptional(RunId),
    }),
  }),
  v.forward(v.partialCheck([["verdict"], ["code"]], verdictMatchesCode, "the code does not belong to the verdict"), [
    "code",
  ]),
  v.metadata(VERDICT_MATCHES_CODE),
);
export type Report = v.InferOutput<typeof Report>;
export type Repair = v.InferOutput<typeof Repair>;
export type VerificationRun = v.InferOutput<typeof VerificationRun>;
