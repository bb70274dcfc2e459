/** Frames of the live view: each phase, what a person has to notice, and what nobody can do to them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { TickEvent } from "../../src/records/event.ts";
import { renderFrame } from "../../src/cards/frame.ts";
import { colouredStyle, plainStyle } from "../../src/base/style.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";
import { building, GOAL, linesOf, LOOP, shown, telling, tickOf, until } from "../support/live.ts";
import { runs } from "../support/runs.ts";

test("a held change says so, and the time of its tick stands still", () => {
  const told = telling("run");
  const ask = { ask: { timeout_seconds: 86_400 } };
  told.recordAll(until(tickOf("accepted", null, ask), "verified"));
  told.record({ type: "asked", question: "q", until: "2026-03-02T12:00:08.000Z" });
  const before = linesOf(told).filter((line) => line.includes(" tick 0"));
  told.wait(3_600_000);
  expect(shown(told)).toMatch(/waiting for your decision until 2026-03-0\d \d\d:\d\d$/mu);
  expect(linesOf(told).filter((line) => line.includes(" tick 0"))).toEqual(before);
  told.record({ type: "decided", question: "q", decision: "accept", message: null });
  expect(linesOf(told).filter((line) => line.includes(" tick 0"))).toHaveLength(before.length);
  expect(before).toHaveLength(1);
});

test("each phase of a tick", () => {
  const told = telling("run");
  const phases = tickOf("committed", null).map((event) => {
    told.record(event);
    const lines = linesOf(told).filter((line) => /plan|now|builder/.test(line));
    return `${event.type}\n${lines.map((line) => `  ${line}`).join("\n")}`;
  });
  expect(`\n${phases.join("\n")}\n`).toMatchInlineSnapshot(`
    "
    tick_started
      ▸ plan   · build   · judge   · verify   · review   · settle   · report
        now          Starting
    preflight_passed
      ▸ plan   · build   · judge   · verify   · review   · settle   · report
        now          Taking a snapshot
    prepared
      ▸ plan   · build   · judge   · verify   · review   · settle   · report
        now          reading the task
    planned
      ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report
        now          starting the builder
    build_started
      ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report
        builder      starting
    build_ended
      ✓ plan   ✓ build   ▸ judge   · verify   · review   · settle   · report
        now          checking the change against the rules
    judged
      ✓ plan   ✓ build   ✓ judge   ▸ verify   · review   · settle   · report
        now          running checks: lint, test
    verified
      ✓ plan   ✓ build   ✓ judge   ✓ verify   – review   ▸ settle   · report
        now          committing
    settle_started
      ✓ plan   ✓ build   ✓ judge   ✓ verify   – review   ▸ settle   · report
        now          committing
    settled
      ✓ plan   ✓ build   ✓ judge   ✓ verify   – review   ✓ settle   ▸ report
        now          writing the report
    reported
      ✓ plan   ✓ build   ✓ judge   ✓ verify   – review   ✓ settle   ▸ report
        now          writing the report
    tick_ended
        now          done
    "
  `);
});

test("what went wrong and what was passed over is seen in the strip", () => {
  const told = telling("run");
  told.recordAll(until(tickOf("outsideScope", null), "settle_started"));
  expect(shown(told)).toMatchInlineSnapshot(`
    "

    relais run  one tick                                                        0:08
    ✓ plan   ✓ build   ✗ judge   – verify   – review   ▸ settle   · report

      task         Set x to 2.
      now          reverting the change
      time         ▏░░░░░░░░░ tick 0:08 of 15:00

      budget       ░░░░░░ 1/1000 ticks   ░░░░░░ 1/600 builds   $0.12 reported
    "
  `);
});

test("before anything is recorded", () => {
  expect(shown(telling("loop"))).toMatchInlineSnapshot(`
    "

    relais loop  starting

      now          choosing the next task
    "
  `);
});

test("a wait is a countdown", () => {
  const told = telling("loop");
  told.recordAll(tickOf("rateLimited", LOOP));
  const lifted = new Date(told.now() + 600_000).toISOString();
  told.record({ type: "series_waiting", until: lifted });
  told.wait(200_000);
  expect(shown(told)).toMatchInlineSnapshot(`
    "

    relais loop  tick 1 of 5

      wait         ███▍░░░░░░ waiting for a rate limit, 6:39 left
                   until 12:10:11 UTC; relais continues by itself

      last         … STOP_RATE_LIMITED Set x to 2.                            10.0 s
    "
  `);
  expect(shown(told, { rows: 2 })).toMatchInlineSnapshot(`
    "
    relais tick 1 of 5
    … waiting for a rate limit, 6:39 left
    "
  `);
});

test("a question is a question", () => {
  const told = telling("loop");
  told.recordAll(until(tickOf("question", LOOP), "settle_started"));
  expect(shown(told)).toMatchInlineSnapshot(`
    "

    relais loop  tick 1 of 5                                                    0:06
    ✓ plan   – build   ✓ judge   – verify   – review   ▸ settle   · report

      question     ? Which name is wanted? Both exist.
                   old / new
                   answer with \`relais answer "..."\`
      task         Ask which one is wanted.
      now          reverting the change
      time         ▏░░░░░░░░░ tick 0:06 of 15:00

      budget       ░░░░░░ 1/1000 ticks   ░░░░░░ 1/650 plans
    "
  `);
  expect(shown(told, { columns: 30 })).toMatchInlineSnapshot(`
    "
    settle 0:06 tick 1 of 5
    ? Which name is wanted? Both …
    "
  `);
});

const DRESS = /\p{Cc}\[\d+m/gu;
const HOSTILE = "\u001B[2J\u001B]0;owned\u0007\r\n\u202Eevil\u200B\u0000 \u001B[31mred 日本語".repeat(3);

test("text of an agent is harmless, and never breaks a line", () => {
  const told = building();
  told.say("builder", { type: "text", text: HOSTILE });
  told.say("builder", { type: "tool_call", tool: HOSTILE, target: HOSTILE });
  expect(shown(told)).toMatchInlineSnapshot(`
    "

    relais loop  tick 3 of 5                                                    1:10
    ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report

      task         Set x to 2.
      builder      ▸ \\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{d}\\u{a}\\u{202e}evil\\u{200b}\\u…
                   “\\u{1b}[2J\\u{1b}]0;owned\\u{7} \\u{202e}evil\\u{200b}\\u{0} \\u{1b}[3…
                   claude_code · 3 tool calls · 48.2k tokens in, 812 out · $0.07
      time         ▊░░░░░░░░░ tick 1:10 of 15:00   █▏░░░░░░░░ session 1:06 of 10:00

      budget       ░░░░░░ 3/1000 ticks   ░░░░░░ 3/600 builds   ░░░░░░ 2/6000 checks
                   $0.25 reported

      last         ✗ STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED Set x to 2.         10.0 s
                   ✓ Set x to 2.                                              11.0 s
    "
  `);
});

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(HOSTILE, "日本語のとても長い文".repeat(9), "👩‍👩‍👧‍👦 family", "a".repeat(500), "ㄅㄆㄇ 豈 ꀀ㌀"),
);
const agentEvent = fc.oneof(
  text.map((words) => ({ type: "text", text: words }) as const),
  text.map((words) => ({ type: "thinking", text: words }) as const),
  text.map((words) => ({ type: "output", text: words }) as const),
  fc.tuple(text, text).map(([tool, target]) => ({ type: "tool_call", tool, target }) as const),
  fc.tuple(text, text).map(([tool, words]) => ({ type: "tool_error", tool, text: words }) as const),
  text.map((reason) => ({ type: "retry", attempt: 2, reason }) as const),
);
const kind = fc.constantFrom(
  "accepted",
  "committed",
  "outsideScope",
  "question",
  "rateLimited",
  "dirty",
  "rollbackFailed",
);

test("a frame never has more lines than rows, no line is wider than the columns, and none moves the cursor", () => {
  fc.assert(
    fc.property(
      fc.record({
        kinds: fc.array(kind, { minLength: 1, maxLength: 4 }),
        kept: fc.nat({ max: 12 }),
        said: fc.array(agentEvent, { maxLength: 4 }),
        columns: fc.integer({ min: 1, max: 220 }),
        rows: fc.integer({ min: 0, max: 70 }),
        later: fc.nat({ max: 100_000_000 }),
        isGoal: fc.boolean(),
      }),
      ({ kinds, kept, said, columns, rows, later, isGoal }) => {
        const told = telling("loop");
        const options = isGoal ? GOAL : LOOP;
        const over = isGoal ? { workflow: "goal" } : {};
        for (const one of kinds.slice(0, -1)) told.recordAll(tickOf(one, options, over));
        told.recordAll(tickOf(kinds.at(-1) ?? "accepted", options, over).slice(0, 1 + kept));
        for (const event of said) told.say("builder", event);
        told.wait(later);
        const place = { columns, rows, now: told.now(), style: plainStyle };
        const lines = renderFrame(told.model(), place);
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) {
          expect(measureDisplayWidth(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        }
        expect(renderFrame(told.model(), place)).toEqual(lines);
        const dressed = renderFrame(told.model(), { ...place, style: colouredStyle });
        expect(dressed.map((line) => line.replaceAll(DRESS, "").trimEnd())).toEqual(lines);
      },
    ),
    runs(200),
  );
}, 60_000);

test("an event of another tick, or of one whose beginning nobody saw, changes nothing", () => {
  const told = building();
  const before = told.model();
  const stray: TickEvent = {
    type: "tick_ended",
    verdict: "success",
    code: "SUCCESS",
    cause: null,
    counted: true,
  };
  told.emit({
    kind: "recorded",
    line: {
      version: 1,
      seq: 99,
      at: "2026-03-01T13:00:00.000Z",
      run_id: "20260301T120000Z-ffffffff",
      series_id: "20260301T120000Z-ffffffff",
      prev: null,
      event: stray,
    },
  });
  expect(told.model()).toEqual(before);
});
