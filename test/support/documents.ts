/** One good document of every kind that has a schema, filled in as far as it goes. */
import type { GenericSchema } from "valibot";
import { Blocked } from "../../src/records/blocked.ts";
import { BuilderResult } from "../../src/records/builder-result.ts";
import { Config } from "../../src/config/config.ts";
import { RECORD_VERSION } from "../../src/base/record-version.ts";
import { JournalLine } from "../../src/records/event.ts";
import { Evidence } from "../../src/records/evidence.ts";
import { Judgement } from "../../src/records/judgement.ts";
import { Lock } from "../../src/records/lock.ts";
import { Meta } from "../../src/records/meta.ts";
import { parseWith } from "../../src/base/schema-error.ts";
import { Report } from "../../src/records/report.ts";
import { ReviewDecision } from "../../src/records/review.ts";
import { WorkspaceState } from "../../src/records/state.ts";
import { Task } from "../../src/records/task.ts";
import { controlTask, executeTask, patchBuilder, questionTask, verifyOnlyTask } from "./tasks.ts";

const run_id = "20260131-abcdef";
const series_id = "series-0001";
const at = "2026-01-31T23:59:59.000Z";
const commit = "a".repeat(40);
const sha256 = "b".repeat(64);

const defaults = parseWith(Config, {});
const everyKey = {
  $schema: "./schemas/config.schema.json",
  ...(defaults.kind === "valid" ? defaults.value : {}),
  roles: {
    builder: {
      driver: "codex",
      model: "m",
      fallback_models: ["n"],
      effort: "high",
      timeout_seconds: 60,
      idle_timeout_seconds: 30.5,
      max_turns: 3,
    },
  },
};
const command = {
  command: "driver",
  args: ["{{RELAIS_TASK_PATH}}"],
  timeout_seconds: 1,
  output_file: "out.json",
};

const side = { type: "file", mode: "0644", size: 1, id: commit, link_target: null, hard_links: 1 };
const evidence = {
  version: 1,
  rules: {
    task_kind: "execute",
    allowed_globs: ["src/**"],
    forbidden_globs: [],
    runner_owned_globs: [],
    allow_new_files: true,
    allow_lockfile_changes: false,
    lockfiles: ["yarn.lock"],
    max_files_touched: 1,
    max_lines_changed: null,
    ignored: "report",
    ignored_writable_globs: [],
  },
  builder_failure: { code: "STOP_BUILDER_TIMEOUT", cause: "deadline" },
  head: { before: { text: "ref: refs/heads/x", commit }, after: { text: commit, commit: null } },
  metadata: [{ area: "refs", subject: "refs/heads/x", change: "added", detail: null }],
  changes: [
    {
      path: "src/x",
      path_base64: null,
      before: null,
      after: side,
      standing: "tracked",
      lines_added: 1,
      lines_deleted: 0,
      bytes_changed: 2,
      inside_repository: null,
      collides_with: null,
      made_readable: false,
    },
  ],
  attributes_touched: { count: 1, paths: ["src/y"] },
};

const blast_radius = { files_touched: 1, lines_added: 1, lines_deleted: 0, new_files: 0 };
const finding = { gate: "forbidden", code: "STOP_UNSAFE_PATH", subject: "x", rule: "No.", glob: null };
const counters = {
  ticks: 1,
  orchestrator_calls: 1,
  builder_calls: 1,
  verify_runs: 0,
  reviewer_calls: 0,
  estimated_cost_usd: 0.25,
};
const usage = { input_tokens: 1, cached_input_tokens: null, output_tokens: 2, cost_usd: 0.25 };

const reviewer = { name: "risk", vote: "refuse", cause: null, summary: "", reasons: ["r"], wrote: ["w"] };
const report = {
  run_id,
  series_id,
  workflow: "relay",
  started_at: at,
  ended_at: at,
  duration_ms: 0,
  base_commit: commit,
  head_commit: commit,
  task: { task_id: "T", milestone_id: "M", task_kind: "execute", intent: "Do it." },
  verdict: "stop",
  code: "STOP_UNSAFE_PATH",
  cause: "fifo",
  message: "It is a FIFO.",
  blast_radius,
  scope: { ok: false, violations: ["x"], violations_total: 1, touched_paths: ["x"], touched_paths_total: 1 },
  findings: [finding],
  findings_total: 1,
  notes: ["fetched"],
  notes_total: 1,
  diff: { files_changed: 1, lines_changed: 1, diff_patch_path: "relais/history/r/diff.patch" },
  verification: {
    exec_mode: "argv_no_shell",
    runs: [
      {
        template_id: "t",
        phase: "fast",
        cmd: "x",
        args: ["", "y"],
        exit_code: -1,
        duration_ms: 0,
        timed_out: true,
      },
    ],
    runs_total: 1,
    verify_log_path: null,
  },
  review: { approved: false, quorum: 1, reviewers: [reviewer] },
  budgets: { milestone_id: "M", ...counters, warnings: ["80 %"] },
  builder_output_valid: true,
  question: { prompt: "Which?", choices: ["a"] },
  isolation: "in_place",
  sandbox: "none",
  settle: { action: "rollback", commit: null, branch: null },
  usage: [{ role: "builder", driver: "codex", model: null, ...usage }],
  prompt_bytes: { goal: 10 },
  pointers: { report_md_path: "relais/REPORT.md", history_dir: "relais/history", salvage: run_id },
};
const blockedReport = {
  ...report,
  base_commit: null,
  head_commit: null,
  task: null,
  verdict: "blocked",
  code: "BLOCKED_LOCK_HELD",
  cause: null,
  message: null,
  review: null,
  question: null,
  builder_output_valid: null,
  isolation: null,
  sandbox: null,
  settle: null,
  usage: [],
  pointers: {},
};

