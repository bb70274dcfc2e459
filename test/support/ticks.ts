/** Whole ticks as lists of events, and their reports. */
import type { TickEvent } from "../../src/records/event.ts";
import type { Report } from "../../src/records/report.ts";
import { evolve } from "../../src/tick/pure/evolve.ts";
import { buildReport } from "../../src/tick/pure/build-report.ts";
import { findReportable } from "../../src/tick/pure/tick-facts.ts";
import { START } from "../../src/tick/pure/tick-state.ts";
import { executeTask, questionTask } from "./tasks.ts";

type EventOf<T extends TickEvent["type"]> = Extract<TickEvent, { type: T }>;

export const RUN = "20260131T235959Z-0123abcd";
const BASE = "a".repeat(40);
const SHA256 = "c".repeat(64);

function started(onSuccess: "accept" | "commit"): TickEvent {
  return {
    type: "tick_started",
    workflow: "relay",
    relais_version: "0.1.0",
    config_sha256: null,
    worktree: "/repo",
    git_prefix: "",
    on_success: onSuccess,
    max_tick_seconds: 900,
  };
}

const passed: TickEvent = {
  type: "preflight_passed",
  base_commit: BASE,
  head: "ref: refs/heads/topic",
  warnings: [],
};
const prepared: TickEvent = { type: "prepared", isolation: "in_place", observation_sha256: SHA256 };
const planned: TickEvent = {
  type: "planned",
  task: {
    ...executeTask,
    scope: { ...executeTask.scope, allowed_globs: ["src/**"], forbidden_globs: [] },
    verification: { fast: ["lint"], slow: ["test"] },
  },
  orchestrator_calls: 0,
};

function built(overrides: Partial<EventOf<"build_ended">> = {}): readonly TickEvent[] {
  return [
    { type: "build_started", driver: "claude_code", sandbox: "none", dispatch: "d-1" },
    {
      type: "build_ended",
      failure: null,
      builder_output_valid: true,
      summary: "I set x to 2.",
      duration_ms: 41_000,
      usage: { input_tokens: 12_345, cached_input_tokens: 9000, output_tokens: 678, cost_usd: 0.1234 },
      ...overrides,
    },
  ];
}

function judged(overrides: Partial<EventOf<"judged">> = {}): TickEvent {
  return {
    type: "judged",
    code: "SUCCESS",
    cause: null,
    evidence_sha256: SHA256,
    blast_radius: { files_touched: 2, lines_added: 10, lines_deleted: 3, new_files: 1 },
    findings: [],
    findings_total: 0,
    notes: [],
    touched_paths: ["src/x.ts", "src/y.ts"],
    touched_paths_total: 2,
    ...overrides,
  };
}

function checked(overrides: Partial<EventOf<"verified">> = {}): TickEvent {
  return {
    type: "verified",
    code: null,
    cause: null,
    findings: [],
    runs: [
      {
        template_id: "lint",
        phase: "fast",
        cmd: "npm",
        args: ["run", "lint"],
        exit_code: 0,
        duration_ms: 840,
        timed_out: false,
      },
      {
        template_id: "test",
        phase: "slow",
        cmd: "npm",
        args: ["test"],
        exit_code: 0,
        duration_ms: 65_400,
        timed_out: false,
      },
    ],
    ...overrides,
  };
}

function settled(overrides: Partial<EventOf<"settled">> = {}): readonly TickEvent[] {
  const action = overrides.action ?? "accept";
  return [
    { type: "settle_started", action },
    { type: "settled", action, commit: null, branch: null, salvage: null, ...overrides },
  ];
}

const rolledBack = settled({ action: "rollback", salvage: RUN });
const begun = [started("accept"), passed, prepared, planned];

