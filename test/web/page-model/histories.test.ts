/** The pages of every recorded history say what its journal says. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { JournalLine } from "../../../src/contract/journal/event.ts";
import { makeDefaultConfig } from "../../../src/contract/config/config.ts";
import { listTickRecords } from "../../../src/core/tick/tick-records.ts";
import { makeMoneyPage } from "../../../src/web/page-model/money-page.ts";
import type { RunPage } from "../../../src/web/page-model/page-documents.ts";
import { makeRunPage } from "../../../src/web/page-model/run-page.ts";
import { makeSeriesPage } from "../../../src/web/page-model/series-page.ts";
import { reportTick } from "../../../src/web/page-model/tick-row.ts";
import { HISTORIES } from "../../histories/restored-history.ts";

function readLines(folder: string): readonly JournalLine[] {
  return readFileSync(join(folder, "state", "journal.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => v.parse(JournalLine, JSON.parse(line)));
}

function requirePage(lines: readonly JournalLine[], runId: string): RunPage {
  const page = makeRunPage(lines, runId);
  if (page === null) throw new Error(`there is no page of ${runId}`);
  return page;
}

describe.each(HISTORIES)("$id", ({ folder }) => {
  const lines = readLines(folder);
  const records = listTickRecords(lines);

  test.each(records)("the tick $runId has its code, its size, its checks and every event", (record) => {
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
  });

  test("its steps follow each other in time", () => {
    for (const { runId } of records) {
      const bars = makeRunPage(lines, runId)?.bars ?? [];
      const moments = bars.flatMap(({ from, to }) => [from, ...(to === null ? [] : [to])]);
      expect(moments).toEqual(moments.toSorted());
      const last = bars.at(-1);
      expect(last?.to === null).toBe(records.find((record) => record.runId === runId)?.endedAt === null);
    }
  });

  test("a series has all of its ticks, and the costs of the ticks add up", () => {
    const { budgets } = makeDefaultConfig();
    for (const seriesId of new Set(records.map((record) => record.seriesId))) {
      const page = makeSeriesPage({ lines, seriesId, budgets, tree: null });
      const own = records.filter((record) => record.seriesId === seriesId);
      expect(page?.runIds).toEqual(own.map(({ runId }) => runId));
      const cost = makeMoneyPage({ records: own, budgets: null, course: [] }).total.cost;
      expect(page?.cost ?? 0).toBeCloseTo(cost, 10);
    }
  });
});

test("a goal shows its votes, a campaign its stories", () => {
  const { budgets } = makeDefaultConfig();
  const read = (name: string) => {
    const lines = readLines(join(import.meta.dirname, "../../histories/0.1.0", name));
    return makeSeriesPage({ lines, seriesId: lines.at(-1)?.series_id ?? "", budgets, tree: null });
  };
  const goal = read("goal");
  expect(goal?.turns.length).toBeGreaterThan(0);
  expect(goal?.turns.some(({ votes }) => votes.length > 0)).toBe(true);
  const campaign = read("campaign");
  expect(campaign?.stories.map(({ state }) => state)).toContain("verified");
  expect(campaign?.stories.every(({ criteria }) => criteria.length > 0)).toBe(true);
});
