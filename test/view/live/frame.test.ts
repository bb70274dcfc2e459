/** Frames of the live view, as they are seen: what is kept at each size, and what nobody can do to them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CampaignSettings } from "../../../src/contract/campaign.ts";
import type { TickEvent } from "../../../src/contract/event.ts";
import type { SeriesOptions } from "../../../src/contract/series.ts";
import type { TreeNode } from "../../../src/contract/tree.ts";
import { frame } from "../../../src/view/live/frame.ts";
import { colouredStyle, plainStyle } from "../../../src/view/style.ts";
import { displayWidth } from "../../../src/view/wrap-text.ts";
import { CONTRACT } from "../../support/campaign-world.ts";
import { LOOP, telling, type Telling, tickOf, until } from "../../support/live.ts";

interface Size {
  readonly columns?: number;
  readonly rows?: number;
}

const linesOf = ({ model, now }: Telling, { columns = 80, rows = 24 }: Size = {}): readonly string[] =>
  frame(model(), { columns, rows, now: now(), style: plainStyle });

/** As a block of text, for people to read in this file. */
const shown = (told: Telling, size: Size = {}): string => `\n${linesOf(told, size).join("\n")}\n`;

/** The third tick of a loop, while the builder works. */
function building(): Telling {
  const told = telling("loop");
  told.recordAll(tickOf("committed", LOOP));
  told.recordAll(tickOf("outsideScope", LOOP));
  told.see({ kind: "limits", limits: { orchestrator: null, builder: 600_000, reviewer: null } });
  told.recordAll(until(tickOf("committed", LOOP), "build_started"));
  told.say("builder", { type: "text", text: "I look at the parser first." });
  told.say("builder", { type: "tool_call", tool: "Read", target: "src/x.ts" });
  told.say("builder", {
    type: "usage",
    inputTokens: 48_213,
    cachedInputTokens: 40_000,
    outputTokens: 812,
    costUsd: 0.0731,
  });
  told.wait(61_000);
  told.say("builder", { type: "tool_call", tool: "Edit", target: "src/x.ts" });
  told.wait(4000);
  return told;
}

describe("a loop, at every width", () => {
  test("80 columns", () => {
    expect(shown(building())).toMatchInlineSnapshot(`
      "

      relais loop  tick 3 of 5                                                    1:10
      ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report

        task         Set x to 2.
        builder      ▸ Edit src/x.ts                                              0:04
                     “I look at the parser first.”
                     claude_code · 2 tool calls · 48.2k tokens in, 812 out · $0.07
        time         █░░░░░░░░░ tick 1:10 of 15:00   ██░░░░░░░░ session 1:06 of 10:00

        budget       █░░░░░ 3/200 ticks   █░░░░░ 3/200 builds   █░░░░░ 2/600 checks
                     $0.25 reported

        last         ✗ STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED Set x to 2.         10.0 s
                     ✓ Set x to 2.                                              11.0 s
      "
    `);
  });

  test("40 columns", () => {
    expect(shown(building(), { columns: 40 })).toMatchInlineSnapshot(`
      "

      relais loop  tick 3 of 5            1:10
      ✓ ▸ · · · · · build

      task         Set x to 2.
      builder      ▸ Edit src/x.ts        0:04
                   “I look at the parser firs…
                   claude_code · 2 tool calls…
      time         █░░░░░░░░░ tick 1:10 of 15…
                   ██░░░░░░░░ session 1:06 of…

      budget       █░░░░░ 3/200 ticks
                   █░░░░░ 3/200 builds
                   █░░░░░ 2/600 checks
                   $0.25 reported

      last         ✗ STOP_SCOPE_VIOLA…  10.0 s
                   ✓ Set x to 2.        11.0 s
      "
    `);
  });

  test("120 columns", () => {
    expect(shown(building(), { columns: 120 })).toMatchInlineSnapshot(`
      "

      relais loop  tick 3 of 5  20260301T120000Z-0000aaaa                                                                 1:10
      ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report

        task         Set x to 2.
        builder      ▸ Edit src/x.ts                                                                                      0:04
                     “I look at the parser first.”
                     claude_code · 2 tool calls · 48.2k tokens in, 812 out · $0.07
        time         █░░░░░░░░░ tick 1:10 of 15:00   ██░░░░░░░░ session 1:06 of 10:00

        budget       █░░░░░ 3/200 ticks   █░░░░░ 3/200 builds   █░░░░░ 2/600 checks   $0.25 reported

        last         ✗ STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED Set x to 2.                                                 10.0 s
                     ✓ Set x to 2.                                                                                      11.0 s
      "
    `);
  });

  test("200 columns", () => {
    expect(shown(building(), { columns: 200 })).toMatchInlineSnapshot(`
      "

      relais loop  tick 3 of 5  20260301T120000Z-0000aaaa                                                                 1:10
      ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report

        task         Set x to 2.
        builder      ▸ Edit src/x.ts                                                                                      0:04
                     “I look at the parser first.”
                     claude_code · 2 tool calls · 48.2k tokens in, 812 out · $0.07
        time         █░░░░░░░░░ tick 1:10 of 15:00   ██░░░░░░░░ session 1:06 of 10:00

        budget       █░░░░░ 3/200 ticks   █░░░░░ 3/200 builds   █░░░░░ 2/600 checks   $0.25 reported

        last         ✗ STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED Set x to 2.                                                 10.0 s
                     ✓ Set x to 2.                                                                                      11.0 s
      "
    `);
  });

  test("39 columns are two lines", () => {
    expect(shown(building(), { columns: 39 })).toMatchInlineSnapshot(`
      "
      build 1:10 tick 3 of 5
      ▸ Edit src/x.ts
      "
    `);
  });
});