/** One tick of every kind that a person may have to read about. */
export const TICKS = {
  accepted: [...begun, ...built(), judged(), checked(), ...settled()],
  committed: [
    started("commit"),
    passed,
    prepared,
    planned,
    ...built(),
    judged(),
    checked(),
    ...settled({ action: "commit", commit: "b".repeat(40), branch: "relais/topic" }),
  ],
  unchanged: [
    ...begun,
    ...built(),
    judged({
      blast_radius: { files_touched: 0, lines_added: 0, lines_deleted: 0, new_files: 0 },
      touched_paths: [],
      touched_paths_total: 0,
    }),
    checked(),
    ...settled(),
  ],
  outsideScope: [
    ...begun,
    ...built(),
    judged({
      code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
      findings: [
        {
          gate: "allowed-scope",
          code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
          subject: "docs/guide.md",
          rule: "No allowed glob matches this path.",
          glob: null,
        },
      ],
      findings_total: 1,
    }),
    ...rolledBack,
  ],
  failedCheck: [
    ...begun,
    ...built(),
    judged(),
    checked({
      code: "STOP_VERIFY_FAILED_FAST",
      cause: "exit_1",
      runs: [
        {
          template_id: "lint",
          phase: "fast",
          cmd: "npm",
          args: ["run", "lint"],
          exit_code: 1,
          duration_ms: 840,
          timed_out: false,
        },
      ],
    }),
    ...rolledBack,
  ],
  timedOut: [
    ...begun,
    ...built({
      failure: { code: "STOP_BUILDER_TIMEOUT", cause: "deadline" },
      builder_output_valid: null,
      summary: null,
      usage: null,
    }),
    judged({ code: "STOP_BUILDER_TIMEOUT", cause: "deadline" }),
    ...rolledBack,
  ],
  interrupted: [
    ...begun,
    { type: "interrupted", code: "STOP_INTERRUPTED", cause: "sigint", message: null },
    ...settled({ action: "rollback" }),
  ],
  rateLimited: [
    ...begun,
    ...built({ usage: null }),
    judged({ code: "STOP_RATE_LIMITED", cause: "until 18:00" }),
    ...rolledBack,
  ],
  question: [
    started("accept"),
    passed,
    prepared,
    {
      type: "planned",
      task: {
        ...questionTask,
        question: { prompt: "Which name is wanted?\nBoth exist.", choices: ["old", "new"] },
      },
      orchestrator_calls: 1,
    },
    judged({
      blast_radius: { files_touched: 0, lines_added: 0, lines_deleted: 0, new_files: 0 },
      touched_paths: [],
      touched_paths_total: 0,
    }),
    ...settled({ action: "rollback" }),
  ],
  dirty: [
    started("accept"),
    {
      type: "refused",
      code: "BLOCKED_DIRTY_WORKTREE",
      cause: null,
      message: "2 paths are not committed: src/a.ts, src/b.ts.",
    },
  ],
  tainted: [
    ...begun.slice(0, 3),
    {
      type: "refused",
      code: "STOP_VERIFY_TAINTED",
      cause: "unknown_template",
      message: "There is no template `lnt`.",
    },
  ],
  rollbackFailed: [
    ...begun,
    ...built(),
    judged({ code: "STOP_HEAD_MOVED" }),
    { type: "settle_started", action: "rollback" },
    {
      type: "rollback_failed",
      message: "the repository is still different",
      differences: ["src/locked.ts", "git: HEAD"],
    },
  ],
} as const satisfies Record<string, readonly TickEvent[]>;

/** The report of a list of events. */
export function reportOf(events: readonly TickEvent[], overrides: Partial<Report> = {}): Report {
  const state = findReportable(events.reduce(evolve, START));
  if (state === null) throw new Error("these events have no end");
  const report = buildReport({
    runId: RUN,
    seriesId: "20260131T235959Z-89abcdef",
    state,
    startedAt: "2026-01-31T23:59:59.000Z",
    endedAt: "2026-02-01T00:02:04.500Z",
    durationMs: 125_500,
    budgets: {
      milestone_id: "M-1",
      ticks: 4,
      orchestrator_calls: 0,
      builder_calls: 4,
      verify_runs: 7,
      reviewer_calls: 0,
      estimated_cost_usd: 0.5,
      warnings: [],
    },
    paths: {
      historyDir: `relais/history/${RUN}`,
      diffPatch: `relais/history/${RUN}/diff.patch`,
      verifyLog: `relais/history/${RUN}/verify.log`,
      reportMd: "relais/REPORT.md",
    },
  });
  return { ...report, ...overrides };
}
