import * as v from "valibot";
import { expect, test } from "vitest";
import { SeriesSummary } from "../../../src/records/series.ts";
import type { TickEvent } from "../../../src/records/event.ts";
import { endSeries } from "../../../src/workflows/pure/after-tick.ts";
import { summariseSeries } from "../../../src/workflows/pure/series-summary.ts";
import { foldWorkspaceState } from "../../../src/journal/pure/workspace-state.ts";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { journalOf, seriesName, type TickOfJournal } from "../../support/journals.ts";

const config = parseConfig({});
if (config.kind === "invalid") throw new Error("the defaults are no configuration");
const { budgets } = config.value;

type Change = (event: TickEvent, at: number) => TickEvent;

/** The summary of one series of these ticks. */
function summaryOf(kinds: readonly TickOfJournal["kind"][], change: Change = (event) => event): SeriesSummary {
  const ticks = kinds.map((kind) => ({
    kind,
    series: 1,
    milestone: 1,
    cost: 0.25,
    isPatch: false,
    kept: null,
  }));
  const runs = [...new Set(journalOf(ticks).map(({ run_id }) => run_id))];
  const lines = journalOf(ticks).map((line) => ({
    ...line,
    event: change(line.event, runs.indexOf(line.run_id)),
  }));
  const isQuestion = kinds.at(-1) === "question";
  return summariseSeries({
    lines,
    state: foldWorkspaceState(lines, budgets),
    seriesId: seriesName(1),
    workflow: "relay",
    options: { command: "loop", mode: "milestone", max_ticks: null },
    over: endSeries(isQuestion ? "needs_human" : "stopped", { reason: "x", message: "y" }),
    held: [],
    resumed: false,
    recoveredRunId: null,
    startedAt: "2026-01-31T23:59:59.000Z",
    endedAt: "2026-01-31T23:59:59.000Z",
    durationMs: 0,
  });
}

const ITERATION = {
  iter_n: 1,
  kind: "work",
  selected_leaf_id: "R-1",
  selected_leaf_path: ["root", "R-1"],
  classification: "execute",
  guard: "pass",
  outcome: "attempt",
  feedback: null,
  unreadable: false,
};

const attempt: Change = (event, at) => (event.type === "settled" && at === 0 ? { ...event, data: ITERATION } : event);
const silent: Change = (event) => (event.type === "build_ended" ? { ...event, usage: null } : event);

test("an attempt at a leaf whose gates were green is no green tick", () => {
  const { ticks } = summaryOf(["committed", "committed", "outsideScope", "dirty"], attempt);
  expect(ticks).toEqual({ total: 4, success: 1, attempts: 1, stop: 1, blocked: 1 });
});

test("what was kept counts, a file of two ticks once, and what was put back does not", () => {
  const { change, last_reason, last_code } = summaryOf(["committed", "committed", "outsideScope"]);
  expect(change).toEqual({ files_touched: 2, lines_added: 20, lines_deleted: 6 });
  expect(last_code).toBe("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED");
  expect(last_reason).toBe("docs/guide.md: No allowed glob matches this path.");
  expect(summaryOf(["outsideScope", "failedCheck"]).last_reason).toBe("lint: exit status 1");
  expect(summaryOf(["outsideScope", "committed"]).last_reason).toBeNull();
});

test("what nobody reported is not nothing", () => {
  const none = { cost_usd: null, input_tokens: null, output_tokens: null };
  expect(summaryOf(["committed", "committed"], silent).usage).toEqual({ ...none, ticks_unreported: 2 });
  const once: Change = (event, at) => (at === 0 ? silent(event, at) : event);
  const { usage } = summaryOf(["committed", "committed"], once);
  expect(usage).toMatchObject({ cost_usd: 0.25, ticks_unreported: 1 });
  expect(summaryOf(["dirty"]).usage).toEqual({ ...none, ticks_unreported: 0 });
});

test("a question that ends a series is there with its choices, and the summary is what its schema says", () => {
  const summary = summaryOf(["committed", "question"]);
  expect(summary.question?.choices).toEqual(["old", "new"]);
  expect(v.is(SeriesSummary, summary)).toBe(true);
});
