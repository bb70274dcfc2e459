/** The pages of every history say what its journal says. */
import { describe, expect, test } from "vitest";
import type { JournalLine } from "../../src/records/event.ts";
import { makeDefaultConfig } from "../../src/config/config.ts";
import { BudgetCourse } from "../../src/journal/pure/rate-limit.ts";
import { foldWorkspaceState } from "../../src/journal/pure/workspace-state.ts";
import { foldShared } from "../../src/records/folded-lines.ts";
import { listTickRecords, type TickRecord } from "../../src/tick/pure/tick-records.ts";
import { makeMoneyPage } from "../../src/page/pure/money-page.ts";
import type { RunPage } from "../../src/page/pure/page-documents.ts";
import { makeRunPage } from "../../src/page/pure/run-page.ts";
import { makeSeriesPage } from "../../src/page/pure/series-page.ts";
import { reportTick } from "../../src/page/pure/tick-row.ts";
import { HISTORIES, linesOfHistory } from "../support/histories.ts";

function requirePage(lines: readonly JournalLine[], runId: string): RunPage {
  const page = makeRunPage(lines, runId);
  if (page === null) throw new Error(`there is no page of ${runId}`);
  return page;
}

function compareTick(lines: readonly JournalLine[], record: TickRecord): void {
  const page = requirePage(lines, record.runId);
  const own = lines.filter(({ run_id }) => run_id === record.runId);
  expect(page.events.map(({ seq }) => seq)).toEqual(own.map(({ seq }) => seq));
  const codes = own.flatMap(({ event }) => (event.type === "tick_ended" ? [event.code] : []));
  expect(page.row.code === null ? [] : [page.row.code]).toEqual(codes);
  const report = reportTick(record);
  if (report === null) return;
  expect(page.row.files ?? 0).toBe(report.blast_radius.files_touched);
  expect(page.checks.filter(({ when }) => when === "after").length).toBe(report.verification.runs.length);
  expect(page.findings.length).toBe(report.findings.length);
}

const { budgets } = makeDefaultConfig();

describe.each(HISTORIES)("%s", (name) => {
  test("each tick has its code, its size, its checks and every event", async () => {
    const lines = await linesOfHistory(name);
    const records = listTickRecords(lines);
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) compareTick(lines, record);
  });

  test("its steps follow each other in time", async () => {
    const lines = await linesOfHistory(name);
    const records = listTickRecords(lines);
    for (const { runId } of records) {
      const bars = makeRunPage(lines, runId)?.bars ?? [];
      const moments = bars.flatMap(({ from, to }) => [from, ...(to === null ? [] : [to])]);
      expect(moments).toEqual(moments.toSorted());
      const last = bars.at(-1);
      expect(last?.to === null).toBe(records.find((record) => record.runId === runId)?.endedAt === null);
    }
  });

  test("a series has all of its ticks, and the costs of the ticks add up", async () => {
    const lines = await linesOfHistory(name);
    const records = listTickRecords(lines);
    for (const seriesId of new Set(records.map((record) => record.seriesId))) {
      const page = makeSeriesPage(lines, seriesId, budgets, null);
      const own = records.filter((record) => record.seriesId === seriesId);
      expect(page?.runIds).toEqual(own.map(({ runId }) => runId));
      const cost = makeMoneyPage({ records: own, budgets: null, course: [] }).total.cost;
      expect(page?.cost ?? 0).toBeCloseTo(cost, 10);
    }
  });

  test("each budget grew to what the status says, and each series and day adds up to the total", async () => {
    const lines = await linesOfHistory(name);
    const { budgets: used, milestone_id: milestoneId } = foldWorkspaceState(lines, budgets);
    const course = foldShared(lines).fold(BudgetCourse).list();
    const records = listTickRecords(lines);
    const caps = { ...budgets.per_milestone, max_estimated_cost_usd: 1 };
    const money = makeMoneyPage({ records, budgets: { milestoneId, used, caps }, course });
    expect(money.budgets.length).toBe(6);
    for (const budget of money.budgets) expect(budget.values.at(-1)).toBe(budget.used);
    expect(money.moments).toEqual(money.moments.toSorted());
    expect(money.days.reduce((sum, { ticks }) => sum + ticks, 0)).toBe(money.total.ticks);
    expect(money.series.reduce((sum, { ticks }) => sum + ticks, 0)).toBe(money.total.ticks);
  });

  test("the course of some ticks has no other", async () => {
    const lines = await linesOfHistory(name);
    const first = listTickRecords(lines).find(({ endedAt }) => endedAt !== null);
    const own = foldShared(lines)
      .fold(BudgetCourse)
      .listOf(new Set([first?.runId ?? ""]));
    expect(own.map(({ runId }) => runId)).toEqual(first === undefined ? [] : [first.runId]);
  });
});

async function readSeriesPage(name: string) {
  const lines = await linesOfHistory(name);
  return makeSeriesPage(lines, lines.at(-1)?.series_id ?? "", budgets, null);
}

test("a goal shows its votes, a campaign its stories", async () => {
  const goal = await readSeriesPage("goal");
  expect(goal?.turns.length).toBeGreaterThan(0);
  expect(goal?.turns.some(({ votes }) => votes.length > 0)).toBe(true);
  const campaign = await readSeriesPage("campaign");
  expect(campaign?.stories.map(({ state }) => state)).toContain("verified");
  expect(campaign?.stories.every(({ criteria }) => criteria.length > 0)).toBe(true);
});
