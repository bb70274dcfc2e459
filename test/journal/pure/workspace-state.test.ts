import fc from "fast-check";
import { expect, test } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import type { JournalLine, TickEvent } from "../../../src/records/event.ts";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { parseWith } from "../../../src/base/schema-error.ts";
import { WorkspaceState } from "../../../src/records/state.ts";
import { findJudged, findJudgement, findSettled, isUndone } from "../../../src/tick/pure/tick-facts.ts";
import { findTickRecord, type TickRecord, listTickRecords } from "../../../src/tick/pure/tick-records.ts";
import { findLastAcceptedRun, findUnfinishedRun } from "../../../src/journal/pure/journal-runs.ts";
import { foldWorkspaceState } from "../../../src/journal/pure/workspace-state.ts";
import { arbitraryTickOfJournal, journalOf, runName, seriesName, type TickOfJournal } from "../../support/journals.ts";
import { runs } from "../../support/runs.ts";

function limits(budgets: unknown = {}): Config["budgets"] {
  const parsed = parseConfig({ budgets });
  if (parsed.kind === "invalid") throw new Error(parsed.problems.map(({ message }) => message).join("; "));
  return parsed.value.budgets;
}

const stateOf = (...ticks: readonly Partial<TickOfJournal>[]) => foldWorkspaceState(journalOf(ticks), limits());
const journals = fc.array(arbitraryTickOfJournal, { maxLength: 8 }).map(journalOf);

test("an empty journal has spent nothing", () => {
  expect(foldWorkspaceState([], limits())).toEqual({
    version: 1,
    milestone_id: null,
    budgets: {
      ticks: 0,
      orchestrator_calls: 0,
      builder_calls: 0,
      verify_runs: 0,
      reviewer_calls: 0,
      estimated_cost_usd: 0,
    },
    patch_attempts: 0,
    budget_warning: false,
    last_run_id: null,
    last_verdict: null,
    last_code: null,
    series: null,
    open_question: null,
  });
});

test("an accepted tick counts what it spent, for its milestone and for its series", () => {
  const budgets = {
    ticks: 1,
    orchestrator_calls: 0,
    builder_calls: 1,
    verify_runs: 2,
    reviewer_calls: 0,
    estimated_cost_usd: 0.25,
  };
  expect(stateOf({ cost: 0.25, isPatch: true })).toMatchObject({
    milestone_id: "M-0",
    budgets,
    patch_attempts: 1,
    last_run_id: runName(0),
    last_verdict: "success",
    last_code: "SUCCESS",
    series: { series_id: seriesName(0), budgets, empty_ticks: 0 },
  });
});

test("a tick that was refused before its task was known counts nothing", () => {
  const state = stateOf({ kind: "dirty" });
  expect(state).toMatchObject({ milestone_id: null, last_code: "BLOCKED_DIRTY_WORKTREE" });
  expect(state.budgets.ticks).toBe(0);
});

test("the milestone is known as soon as the task is", () => {
  const planned = journalOf([{ milestone: 2 }]).slice(0, 4);
  expect(foldWorkspaceState(planned, limits())).toMatchObject({ milestone_id: "M-2", last_run_id: null });
});

test("a rate-limited tick gives its counts back, and not its dollars", () => {
  const once = stateOf({ cost: 1 });
  const state = stateOf({ cost: 1 }, { kind: "rateLimited", cost: 0.5, isPatch: true });
  expect(state.budgets).toEqual({ ...once.budgets, estimated_cost_usd: 1.5 });
  expect(state.patch_attempts).toBe(0);
  expect(state.series?.budgets).toEqual(state.budgets);
  expect(state.last_code).toBe("STOP_RATE_LIMITED");
});

test("another milestone begins at zero, and the series goes on", () => {
  const state = stateOf({}, {}, { milestone: 1 });
  expect(state.budgets.ticks).toBe(1);
  expect(state.series?.budgets.ticks).toBe(3);
});

test("a series that goes on after another one finds its counters again", () => {
  expect(stateOf({ series: 1 }, { series: 2 }, { series: 1 }).series).toMatchObject({
    series_id: seriesName(1),
    budgets: { ticks: 2 },
  });
});

