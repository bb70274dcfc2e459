import { CODES } from "../../contract/values/codes.ts";
import type { JournalLine } from "../../contract/journal/event.ts";
import type { SeriesOptions, SeriesSummary } from "../../contract/journal/series.ts";
import { NOTHING_SPENT } from "../tick/budget.ts";
import { describeDecision } from "../words/decisive-words.ts";
import { reportQuestion } from "../tick/report-question.ts";
import { reportIteration } from "../tick/report-iteration.ts";
import { findFindings, findJudgement, findOutcome, findSettled, findVerification } from "../tick/tick-facts.ts";
import { listTickRecords, type TickRecord } from "../tick/tick-records.ts";
import type { SeriesOver } from "./after-tick.ts";
import { sumSeries } from "./series-totals.ts";
import type { WorkspaceState } from "../../contract/documents/state.ts";

const COMMITS_MAX = 100;
const MESSAGE_CHARS = 4000;

interface SummarySource {
  readonly lines: readonly JournalLine[];
  readonly state: WorkspaceState;
  readonly seriesId: string;
  readonly workflow: SeriesSummary["workflow"];
  readonly options: SeriesOptions;
  readonly over: SeriesOver;
  readonly resumed: boolean;
  readonly recoveredRunId: string | null;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
}

/** What a series came to, from its beginning, whichever processes it ran in. */
export function summariseSeries(source: SummarySource): SeriesSummary {
  const { lines, state, seriesId, options, over } = source;
  const records = listTickRecords(lines.filter(({ series_id }) => series_id === seriesId));
  const settled = records.flatMap(({ state: tick }) => findSettled(tick) ?? []);
  const last = records.at(-1);
  const commits = settled.flatMap(({ commit }) => commit ?? []);
  return {
    kind: "series_summary",
    series_id: seriesId,
    workflow: source.workflow,
    ...options,
    end: over.end,
    reason: over.reason,
    message: over.message.slice(0, MESSAGE_CHARS),
    hint: over.hint,
    exit_status: over.exit,
    resumed: source.resumed,
    recovered_run_id: source.recoveredRunId,
    started_at: source.startedAt,
    ended_at: source.endedAt,
    duration_ms: source.durationMs,
    ticks: countsOf(records),
    ...lastPart(last),
    question: over.end === "needs_human" && last !== undefined ? reportQuestion(last.state) : null,
    ...sumSeries(records),
    commits: commits.slice(-COMMITS_MAX),
    commits_total: commits.length,
    branch: settled.findLast(({ branch }) => branch !== null)?.branch ?? null,
    milestone_id: state.milestone_id,
    budgets: state.series?.series_id === seriesId ? state.series.budgets : NOTHING_SPENT,
  };
}

function lastPart(record: TickRecord | undefined): Pick<SeriesSummary, "last_code" | "last_run_id" | "last_reason"> {
  const code = record === undefined ? null : (findOutcome(record.state)?.code ?? null);
  return {
    last_code: code,
    last_run_id: record?.runId ?? null,
    last_reason: record === undefined || code === "SUCCESS" ? null : reasonOf(record.state),
  };
}

function reasonOf(state: TickRecord["state"]): string | null {
  const findings = findFindings(state);
  const findings_total = Math.max(findJudgement(state)?.findings_total ?? 0, findings.length);
  const runs = findVerification(state)?.runs ?? [];
  return describeDecision({ findings, findings_total, runs })?.slice(0, MESSAGE_CHARS) ?? null;
}

function countsOf(records: readonly TickRecord[]): SeriesSummary["ticks"] {
  const kinds = records.flatMap(({ state }) => {
    const outcome = findOutcome(state);
    if (outcome === null) return [];
    const { verdict } = CODES[outcome.code];
    const isAttempt = verdict === "success" && reportIteration(state).iteration?.outcome === "attempt";
    return [isAttempt ? "attempt" : verdict];
  });
  const count = (kind: (typeof kinds)[number]): number => kinds.filter((one) => one === kind).length;
  return {
    total: records.length,
    success: count("success"),
    attempts: count("attempt"),
    stop: count("stop"),
    blocked: count("blocked"),
  };
}
