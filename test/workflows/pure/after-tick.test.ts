import { expect, test } from "vitest";
import { CODES, SERIES_ENDS } from "../../../src/base/codes.ts";
import * as v from "valibot";
import { Loop } from "../../../src/config/workflows.ts";
import { Task } from "../../../src/records/task.ts";
import { decideAfterTick, type SeriesBounds } from "../../../src/workflows/pure/after-tick.ts";
import { findRepeatedTask, findTrippedBreaker } from "../../../src/workflows/pure/breakers.ts";
import type { SeriesTick } from "../../../src/workflows/pure/series-tick.ts";
import { controlTask, executeTask, questionTask, verifyOnlyTask } from "../../support/tasks.ts";

const LOOP = v.parse(Loop, {});
const CONTINUE = v.parse(Loop, { on_stop: "continue" });

let runs = 0;

/** A tick that built something and kept it, unless told otherwise. */
function tick(given: Partial<SeriesTick> = {}): SeriesTick {
  runs += 1;
  const task = v.parse(Task, { ...executeTask, intent: `Step ${runs}.` });
  const usual = { cause: null, message: null, task, isCounted: true, changed: true } as const;
  return { runId: `run-${runs}`, code: "SUCCESS", ...usual, ...given };
}

const bounds = (given: Partial<SeriesBounds> = {}): SeriesBounds => ({
  loop: LOOP,
  maxTicks: null,
  warnings: [],
  ...given,
});

const control = (action: string) => v.parse(Task, { ...controlTask, control: { action } });

/** Everything that a last tick can mean, as one table: the tick, the bounds, the end and its status. */
const TABLE = [
  ["control.stop", tick({ task: control("stop") }), bounds(), "complete", 0],
  ["control.stop beats a warning", tick({ task: control("stop") }), bounds({ warnings: ["w"] }), "complete", 0],
  ["the last tick asked for", tick(), bounds({ maxTicks: 1 }), "max_ticks", 0],
  ["a warning", tick(), bounds({ warnings: ["near"] }), "budget_warning", 12],
  ["a question", tick({ code: "STOP_QUESTION", task: v.parse(Task, questionTask) }), bounds(), "needs_human", 14],
  ["a question never continues", tick({ code: "STOP_QUESTION" }), bounds({ loop: CONTINUE }), "needs_human", 14],
  ["SIGINT", tick({ code: "STOP_INTERRUPTED", cause: "sigint" }), bounds({ loop: CONTINUE }), "interrupted", 130],
  ["SIGTERM", tick({ code: "STOP_INTERRUPTED", cause: "sigterm" }), bounds(), "interrupted", 143],
  ["SIGHUP", tick({ code: "STOP_INTERRUPTED", cause: "sighup" }), bounds(), "interrupted", 129],
  [
    "another milestone",
    tick({ code: "STOP_INTERRUPTED", cause: "milestone_changed" }),
    bounds({ loop: CONTINUE }),
    "milestone_changed",
    0,
  ],
  ["a stop", tick({ code: "STOP_VERIFY_FAILED_FAST" }), bounds(), "stopped", 10],
  ["a cause of every object", tick({ code: "STOP_INTERRUPTED", cause: "constructor" }), bounds(), "stopped", 10],
  ["a failed session", tick({ code: "STOP_INTERRUPTED", cause: "exit_3" }), bounds(), "stopped", 10],
  ["a tick out of time", tick({ code: "STOP_TICK_TIMEOUT" }), bounds(), "timeout", 10],
  [
    "a limit that is not waited out",
    tick({ code: "STOP_RATE_LIMITED" }),
    bounds({ loop: { ...CONTINUE, on_rate_limit: "stop" } }),
    "stopped",
    13,
  ],
  ["a repeated task", tick({ code: "STOP_BREAKER" }), bounds({ loop: CONTINUE }), "breaker", 10],
  ["a block", tick({ code: "BLOCKED_DIRTY_WORKTREE" }), bounds({ loop: CONTINUE }), "blocked", 11],
  ["a cap", tick({ code: "BLOCKED_BUDGET_CAP" }), bounds({ loop: CONTINUE, warnings: ["w"] }), "blocked", 12],
] as const;

test.each(TABLE)("the series is over after %s", (...[, last, given, end, exit]) => {
  expect(decideAfterTick([tick(), last], given.maxTicks === 1 ? { ...given, maxTicks: 2 } : given)).toMatchObject({
    kind: "end",
    end,
    exit,
  });
});

test.each([
  ["a kept change", tick(), bounds()],
  [
    "a warning that nobody minds",
    tick(),
    bounds({ warnings: ["near"], loop: { ...LOOP, soft_stop_at_warning: false } }),
  ],
  ["a stop, where stops do not halt it", tick({ code: "STOP_VERIFY_FAILED_FAST" }), bounds({ loop: CONTINUE })],
  ["a tick out of time, where stops do not halt it", tick({ code: "STOP_TICK_TIMEOUT" }), bounds({ loop: CONTINUE })],
  ["one empty tick", tick({ task: control("continue"), changed: false }), bounds({ loop: CONTINUE })],
])("the series goes on after %s", (_name, last, given) => {
  expect(decideAfterTick([tick(), last], given)).toEqual({ kind: "go_on" });
});

test("a cause that tells more than its code has a hint of its own", () => {
  const missing = tick({ code: "STOP_INTERRUPTED", cause: "orchestrator_not_found", task: null });
  const over = decideAfterTick([missing], bounds());
  expect(over).toMatchObject({ end: "stopped", hint: expect.stringContaining('relais run "say what to change"') });
  expect(over).not.toMatchObject({ hint: CODES.STOP_INTERRUPTED.remedy });
});