test("ticks that only go on are counted in a row", () => {
  expect(stateOf({ kind: "goingOn" }, { kind: "goingOn" }).series?.empty_ticks).toBe(2);
  expect(stateOf({ kind: "goingOn" }, { kind: "dirty" }).series?.empty_ticks).toBe(1);
  expect(stateOf({ kind: "goingOn" }, { kind: "rateLimited" }).series?.empty_ticks).toBe(1);
  expect(stateOf({ kind: "goingOn" }, {}).series?.empty_ticks).toBe(0);
});

test("a question stays open until an orchestrator planned a later tick that counts", () => {
  const question = {
    run_id: runName(0),
    prompt: "Which name is wanted?\nBoth exist.",
    choices: ["old", "new"],
    answer: null,
  };
  expect(stateOf({ kind: "question" }).open_question).toMatchObject(question);
  expect(stateOf({ kind: "question" }, { kind: "dirty" }).open_question).toMatchObject(question);
  expect(stateOf({ kind: "question" }, { kind: "rateLimited" }).open_question).toMatchObject(question);
  expect(stateOf({ kind: "question" }, { kind: "failedCheck" }).open_question).toMatchObject(question);
  expect(stateOf({ kind: "question" }, { kind: "goingOn" }).open_question).toBeNull();
});

test("the state warns from the fraction on, for the milestone and for the series", () => {
  const lines = journalOf([{}, {}, { milestone: 1 }]);
  const warns = (budgets: unknown) => foldWorkspaceState(lines, limits(budgets)).budget_warning;
  expect(warns({})).toBe(false);
  expect(warns({ per_milestone: { max_ticks: 1 } })).toBe(true);
  expect(warns({ per_milestone: { max_ticks: 2 } })).toBe(false);
  expect(warns({ per_run: { max_ticks: 4 }, warn_at_fraction: 0.75 })).toBe(true);
  expect(warns({ per_run: { max_ticks: 4 }, warn_at_fraction: 0.76 })).toBe(false);
});

test("the lines of a tick that was recovered later still belong to it", () => {
  const [crashed, blocked] = [journalOf([{ kept: 6 }]), journalOf([{ kind: "dirty" }])];
  const rest = journalOf([{ kind: "rateLimited" }]).slice(6);
  const others = blocked.map((line) => ({ ...line, run_id: runName(7) }));
  const state = foldWorkspaceState([...crashed, ...others, ...rest], limits());
  expect(state.budgets).toMatchObject({ ticks: 0, builder_calls: 0 });
  expect(state.last_code).toBe("STOP_RATE_LIMITED");
});

/** What each event adds, said once more and in another way. */
function additions(event: TickEvent): readonly (readonly [string, number])[] {
  if (event.type === "planned")
    return [
      ["ticks", 1],
      ["orchestrator_calls", event.orchestrator_calls],
    ];
  if (event.type === "build_started") return [["builder_calls", 1]];
  if (event.type === "verified") return [["verify_runs", event.runs.length]];
  return event.type === "build_ended" ? [["dollars", event.usage?.cost_usd ?? 0]] : [];
}

/** Adds everything up from scratch for one counter, over the lines that count. */
function naive(lines: readonly JournalLine[], counter: string): number {
  const uncounted = new Set(
    lines.flatMap(({ run_id, event }) => (event.type === "tick_ended" && !event.counted ? [run_id] : [])),
  );
  return lines
    .filter(({ run_id }) => counter === "dollars" || !uncounted.has(run_id))
    .flatMap(({ event }) => additions(event))
    .filter(([name]) => name === counter)
    .reduce((sum, [, amount]) => sum + amount, 0);
}

/** The lines since the milestone was last changed: from the task that changed it on. */
function ofMilestone(lines: readonly JournalLine[]): readonly JournalLine[] {
  const planned = lines.flatMap(({ event }, index) =>
    event.type === "planned" ? [{ index, id: event.task.milestone_id }] : [],
  );
  const last = planned.at(-1)?.id;
  const other = planned.findLastIndex(({ id }) => id !== last);
  return last === undefined ? [] : lines.slice(planned[other + 1]?.index ?? 0);
}