const run = report.verification.runs[0];
const review = {
  name: "risk",
  vote: "none",
  cause: "wrote",
  decision: null,
  explanation: "It wrote.",
  reasons: ["One."],
  wrote: ["src/a.ts"],
  duration_ms: 5,
  usage: null,
};
const events = [
  {
    type: "tick_started",
    workflow: "relay",
    relais_version: "0.1.0",
    config_sha256: sha256,
    worktree: "/repo",
    git_prefix: "",
    on_success: "accept",
    max_tick_seconds: 900,
  },
  { type: "refused", code: "BLOCKED_DIRTY_WORKTREE", cause: "dirty", message: "Not committed: x." },
  { type: "preflight_passed", base_commit: commit, head: "ref: refs/heads/x", warnings: ["80 %"] },
  { type: "prepared", isolation: "in_place", observation_sha256: sha256 },
  { type: "planned", task: executeTask, orchestrator_calls: 1 },
  { type: "build_started", driver: "scripted", sandbox: "none", dispatch: "d1" },
  {
    type: "build_ended",
    failure: null,
    builder_output_valid: null,
    summary: "Did it.",
    duration_ms: 1,
    usage,
  },
  {
    type: "judged",
    code: "SUCCESS",
    cause: null,
    evidence_sha256: sha256,
    blast_radius,
    findings: [],
    findings_total: 0,
    notes: ["One."],
    touched_paths: ["src/a.ts"],
    touched_paths_total: 1,
  },
  { type: "written" },
  { type: "verified", code: "STOP_VERIFY_FAILED_FAST", cause: "exit_1", runs: [run], findings: [] },
  { type: "review_started", driver: "command", sessions: [{ reviewer: "risk", dispatch: "d2" }] },
  { type: "reviewed", code: "STOP_REVIEW_REFUSED", cause: "refused", message: "No.", reviews: [review] },
  { type: "settle_started", action: "commit" },
  { type: "settled", action: "commit", commit, branch: "relais/x", salvage: null },
  { type: "rollback_failed", message: "Still different.", differences: ["src/a.ts"] },
  { type: "interrupted", code: "STOP_TICK_TIMEOUT", cause: "tick_timeout", message: null },
  { type: "reported", report_sha256: null },
  { type: "tick_ended", verdict: "success", code: "SUCCESS", cause: null, counted: true },
];

const state = {
  version: 1,
  milestone_id: "M",
  budgets: counters,
  patch_attempts: 0,
  budget_warning: false,
  last_run_id: run_id,
  last_verdict: "success",
  last_code: "SUCCESS",
  series: { series_id, budgets: counters, empty_ticks: 0 },
  open_question: { run_id, asked_at: at, prompt: "Which?", choices: [], answer: null },
};

/** By the name of the schema file: the validator and documents that it accepts. */
export const DOCUMENTS: Readonly<Record<string, { schema: GenericSchema; good: readonly unknown[] }>> = {
  config: {
    schema: Config,
    good: [
      {},
      everyKey,
      { ...everyKey, builder: { ...everyKey.builder, default_mode: "command", command } },
      { builder: { default_mode: "cursor", cursor: command } },
    ],
  },
  task: {
    schema: Task,
    good: [executeTask, { ...executeTask, builder: patchBuilder }, verifyOnlyTask, questionTask, controlTask],
  },
  builder_result: {
    schema: BuilderResult,
    good: [{ summary: "Done.", files_intended: ["x"], commands_ran: [], notes: ["y"] }],
  },
  review_decision: {
    schema: ReviewDecision,
    good: [
      { decision: "approve", explanation: "Fine.", reasons: [] },
      { decision: "refuse", explanation: "Not yet.", reasons: ["src/a.ts: no test"] },
    ],
  },
  report: { schema: Report, good: [report, blockedReport] },
  state: {
    schema: WorkspaceState,
    good: [state, { ...state, series: null, open_question: null, milestone_id: null }],
  },
  blocked: {
    schema: Blocked,
    good: [{ code: "BLOCKED_LOCK_HELD", cause: null, message: "Held.", remedy: "Wait.", run_id, at }],
  },
  lock: {
    schema: Lock,
    good: [{ run_id, pid: 1, process_start: "12", started_at: at, boot_id: "b", host: "h", pid_namespace: null }],
  },
  event: {
    schema: JournalLine,
    good: events.map((event, seq) => ({
      version: RECORD_VERSION,
      seq,
      at,
      run_id,
      series_id,
      prev: seq === 0 ? null : sha256,
      event,
    })),
  },
  evidence: { schema: Evidence, good: [evidence, { ...evidence, head: null, builder_failure: null }] },
  judgement: {
    schema: Judgement,
    good: [
      {
        verdict: "stop",
        code: "STOP_UNSAFE_PATH",
        cause: null,
        findings: [finding],
        notes: ["n"],
        blast_radius,
      },
    ],
  },
  meta: {
    schema: Meta,
    good: [
      {
        version: 1,
        run_id,
        series_id,
        workflow: "tree",
        relais_version: "0.1.0",
        started_at: at,
        ended_at: null,
        verdict: null,
        code: null,
        base_commit: null,
        isolation: "overlay",
        sandbox: "bubblewrap",
        config_sha256: sha256,
        drivers: { builder: "claude_code" },
        prompt_sha256: { "builder.user.txt": sha256 },
        journal: { first_seq: 0, last_seq: 3 },
      },
    ],
  },
};
