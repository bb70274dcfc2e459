import { CODES, SERIES_ENDS } from "../../base/codes.ts";
import { formatDollarSum, shorten } from "../../base/words.ts";
import type { JournalLine } from "../../records/event.ts";
import type { SeriesOptions, SeriesSummary } from "../../records/series.ts";
import { NOTHING_SPENT } from "../../tick/pure/budget.ts";
import { describeDecision } from "../../tick/pure/decisive-words.ts";
import { reportQuestion, reportIteration, reportUsage } from "../../tick/pure/report-parts.ts";
import {
  findBase,
  findFindings,
  findJudgement,
  findOutcome,
  findSettled,
  findVerification,
  findBuilding,
  findPlanning,
  isUndone,
} from "../../tick/pure/tick-facts.ts";
import { findOpenTurn } from "../../tick/pure/tick-turn.ts";
import { listTickRecords, type TickRecord } from "../../tick/pure/tick-records.ts";
import type { SeriesOver } from "./after-tick.ts";
import type { WorkspaceState } from "../../records/state.ts";

const COMMITS_MAX = 100;
const MESSAGE_CHARS = 4000;

interface SummarySource {
  readonly lines: readonly JournalLine[];
  readonly state: WorkspaceState;
  readonly seriesId: string;
  readonly workflow: SeriesSummary["workflow"];
  readonly options: SeriesOptions;
  readonly over: SeriesOver;
  /** What waits of this series, wherever it was decided about the rest. */
  readonly held: readonly { readonly runId: string; readonly what: string }[];
  readonly resumed: boolean;
  readonly recoveredRunId: string | null;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
}

/** Of the whole series, in whichever processes it ran. */
export function summariseSeries(source: SummarySource): SeriesSummary {
  const { lines, state, seriesId, options, over, held } = source;
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
    exit_status: held.length === 0 ? over.exit : exitWithHeld(over.exit),
    resumed: source.resumed,
    recovered_run_id: source.recoveredRunId,
    started_at: source.startedAt,
    ended_at: source.endedAt,
    duration_ms: source.durationMs,
    ticks: countTicks(records),
    ...(held.length === 0
      ? {}
      : { held: held.map(({ runId, what }) => ({ run_id: runId, what: shorten(what, 400) })) }),
    ...summariseLastTick(last),
    question: over.end === "needs_human" && last !== undefined ? reportQuestion(last.state) : null,
    change: sumChanges(records),
    usage: sumUsage(records),
    commits: commits.slice(-COMMITS_MAX),
    commits_total: commits.length,
    ...findBranches(records, settled.findLast(({ branch }) => branch !== null)?.branch ?? null),
    milestone_id: state.milestone_id,
    budgets: state.series?.series_id === seriesId ? state.series.budgets : NOTHING_SPENT,
  };
}

function findBranches(
  records: readonly TickRecord[],
  branch: string | null,
): Pick<SeriesSummary, "branch" | "began_on"> {
  const first = records.flatMap(({ state }) => findBase(state) ?? [])[0];
  const began = /^ref: refs\/heads\/(?<name>.+)$/su.exec(first?.head ?? "")?.groups?.["name"];
  return { branch, ...(branch === null || began === undefined || began === branch ? {} : { began_on: began }) };
}

/** A person is needed, unless something else ended it that says more: a block, a budget or a signal. */
function exitWithHeld(exit: number): number {
  return exit === 0 || exit === SERIES_ENDS.stopped.exit ? SERIES_ENDS.needs_human.exit : exit;
}

function summariseLastTick(
  record: TickRecord | undefined,
): Pick<SeriesSummary, "last_code" | "last_run_id" | "last_reason"> {
  const code = record === undefined ? null : (findOutcome(record.state)?.code ?? null);
  return {
    last_code: code,
    last_run_id: record?.runId ?? null,
    last_reason: record === undefined || code === "SUCCESS" ? null : describeReason(record.state),
  };
}

function describeReason(state: TickRecord["state"]): string | null {
  const findings = findFindings(state);
  const findings_total = Math.max(findJudgement(state)?.findings_total ?? 0, findings.length);
  const runs = findVerification(state)?.runs ?? [];
  return describeDecision({ findings, findings_total, runs })?.slice(0, MESSAGE_CHARS) ?? null;
}

function countTicks(records: readonly TickRecord[]): SeriesSummary["ticks"] {
  const kinds = records.flatMap(({ state }) => {
    const outcome = findOutcome(state);
    if (outcome === null) return [];
    const { verdict } = CODES[outcome.code];
    const isAttempt = verdict === "success" && reportIteration(state).iteration?.outcome === "attempt";
    return [isAttempt ? "attempt" : verdict];
  });
  const notYet = records.filter(({ state }) => findOutcome(state)?.code !== "SUCCESS" && findOpenTurn(state) !== null);
  const count = (kind: (typeof kinds)[number]): number => kinds.filter((one) => one === kind).length;
  return {
    total: records.length,
    success: count("success"),
    attempts: count("attempt"),
    stop: count("stop"),
    blocked: count("blocked"),
    ...(notYet.length === 0 ? {} : { not_yet: notYet.length }),
  };
}

/** A file that several ticks changed counts once; the lines of each count. */
function sumChanges(records: readonly TickRecord[]): SeriesSummary["change"] {
  const kept = records.flatMap(({ state }) => {
    const isKept = (findSettled(state)?.action ?? "rollback") !== "rollback" && !isUndone(state);
    return isKept ? (findJudgement(state) ?? []) : [];
  });
  const paths = new Set(kept.flatMap(({ touched_paths }) => touched_paths));
  // Of a very large change only the first paths are recorded.
  const unnamed = sum(kept.map(({ touched_paths, touched_paths_total }) => touched_paths_total - touched_paths.length));
  return {
    files_touched: paths.size + unnamed,
    lines_added: sum(kept.map(({ blast_radius }) => blast_radius.lines_added)),
    lines_deleted: sum(kept.map(({ blast_radius }) => blast_radius.lines_deleted)),
  };
}

function sumUsage(records: readonly TickRecord[]): SeriesSummary["usage"] {
  const all = records.flatMap(({ state }) => reportUsage(state));
  const hadSession = records.filter(
    ({ state }) => isSession(findBuilding(state)?.driver) || findPlanning(state) !== null,
  );
  return {
    cost_usd: sumReported(
      all.map(({ cost_usd }) => cost_usd),
      formatDollarSum,
    ),
    input_tokens: sumReported(all.map(({ input_tokens }) => input_tokens)),
    output_tokens: sumReported(all.map(({ output_tokens }) => output_tokens)),
    ticks_unreported: hadSession.filter(({ state }) => reportUsage(state).length === 0).length,
  };
}

/** A patch needs no session. */
function isSession(driver: string | undefined): boolean {
  return driver !== undefined && driver !== "patch";
}

/** Null if nothing was reported, which is not the same as zero. */
function sumReported(amounts: readonly (number | null)[], add = addNumbers): number | null {
  const said = amounts.filter((amount) => amount !== null);
  return said.length === 0 ? null : said.reduce(add, 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce(addNumbers, 0);
}

const addNumbers = (one: number, other: number): number => one + other;