test("every prefix of a journal folds to a valid state that adds up", () => {
  fc.assert(
    fc.property(journals, fc.nat(), (journal, length) => {
      const lines = journal.slice(0, length % (journal.length + 1));
      const state = foldWorkspaceState(lines, limits());
      expect(parseWith(WorkspaceState, state).kind).toBe("valid");
      const ofSeries = lines.filter(({ series_id }) => series_id === state.series?.series_id);
      for (const [part, budgets] of [
        [ofMilestone(lines), state.budgets],
        [ofSeries, state.series?.budgets ?? state.budgets],
      ] as const) {
        expect(budgets.ticks).toBe(naive(part, "ticks"));
        expect(budgets.orchestrator_calls).toBe(naive(part, "orchestrator_calls"));
        expect(budgets.builder_calls).toBe(naive(part, "builder_calls"));
        expect(budgets.verify_runs).toBe(naive(part, "verify_runs"));
        expect(budgets.estimated_cost_usd).toBeCloseTo(naive(part, "dollars"), 9);
      }
    }),
    runs(400),
  );
});

test("the tick without an end and the one that was kept last are found", () => {
  fc.assert(
    fc.property(journals, (lines) => {
      const records = listTickRecords(lines);
      const ended = records.filter(({ endedAt }) => endedAt !== null);
      expect(findUnfinishedRun(lines)).toEqual(records.find(({ state }) => state.phase !== "done") ?? null);
      expect(ended.every(({ state }) => state.phase === "done")).toBe(true);
      expect(findLastAcceptedRun(lines, "/repo")).toEqual(lastKept(lines));
    }),
  );
});

function lastKept(lines: readonly JournalLine[]) {
  const kept = keptTicks(lines).at(-1) ?? null;
  return kept && { ...kept, facts: findJudged(kept.state) };
}

/** The ticks whose change was kept and was not taken back. */
function keptTicks(lines: readonly JournalLine[]): readonly TickRecord[] {
  return listTickRecords(lines).filter(
    ({ state }) =>
      (findSettled(state)?.action ?? "rollback") !== "rollback" &&
      (findJudgement(state)?.blast_radius.files_touched ?? 0) > 0 &&
      !isUndone(state),
  );
}

test("what is decided about a tick after its end spends nothing and begins nothing", () => {
  fc.assert(
    fc.property(journals, fc.array(fc.boolean()), (lines, decisions) => {
      const over = keptTicks(lines).filter(({ endedAt }) => endedAt !== null);
      const later = over.flatMap(({ runId, seriesId, state }, index): readonly JournalLine[] => {
        const line = {
          version: 1 as const,
          seq: 0,
          at: "2026-02-01T00:00:00.000Z",
          run_id: runId,
          series_id: seriesId,
          prev: null,
        };
        const accepted = { type: "accepted", commit: "a".repeat(40), branch: "topic" } as const;
        const events: readonly TickEvent[] = [
          ...(findSettled(state)?.action === "accept" ? [accepted] : []),
          ...(decisions[index] === true ? [{ type: "undone" } as const] : []),
        ];
        return events.map((event) => ({ ...line, event }));
      });
      const all = [...lines, ...later];
      expect(foldWorkspaceState(all, limits())).toEqual(foldWorkspaceState(lines, limits()));
      expect(findUnfinishedRun(all)?.runId).toBe(findUnfinishedRun(lines)?.runId);
      expect(findLastAcceptedRun(all, "/repo")).toEqual(lastKept(all));
    }),
  );
});

test("a record holds the lines of its own tick and no other", () => {
  fc.assert(
    fc.property(journals, (lines) => {
      const records = listTickRecords(lines);
      expect(records.flatMap(({ events }) => events)).toEqual(lines.map(({ event }) => event));
      for (const record of records) {
        expect(findTickRecord(lines, record.runId)).toEqual(record);
        expect(lines[record.firstSeq]).toMatchObject({ run_id: record.runId, at: record.startedAt });
        expect(record.lastSeq - record.firstSeq + 1).toBe(record.events.length);
      }
      expect(findTickRecord(lines, "no-such-run")).toBeNull();
    }),
  );
});

