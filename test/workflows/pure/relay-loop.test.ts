/** What the journal of a series says about it: its ticks, its waits, whether it is over, and what it knows of a task. */
import * as v from "valibot";
import { expect, test } from "vitest";
import type { JournalLine, TickEvent } from "../../../src/records/event.ts";
import { parseConfig } from "../../../src/config/parse-config.ts";
import type { SeriesOptions } from "../../../src/records/series.ts";
import { Task } from "../../../src/records/task.ts";
import { foldLines } from "../../../src/records/folded-lines.ts";
import { findResumableSeries } from "../../../src/workflows/pure/last-series.ts";
import { findSeriesWaits, waitBehind } from "../../../src/workflows/pure/series-waits.ts";
import { makeRelayLoop } from "../../../src/workflows/pure/relay.ts";
import { decideNextWork, type NextWork } from "../../../src/workflows/pure/workflow.ts";
import { whole } from "../../support/journals.ts";
import { executeTask } from "../../support/tasks.ts";
import { TICKS } from "../../support/ticks.ts";

const SERIES = "20260131T235959Z-0123abcd";
const ROOT = "/repo";
const OPTIONS: SeriesOptions = { command: "loop", mode: "milestone", max_ticks: null };

/** The lines of these ticks of one series, each a list of events; times are a second apart. */
function lines(...ticks: readonly (readonly TickEvent[])[]): readonly JournalLine[] {
  return ticks
    .flatMap((events, tick) => events.map((event) => ({ event, run_id: `${SERIES.slice(0, -1)}${tick}` })))
    .map(({ event, run_id }, seq) => ({
      version: 1,
      seq,
      at: new Date(seq * 1000).toISOString(),
      run_id,
      series_id: SERIES,
      prev: null,
      event: event.type === "tick_started" ? { ...event, series: OPTIONS, worktree: ROOT } : event,
    }));
}

const cutShort = (cause: string): readonly TickEvent[] => {
  const begun = TICKS.accepted.slice(0, 3);
  const cut: TickEvent = { type: "interrupted", code: "STOP_INTERRUPTED", cause, message: null };
  const back: readonly TickEvent[] = [
    { type: "settle_started", action: "rollback" },
    { type: "settled", action: "rollback", commit: null, branch: null, salvage: null },
  ];
  return whole([...begun, cut, ...back]);
};

const limited = (until?: string): readonly TickEvent[] =>
  whole([
    ...TICKS.accepted.slice(0, 3),
    {
      type: "refused",
      code: "STOP_RATE_LIMITED",
      cause: null,
      message: null,
      ...(until === undefined ? {} : { until }),
    },
  ]);

const GREEN = whole(TICKS.accepted);
const RESUMED: TickEvent = { type: "series_resumed" };
const waiting = (until: string): TickEvent => ({ type: "series_waiting", until });
const ended = (end: Extract<TickEvent, { type: "series_ended" }>["end"]): TickEvent => ({
  type: "series_ended",
  end,
  reason: end,
  message: "",
  hint: null,
});

function next(of: readonly JournalLine[], options: Partial<SeriesOptions> = {}, document: object = {}): NextWork {
  const config = parseConfig(document);
  if (config.kind === "invalid") throw new Error("the fixture is no configuration");
  const known = { config: config.value, options: { ...OPTIONS, ...options }, warnings: [] };
  return decideNextWork(makeRelayLoop(known), { lines: of, seriesId: SERIES });
}

test.each(["crash", "sigint", "sigterm", "sighup", "abandoned"])(
  "a tick that was cut short by %s ends the series, and is forgotten once it goes on",
  (cause) => {
    expect(next(lines(GREEN, cutShort(cause))).kind).toBe("end");
    const again = lines(GREEN, [...cutShort(cause), RESUMED]);
    expect(next(again).kind).toBe("work");
    expect(next(again, { max_ticks: 2 }).kind).toBe("work");
    expect(next(again, { max_ticks: 1 })).toMatchObject({ kind: "end", end: "max_ticks" });
  },
);