test("a rate limit is waited out and its tick counts for nothing", () => {
  const limited = tick({ code: "STOP_RATE_LIMITED", isCounted: false });
  expect(decideAfterTick([limited], bounds({ maxTicks: 1 }))).toEqual({ kind: "wait" });
  expect(decideAfterTick([limited, tick()], bounds({ maxTicks: 2 }))).toEqual({ kind: "go_on" });
});

test("every end that a tick can bring about has the status of its table, but for what the code itself says", () => {
  for (const [, , , end, exit] of TABLE) {
    const isOfCode = exit === 13 || exit === 12 || exit === 143 || exit === 129;
    expect(isOfCode || SERIES_ENDS[end].exit === exit).toBe(true);
  }
});

const LIMITS = CONTINUE.breakers;
const failed = (given: Partial<SeriesTick> = {}) => tick({ code: "STOP_VERIFY_FAILED_FAST", changed: false, ...given });

test("the same task after it failed trips its breaker, whatever it is called", () => {
  const first = failed();
  const again = v.parse(Task, {
    ...executeTask,
    task_id: "T-99",
    intent: `  ${first.task?.intent?.toUpperCase()}`,
  });
  expect(findRepeatedTask([first], again, LIMITS)?.breaker).toBe("same_task");
  expect(findRepeatedTask([{ ...first, code: "SUCCESS" }], again, LIMITS)).toBeNull();
  expect(findRepeatedTask([{ ...first, isCounted: false }], again, LIMITS)).toBeNull();
  expect(findRepeatedTask([first], v.parse(Task, executeTask), LIMITS)).toBeNull();
  expect(findRepeatedTask([first], again, { ...LIMITS, same_task: 3 })).toBeNull();
  expect(findRepeatedTask([first, first], again, { ...LIMITS, same_task: 3 })?.breaker).toBe("same_task");
});

test.each([
  ["the same code", "same_code", [failed(), failed(), failed()]],
  [
    "failures of the machinery",
    "infrastructure_failures",
    [
      failed({ code: "STOP_INTERRUPTED", cause: "exit_1" }),
      failed({ code: "STOP_BUILDER_TIMEOUT" }),
      failed({ code: "STOP_TICK_TIMEOUT" }),
    ],
  ],
  ["ticks that change nothing", "empty_ticks", [tick({ changed: false }), tick({ changed: false })]],
] as const)("%s in a row trip a breaker, and one tick less or one in between does not", (_name, breaker, ticks) => {
  expect(findTrippedBreaker(ticks, CONTINUE)).toMatchObject({ breaker });
  expect(findTrippedBreaker(ticks.slice(1), CONTINUE)).toBeNull();
  expect(findTrippedBreaker([...ticks.slice(0, -1), tick(), ...ticks.slice(-1)], CONTINUE)).toBeNull();
  const reason = breaker === "empty_ticks" ? "STOP_NO_PROGRESS" : breaker;
  expect(decideAfterTick(ticks, bounds({ loop: CONTINUE }))).toMatchObject({ end: "breaker", reason });
  const uncounted = ticks.map((one) => ({ ...one, isCounted: false }));
  expect(findTrippedBreaker(uncounted, CONTINUE)).toBeNull();
});

const idle = (given: Partial<SeriesTick> = {}) => tick({ code: "STOP_NO_CHANGE", changed: false, ...given });

test.each([["halt", LOOP] as const, ["continue", CONTINUE] as const])(
  "with on_stop %s a tick that changed nothing is counted and does not halt",
  (_name, loop) => {
    expect(decideAfterTick([tick(), idle()], bounds({ loop }))).toEqual({ kind: "go_on" });
    expect(decideAfterTick([idle(), tick(), idle()], bounds({ loop }))).toEqual({ kind: "go_on" });
    const allowed = tick({ changed: false });
    for (const ticks of [
      [idle(), idle()],
      [allowed, idle()],
      [idle(), allowed],
      [allowed, allowed],
    ])
      expect(decideAfterTick(ticks, bounds({ loop }))).toMatchObject({
        end: "breaker",
        reason: "STOP_NO_PROGRESS",
        exit: 10,
      });
    const patient = { ...loop, breakers: { ...loop.breakers, empty_ticks: 9 } };
    expect(decideAfterTick([idle(), idle(), idle(), idle()], bounds({ loop: patient }))).toEqual({
      kind: "go_on",
    });
  },
);

test("a task that changed nothing may come again, for the empty ticks are counted", () => {
  const first = idle();
  expect(first.task && findRepeatedTask([first], first.task, LIMITS)).toBeNull();
});

test("the other breakers wait for a series that goes on after a stop", () => {
  expect(findTrippedBreaker([failed(), failed(), failed()], LOOP)).toBeNull();
});

test("checks alone are not nothing, and other codes in between begin the count again", () => {
  const checked = tick({ changed: false, task: v.parse(Task, verifyOnlyTask) });
  expect(findTrippedBreaker([checked, checked, checked], CONTINUE)).toBeNull();
  expect(findTrippedBreaker([failed(), failed({ code: "STOP_DIFF_TOO_LARGE" }), failed()], CONTINUE)).toBeNull();
});

test("a hint comes with every breaker", () => {
  for (const code of ["STOP_DIFF_TOO_LARGE", "STOP_VERIFY_FAILED_SLOW"] as const) {
    const ticks = [failed({ code }), failed({ code }), failed({ code })];
    expect(findTrippedBreaker(ticks, CONTINUE)?.hint).toBe(CODES[code].remedy);
  }
});