describe("at every height", () => {
  test("3 rows are two lines, and 1 is one", () => {
    expect(shown(building(), { rows: 3 })).toMatchInlineSnapshot(`
      "
      build 1:10 tick 3 of 5
      ▸ Edit src/x.ts
      "
    `);
    expect(linesOf(building(), { rows: 1 })).toHaveLength(1);
  });

  test("8 rows keep what matters most", () => {
    expect(shown(building(), { rows: 8 })).toMatchInlineSnapshot(`
      "
      relais loop  tick 3 of 5                                                    1:10
      ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report
        task         Set x to 2.
        builder      ▸ Edit src/x.ts                                              0:04
                     “I look at the parser first.”
        time         █░░░░░░░░░ tick 1:10 of 15:00   ██░░░░░░░░ session 1:06 of 10:00
        budget       █░░░░░ 3/200 ticks   █░░░░░ 3/200 builds   █░░░░░ 2/600 checks
        last         ✗ STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED Set x to 2.         10.0 s
      "
    `);
  });

  test("60 rows are not filled for their own sake", () => {
    expect(linesOf(building(), { rows: 60 })).toEqual(linesOf(building(), { rows: 24 }));
  });
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
        now          looks whether a tick can begin
    preflight_passed
      ▸ plan   · build   · judge   · verify   · review   · settle   · report
        now          remembers the repository as it is
    prepared
      ▸ plan   · build   · judge   · verify   · review   · settle   · report
        now          reads the task
    planned
      ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report
        now          prepares the builder
    build_started
      ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report
        builder      has begun
    build_ended
      ✓ plan   ✓ build   ▸ judge   · verify   · review   · settle   · report
        now          measures what changed, and judges it
    judged
      ✓ plan   ✓ build   ✓ judge   ▸ verify   · review   · settle   · report
        now          runs the checks: lint, test
    verified
      ✓ plan   ✓ build   ✓ judge   ✓ verify   – review   ▸ settle   · report
        now          commits what was judged
    settle_started
      ✓ plan   ✓ build   ✓ judge   ✓ verify   – review   ▸ settle   · report
        now          commits what was judged
    settled
      ✓ plan   ✓ build   ✓ judge   ✓ verify   – review   ✓ settle   ▸ report
        now          writes the report
    reported
      ✓ plan   ✓ build   ✓ judge   ✓ verify   – review   ✓ settle   ▸ report
        now          writes the report
    tick_ended
        now          it is over
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
      now          puts the repository back, and proves it
      time         █░░░░░░░░░ tick 0:08 of 15:00

      budget       █░░░░░ 1/200 ticks   █░░░░░ 1/200 builds   $0.12 reported
    "
  `);
});

test("before anything is recorded", () => {
  expect(shown(telling("loop"))).toMatchInlineSnapshot(`
    "

    relais loop  getting ready

      now          chooses what comes next
    "
  `);
});

test("a wait is a countdown", () => {
  const told = telling("loop");
  told.recordAll(tickOf("rateLimited", LOOP));
  const until_ = new Date(told.now() + 600_000).toISOString();
  told.record({ type: "series_waiting", until: until_ });
  told.wait(200_000);
  expect(shown(told)).toMatchInlineSnapshot(`
    "

    relais loop  tick 1 of 5

      wait         ████░░░░░░ waits for a rate limit, 6:39 left
                   until 12:10:11 UTC; it goes on by itself

      last         … STOP_RATE_LIMITED Set x to 2.                            10.0 s
    "
  `);
  expect(shown(told, { rows: 2 })).toMatchInlineSnapshot(`
    "
    relais tick 1 of 5
    … waits for a rate limit, 6:39 left
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
      now          puts the repository back, and proves it
      time         █░░░░░░░░░ tick 0:06 of 15:00

      budget       █░░░░░ 1/200 ticks   █░░░░░ 1/260 plans
    "
  `);
  expect(shown(told, { columns: 30 })).toMatchInlineSnapshot(`
    "
    settle 0:06 tick 1 of 5
    ? Which name is wanted? Both …
    "
  `);
});

const GOAL: SeriesOptions = {
  command: "goal",
  mode: null,
  max_ticks: null,
  goal: {
    objective: "Every price is rounded the same way, and a test says so.",
    criteria: null,
    max_turns: 8,
    review_quorum: 2,
    reviewers: ["completion", "evidence", "risk"],
    blocker_threshold: 2,
    base: { ref: "origin/main", commit: "a".repeat(40) },
  },
};

const REVIEW = {
  role: "reviewer",
  reviewers: ["completion", "evidence", "risk"],
  quorum: 2,
  of_red: false,
} as const;

test("a goal shows its turn, and its reviewers waiting and voted", () => {
  const told = telling("goal");
  told.recordAll(until(tickOf("committed", GOAL, { workflow: "goal", review: REVIEW }), "verified"));
  told.record({
    type: "review_started",
    driver: "claude_code",
    sessions: REVIEW.reviewers.map((reviewer) => ({ reviewer, dispatch: `d-${reviewer}` })),
  });
  told.say("reviewer risk", { type: "tool_call", tool: "Read", target: "src/price.ts" });
  told.record({
    type: "review_answered",
    reviews: [
      {
        name: "completion",
        vote: "approve",
        cause: null,
        decision: null,
        explanation: "Each call is rounded.",
        reasons: [],
        wrote: [],
        duration_ms: 900,
        usage: null,
      },
    ],
  });
  told.wait(3000);
  expect(shown(told)).toMatchInlineSnapshot(`
    "

    relais goal  turn 1 of 8, work                                              0:13
    ✓ plan   ✓ build   ✓ judge   ✓ verify   ▸ review   · settle   · report

      goal         Every price is rounded the same way, and a test says so.
      completion   ✓ approves: Each call is rounded.
      evidence     ○ has begun                                                  0:05
      risk         ▸ Read src/price.ts                                          0:04
      time         █░░░░░░░░░ tick 0:13 of 15:00

      budget       █░░░░░ 1/200 ticks   █░░░░░ 1/200 builds   █░░░░░ 2/600 checks
                   █░░░░░ 3/600 reviews   $0.12 reported
    "
  `);
});

const CAMPAIGN: SeriesOptions = {
  command: "campaign lines",
  mode: null,
  max_ticks: null,
  campaign: {
    ...CONTRACT,
    iteration_unit: "story",
    verify_mode: "per-story",
    max_iterations: 9,
    verifiers: ["verifier"],
    limits: {
      same_criterion: 2,
      distinct_criteria: 3,
      context_unchanged: 3,
      request_info: 2,
      max_restarts: 3,
    },
    base: "0".repeat(40),
  } satisfies CampaignSettings,
};

test("a campaign shows its stories and the one that is worked on", () => {
  const told = telling("campaign run lines");
  told.recordAll(until(tickOf("committed", CAMPAIGN, { workflow: "campaign" }), "build_started"));
  told.say("builder", { type: "thinking", text: "Which file holds the lines?" });
  expect(shown(told)).toMatchInlineSnapshot(`
    "

    relais campaign run lines  iteration 1 of 9, work                           0:05
    ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report

      task         Set x to 2.
      builder      … thinks: Which file holds the lines?
                   claude_code
      time         █░░░░░░░░░ tick 0:05 of 15:00

      stories      0 of 2 verified; working on US-001
                   ▸ US-001  The first line
                   ○ US-002  The second line

      budget       █░░░░░ 1/200 ticks   █░░░░░ 1/200 builds
    "
  `);
});

function node(id: string, over: Partial<TreeNode> = {}): TreeNode {
  return {
    id,
    order: 0,
    title: `What ${id} is about`,
    goal: "Do it.",
    acceptance: [],
    passes: false,
    attempts: 0,
    max_attempts: 3,
    children: [],
    ...over,
  };
}

const TREE_OPTIONS: SeriesOptions = { command: "tree", mode: null, max_ticks: null };

function growing(root: TreeNode): Telling {
  const told = telling("tree run");
  told.see({ kind: "tree", tree: { version: 1, root }, maxIterations: 50 });
  told.recordAll(until(tickOf("committed", TREE_OPTIONS, { workflow: "tree" }), "build_started"));
  return told;
}

test("a tree shows the way to its leaf, what passes and what failed", () => {
  const parser = node("parser", {
    children: [
      node("lexer", { passes: true }),
      node("grammar", { order: 1, attempts: 2 }),
      node("errors", { order: 2 }),
    ],
  });
  const later = node("printer", { order: 1, children: [node("wide"), node("narrow")] });
  expect(shown(growing(node("root", { children: [parser, later] })))).toMatchInlineSnapshot(`
    "

    relais tree run  iteration 1 of 50                                          0:05
    ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report

      task         Set x to 2.
      builder      has begun
                   claude_code
      time         █░░░░░░░░░ tick 0:05 of 15:00

      tree         1 of 8 nodes pass
                   ○ root  What root is about
                     ○ parser  What parser is about
                       ✓ lexer  What lexer is about
                       ▸ grammar  2 of 3 attempts failed  What grammar is about
                       ○ errors  What errors is about
                     ○ printer  +2  What printer is about

      budget       █░░░░░ 1/200 ticks   █░░░░░ 1/200 builds
    "
  `);
});

test("a huge tree is a window around its leaf", () => {
  const many = Array.from({ length: 900 }, (_, index) =>
    node(`n${String(index).padStart(3, "0")}`, {
      passes: index < 450,
      children: [node(`c${index}`, { passes: index < 450 })],
    }),
  );
  const told = growing(node("root", { children: [node("half", { children: many })] }));
  expect(shown(told, { rows: 15 })).toMatchInlineSnapshot(`
    "
    relais tree run  iteration 1 of 50                                          0:05
    ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report
      task         Set x to 2.
      builder      has begun
                   claude_code
      time         █░░░░░░░░░ tick 0:05 of 15:00
      tree         900 of 1802 nodes pass
                   ○ root  What root is about
                     ○ half  What half is about
                       ✓ n449  +1  What n449 is about
                       ○ n450  What n450 is about
                         ▸ c450  What c450 is about
                       ○ n451  +1  What n451 is about
                       ○ n452  +1  What n452 is about
      budget       █░░░░░ 1/200 ticks   █░░░░░ 1/200 builds
    "
  `);
  expect(linesOf(told, { rows: 60 }).length).toBeLessThan(40);
});

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
      time         █░░░░░░░░░ tick 1:10 of 15:00   ██░░░░░░░░ session 1:06 of 10:00

      budget       █░░░░░ 3/200 ticks   █░░░░░ 3/200 builds   █░░░░░ 2/600 checks
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
        const lines = frame(told.model(), place);
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) {
          expect(displayWidth(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        }
        expect(frame(told.model(), place)).toEqual(lines);
        const dressed = frame(told.model(), { ...place, style: colouredStyle });
        expect(dressed.map((line) => line.replaceAll(/\u001B\[\d+m/g, "").trimEnd())).toEqual(lines);
      },
    ),
    { numRuns: 200 },
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
  told.see({
    kind: "recorded",
    line: {
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