test("going on forgives no stop that was the work's own", () => {
  const failed = whole(TICKS.failedCheck);
  expect(next(lines([...failed, RESUMED]))).toMatchObject({ kind: "end", end: "stopped" });
});

test("a limit is waited for once, and then the series goes on", () => {
  expect(next(lines(GREEN, limited()))).toEqual({ kind: "wait" });
  expect(next(lines(GREEN, [...limited(), waiting("2026-01-01T00:00:00.000Z")])).kind).toBe("work");
});

test("the waits since the last answer of a service, and what it asked for", () => {
  const [early, late] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"];
  const journal = lines([...limited(early), waiting(early)], limited(late));
  expect(findSeriesWaits(journal, SERIES)).toMatchObject({
    waits: [{ until: early }],
    retryAt: late,
    pending: null,
  });
  const now = lines(limited(), [...limited(), waiting(late), ended("interrupted"), RESUMED]);
  expect(findSeriesWaits(now, SERIES)).toMatchObject({
    waits: [{ until: late }],
    retryAt: null,
    pending: late,
  });
  const answered = lines([...limited(early), waiting(early)], GREEN, limited());
  expect(findSeriesWaits(answered, SERIES)).toEqual({
    waits: [],
    retryAt: null,
    pending: null,
    isLimit: true,
  });
  expect(findSeriesWaits([], SERIES)).toEqual({ waits: [], retryAt: null, pending: null, isLimit: false });
});

test("a pause before another try is no wait for a service", () => {
  const until = "2026-01-01T00:00:00.000Z";
  const paused = lines([...GREEN, waiting(until)]);
  expect(findSeriesWaits(paused, SERIES)).toMatchObject({ pending: until, isLimit: false });
  expect(waitBehind(paused, paused[0]?.run_id ?? "")).toBeNull();
  const refused = lines([...limited(), waiting(until)]);
  expect(findSeriesWaits(refused, SERIES)).toMatchObject({ pending: until, isLimit: true });
  expect(waitBehind(refused, refused[0]?.run_id ?? "")).toBe(until);
});

const WANTED = { command: "loop", mode: "milestone", worktree: ROOT } as const;

test("only a series that is not over is taken up, in its own mode and worktree", () => {
  const open = lines(GREEN, cutShort("crash"));
  expect(findResumableSeries(foldLines(open), WANTED)).toMatchObject({ seriesId: SERIES, options: OPTIONS });
  expect(findResumableSeries(foldLines(open), { ...WANTED, mode: "autonomous" })).toBeNull();
  expect(findResumableSeries(foldLines(open), { ...WANTED, worktree: "/other" })).toBeNull();
  expect(findResumableSeries(foldLines(open), { ...WANTED, command: "tree" })).toBeNull();
  expect(findResumableSeries(foldLines([]), WANTED)).toBeNull();
  const after = (...events: TickEvent[]) => findResumableSeries(foldLines(lines([...GREEN, ...events])), WANTED);
  expect(after(ended("interrupted"))).not.toBeNull();
  expect(after(ended("needs_human"))).not.toBeNull();
  for (const end of ["complete", "stopped", "blocked", "breaker", "max_ticks", "milestone_changed"] as const)
    expect(after(ended("interrupted"), RESUMED, ended(end))).toBeNull();
});

const taskWith = (over: object) => v.parse(Task, { ...executeTask, ...over });

test("a task of another milestone is refused in the mode milestone only, and before it is known to have failed", () => {
  const journal = lines(whole(TICKS.accepted));
  const admit = (over: object, options: Partial<SeriesOptions> = {}) => {
    const step = next(journal, options);
    return step.kind === "work" ? (step.work.admit?.(taskWith(over)) ?? null) : "no work";
  };
  expect(admit({})).toBeNull();
  expect(admit({ milestone_id: "M-99" })).toMatchObject({
    code: "STOP_INTERRUPTED",
    cause: "milestone_changed",
    message: expect.stringContaining("M-99"),
  });
  expect(admit({ milestone_id: "M-99" }, { mode: "autonomous" })).toBeNull();
});