test("reviewers count from the moment they are announced, and cost what their programs report", () => {
  const lines = journalOf([{}]);
  const [before, last] = [lines.slice(0, -1), lines.at(-1)];
  if (last === undefined) throw new Error("an empty journal");
  const line = (event: TickEvent): JournalLine => ({ ...last, event });
  const sessions = [
    { reviewer: "risk", dispatch: "d1" },
    { reviewer: "tests", dispatch: "d2" },
  ];
  const announced = line({ type: "review_started", driver: "command", sessions });
  const usage = { input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: 0.5 };
  const reviews = sessions.map(({ reviewer: name }) => ({
    name,
    vote: "none" as const,
    cause: "x",
    decision: null,
    explanation: "",
    reasons: [],
    wrote: [],
    duration_ms: 1,
    usage,
  }));
  const answered = line({
    type: "reviewed",
    code: "STOP_REVIEW_REFUSED",
    cause: null,
    message: null,
    reviews,
  });
  const spent = (...more: readonly JournalLine[]) => foldWorkspaceState([...before, ...more, last], limits()).budgets;
  expect(spent(announced).reviewer_calls).toBe(2);
  expect(spent(announced, answered)).toMatchObject({
    reviewer_calls: 2,
    estimated_cost_usd: spent().estimated_cost_usd + 1,
  });
});

/** The lines of one tick of its own, behind the others. */
function linesOf(number: number, events: readonly TickEvent[], seq = 0): readonly JournalLine[] {
  return events.map((event, index) => ({
    version: 1,
    seq: seq + index,
    at: "2026-01-31T23:59:59.000Z",
    run_id: runName(number),
    series_id: seriesName(number),
    prev: null,
    event,
  }));
}

const [begun] = journalOf([{}]);
const tickStarted: TickEvent = begun?.event ?? { type: "undone" };
const asked: TickEvent = {
  type: "plan_started",
  driver: "command",
  dispatch: "d",
  prompt_bytes: {},
  prompt_sha256: {},
};
const usage = { input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: 0.5 };
const rejected: TickEvent = { type: "plan_rejected", cause: "c", message: "m", excerpt: null, usage };

test("a call of the orchestrator counts when it begins, and a tick counts once", () => {
  const lines = linesOf(1, [tickStarted, asked, rejected, asked]);
  const spent = { ticks: 1, orchestrator_calls: 2, estimated_cost_usd: 0.5 };
  expect(foldWorkspaceState(lines, limits())).toMatchObject({
    milestone_id: null,
    budgets: spent,
    series: { budgets: spent },
  });
});

test("the first milestone pays for its plan and for everything spent before it", () => {
  const refused: TickEvent = { type: "refused", code: "STOP_INTERRUPTED", cause: null, message: null, usage };
  const planned = journalOf([{ milestone: 4 }]).find(({ event }) => event.type === "planned")?.event;
  if (planned?.type !== "planned") throw new Error("the fixture plans nothing");
  const lines = [
    ...linesOf(1, [tickStarted, asked, refused]),
    ...linesOf(2, [tickStarted, asked, { ...planned, orchestrator_calls: 1 }], 3),
  ];
  expect(foldWorkspaceState(lines, limits())).toMatchObject({
    milestone_id: "M-4",
    budgets: { ticks: 2, orchestrator_calls: 2, estimated_cost_usd: 0.5 },
  });
  const { task } = planned;
  const next: TickEvent = { ...planned, task: { ...task, milestone_id: "M-5" }, orchestrator_calls: 1 };
  const later = [...lines, ...linesOf(3, [tickStarted, asked, next], 6)];
  expect(foldWorkspaceState(later, limits())).toMatchObject({
    milestone_id: "M-5",
    budgets: { ticks: 1, orchestrator_calls: 1, estimated_cost_usd: 0 },
  });
});
