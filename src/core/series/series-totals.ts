/** What the ticks of a series kept and what was reported that they used, taken together. */
import type { SeriesSummary } from "../../contract/journal/series.ts";
import { reportSessions } from "../tick/report-sessions.ts";
import { findBuilding, findJudgement, findPlanning, findSettled, isUndone } from "../tick/tick-facts.ts";
import { formatDollarSum } from "../words/dollars.ts";
import type { TickRecord } from "../tick/tick-records.ts";

type Totals = Pick<SeriesSummary, "change" | "usage">;

export function sumSeries(records: readonly TickRecord[]): Totals {
  return { change: changeOf(records), usage: usageOf(records) };
}

/** A file that several ticks changed counts once; the lines of each of them count. */
function changeOf(records: readonly TickRecord[]): Totals["change"] {
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

function usageOf(records: readonly TickRecord[]): Totals["usage"] {
  const all = records.flatMap(({ state }) => reportSessions(state).usage);
  const hadSession = records.filter(
    ({ state }) => isSession(findBuilding(state)?.driver) || findPlanning(state) !== null,
  );
  return {
    cost_usd: reported(
      all.map(({ cost_usd }) => cost_usd),
      formatDollarSum,
    ),
    input_tokens: reported(all.map(({ input_tokens }) => input_tokens)),
    output_tokens: reported(all.map(({ output_tokens }) => output_tokens)),
    ticks_unreported: hadSession.filter(({ state }) => reportSessions(state).usage.length === 0).length,
  };
}

/** A patch is applied by nobody who could be paid. */
function isSession(driver: string | undefined): boolean {
  return driver !== undefined && driver !== "patch";
}

/** Null where nobody said anything, which is not the same as nothing. */
function reported(amounts: readonly (number | null)[], add = plus): number | null {
  const said = amounts.filter((amount) => amount !== null);
  return said.length === 0 ? null : said.reduce(add, 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce(plus, 0);
}

const plus = (one: number, other: number): number => one + other;
