/** The summary of a series, as it would be told at its end. */
import { SERIES_ENDS, type SeriesEnd } from "../../src/base/codes.ts";
import type { SeriesSummary } from "../../src/records/series.ts";

export const ENDS = Object.keys(SERIES_ENDS).filter((name): name is SeriesEnd => Object.hasOwn(SERIES_ENDS, name));

/** How each end comes about; a new end of the table has to be given its own. */
const WHY: Readonly<Record<SeriesEnd, Partial<SeriesSummary>>> = {
  complete: { reason: "control_stop", message: "Everything in GOAL.md is done." },
  max_ticks: { reason: "max_ticks", message: "Reached --max-ticks (3)." },
  milestone_changed: {
    reason: "milestone_changed",
    message: "The next task belongs to M-2.",
    last_code: "STOP_INTERRUPTED",
    hint: "`relais loop` starts that milestone; `--mode autonomous` continues by itself.",
  },
  stopped: {
    reason: "STOP_SCOPE_VIOLATION_FORBIDDEN",
    last_code: "STOP_SCOPE_VIOLATION_FORBIDDEN",
    message: "A changed file matches a forbidden glob.",
    last_reason: ".env: The path, or a folder above it, matches a forbidden glob (glob **/.env*).",
    hint: "Take the glob out of the forbidden ones if the path belongs to the task.",
    ticks: { total: 3, success: 2, attempts: 0, stop: 1, blocked: 0 },
  },
  breaker: {
    reason: "same_failure",
    last_code: "STOP_VERIFY_FAILED_FAST",
    message: "The same check failed three times in a row.",
    last_reason: "test: exit status 1: expected 2 to be 3",
    ticks: { total: 3, success: 0, attempts: 0, stop: 3, blocked: 0 },
  },
  timeout: {
    reason: "STOP_TICK_TIMEOUT",
    last_code: "STOP_TICK_TIMEOUT",
    message: "The tick took too long.",
  },
  blocked: {
    reason: "BLOCKED_DIRTY_WORKTREE",
    last_code: "BLOCKED_DIRTY_WORKTREE",
    message: "2 paths are not committed: src/a.ts, src/b.ts.",
    hint: "Commit or stash them first.",
    commits: [],
    commits_total: 0,
    branch: null,
  },
  budget_warning: {
    reason: "soft_stop_at_warning",
    message: "Budget warning: 160 of 200 ticks are used.",
    hint: "Look at what was done, then raise the cap.",
  },
  needs_human: {
    reason: "STOP_QUESTION",
    last_code: "STOP_QUESTION",
    message: "Which name is wanted?",
    question: { prompt: "Which name is wanted?\nBoth exist.\u001b[2J", choices: ["old", "new"] },
  },
  stuck: {
    reason: "attempts_used_up",
    message: "The leaf R-2 has no attempt left.",
    ticks: { total: 3, success: 1, attempts: 2, stop: 0, blocked: 0 },
  },
  paused: {
    reason: "pause",
    message: "Paused with `relais pause`; nothing was interrupted.",
    hint: "The same command continues the series; `--new` starts another.",
  },
  interrupted: {
    reason: "sigint",
    message: "Stopped with Ctrl-C.",
    hint: "The same command continues the series; `--new` starts another.",
    usage: { cost_usd: null, input_tokens: null, output_tokens: null, ticks_unreported: 3 },
  },
};

/** A series of three ticks with this end, run by this command. */
export function summaryOf(end: SeriesEnd, command = "loop"): SeriesSummary {
  return {
    kind: "series_summary",
    series_id: "20260131T235959Z-89abcdef",
    workflow: "relay",
    command,
    mode: command === "loop" ? "milestone" : null,
    max_ticks: null,
    end,
    reason: end,
    message: "",
    hint: null,
    exit_status: SERIES_ENDS[end].exit,
    resumed: false,
    recovered_run_id: null,
    started_at: "2026-01-31T23:59:59.000Z",
    ended_at: "2026-02-01T00:12:04.000Z",
    duration_ms: 725_000,
    ticks: { total: 3, success: 3, attempts: 0, stop: 0, blocked: 0 },
    last_code: "SUCCESS",
    last_run_id: "20260131T235959Z-0123abcd",
    last_reason: null,
    question: null,
    change: { files_touched: 4, lines_added: 61, lines_deleted: 7 },
    usage: { cost_usd: 0.4321, input_tokens: 123_456, output_tokens: 7890, ticks_unreported: 1 },
    commits: ["b".repeat(40), "c".repeat(40)],
    commits_total: 2,
    branch: "relais/topic",
    milestone_id: "M-1",
    budgets: {
      ticks: 3,
      orchestrator_calls: 3,
      builder_calls: 3,
      verify_runs: 6,
      reviewer_calls: 0,
      estimated_cost_usd: 0.4321,
    },
    ...WHY[end],
  };
}
