/** A turn that only leads to the next one alarms nobody, in any view; a real failure does. */
import { expect, test } from "vitest";
import type { TickEvent } from "../../../src/records/event.ts";
import { findOpenTurn } from "../../../src/tick/pure/tick-turn.ts";
import { evolve } from "../../../src/tick/pure/evolve.ts";
import { START } from "../../../src/tick/pure/tick-state.ts";
import { renderHistoryList } from "../../../src/cards/history-text.ts";
import { renderTickLine } from "../../../src/cards/series-text.ts";
import { renderSeriesCard } from "../../../src/cards/series-card.ts";
import { renderTickCard } from "../../../src/cards/tick-card.ts";
import { colouredStyle, plainStyle } from "../../../src/base/style.ts";
import { GOAL, linesOf, telling } from "../../support/live.ts";
import { whole } from "../../support/journals.ts";
import { summaryOf } from "../../support/summaries.ts";
import { verifyOnlyTask } from "../../support/tasks.ts";
import { reportOf, RUN, TICKS } from "../../support/ticks.ts";

type Vote = "approve" | "refuse" | "none";
type Workflow = "relay" | "goal" | "campaign" | "tree";

const NOTHING = { files_touched: 0, lines_added: 0, lines_deleted: 0, new_files: 0 };
const NAMES = ["completion", "evidence", "risk"];

function reviewsOf(votes: readonly Vote[]) {
  return votes.map((vote, index) => ({
    name: NAMES[index] ?? "more",
    vote,
    cause: vote === "none" ? "timeout" : null,
    decision: null,
    explanation: vote === "approve" ? "Proven." : "A test is missing.",
    reasons: [],
    wrote: [],
    duration_ms: 900,
    usage: null,
  }));
}

/** The tick in which reviewers look at the second turn; the last event is the rollback. */
function reviewTick(workflow: Workflow, votes: readonly Vote[], quorum = votes.length): readonly TickEvent[] {
  const task_id = { campaign: "verify-002-US-1", goal: "review-turn-2", relay: "T-1", tree: "T-1" }[workflow];
  const reviewers = votes.map((_, index) => NAMES[index] ?? "more");
  return TICKS.committed.flatMap((event): TickEvent[] => {
    if (event.type === "tick_started")
      return [
        {
          ...event,
          workflow,
          ...(workflow === "goal" ? { series: GOAL } : {}),
          review: { role: "reviewer", reviewers, quorum, of_verify_only: true },
        },
      ];
    if (event.type === "planned")
      return [
        {
          ...event,
          task: {
            ...verifyOnlyTask,
            scope: { ...verifyOnlyTask.scope, allowed_globs: ["src/**"], forbidden_globs: [] },
            verification: { fast: ["lint"], slow: ["test"] },
            task_id,
            intent: "Review: every price is rounded.",
          },
        },
      ];
    if (event.type === "build_started" || event.type === "build_ended") return [];
    if (event.type === "judged")
      return [{ ...event, touched_paths: [], touched_paths_total: 0, blast_radius: NOTHING }];
    if (event.type === "verified") {
      const sessions = reviewers.map((reviewer) => ({ reviewer, dispatch: `d-${reviewer}` }));
      const refused = { code: "STOP_REVIEW_REFUSED", cause: "no_quorum", message: "risk: A test is missing." } as const;
      return [
        event,
        { type: "review_started", driver: "claude_code", sessions },
        { type: "reviewed", ...refused, reviews: reviewsOf(votes) },
      ];
    }
    if (event.type === "settle_started") return [{ ...event, action: "rollback" }];
    return event.type === "settled" ? [{ ...event, action: "rollback", commit: null, branch: null }] : [event];
  });
}

const turnOf = (events: readonly TickEvent[]) => findOpenTurn(events.reduce(evolve, START));

test.each<[{ workflow: Workflow; votes: readonly Vote[]; quorum: number }, string | null]>([
  [{ workflow: "goal", votes: ["approve", "refuse"], quorum: 2 }, "Turn 2: not yet, 1 of 2 reviewers agree"],
  [
    { workflow: "goal", votes: ["approve", "refuse", "none"], quorum: 2 },
    "Turn 2: not yet, 1 of 3 reviewers agree, 2 needed",
  ],
  [{ workflow: "campaign", votes: ["refuse"], quorum: 1 }, "Iteration 2: not yet, 0 of 1 verifiers agree"],
  [{ workflow: "goal", votes: ["none", "none"], quorum: 2 }, null],
  [{ workflow: "campaign", votes: ["approve", "none"], quorum: 2 }, null],
  [{ workflow: "relay", votes: ["approve", "refuse"], quorum: 2 }, null],
  [{ workflow: "tree", votes: ["refuse"], quorum: 1 }, null],
])("%j: %s", ({ workflow, votes, quorum }, words) => {
  expect(turnOf(reviewTick(workflow, votes, quorum))).toBe(words);
});

test("a failed check, a broken rule and an interruption of a goal stay failures", () => {
  for (const name of ["failedCheck", "outsideScope", "interrupted", "rateLimited"] as const) {
    const events = TICKS[name].map((event) =>
      event.type === "tick_started" ? { ...event, workflow: "goal" as const } : event,
    );
    expect(turnOf(events)).toBeNull();
  }
});

const notYet = reviewTick("goal", ["approve", "refuse"]);
const RED = "\u001b[31m";

test("the tick line, the card, the history and the series say it in words and without red", () => {
  const coloured = { style: colouredStyle, columns: 100 };
  const report = reportOf(notYet);
  expect(renderTickLine(report, { style: plainStyle, columns: 100 })).toMatchInlineSnapshot(`
    "○ Turn 2: not yet, 1 of 2 reviewers agree  Review: every price is rounded.; 2 min 05 s;
        STOP_REVIEW_REFUSED
        risk: A test is missing.
    "
  `);
  expect(renderTickCard(report, { style: plainStyle, columns: 80 })).toMatchInlineSnapshot(`
    "○ Turn 2: not yet, 1 of 2 reviewers agree

      task       Review: every price is rounded.
      change     no change
      checks     ✓ lint 840 ms, test 1 min 05 s
      review     ✓ completion approves: Proven.
                 ○ evidence refuses: A test is missing.
      time       2 min 05 s
      code       STOP_REVIEW_REFUSED (no_quorum)

    Next: relais history show 20260131T235959Z-0123abcd  full report
    "
  `);
  const turn = turnOf(notYet);
  const row = { runId: RUN, startedAt: report.started_at, code: report.code, intent: "Review: x", turn };
  expect(renderHistoryList([row], { style: plainStyle, columns: 120 })).toMatch(
    /○ STOP_REVIEW_REFUSED {2}Turn 2: not yet, 1 of 2 reviewers agree\. Review: x/,
  );
  const texts = [
    renderTickLine(report, coloured),
    renderTickCard(report, coloured),
    renderHistoryList([row], coloured),
  ];
  for (const text of texts) expect(text).not.toContain(RED);
  const real = reportOf(reviewTick("goal", ["none", "none"]));
  expect(renderTickCard(real, coloured)).toContain(`${RED}✗`);
  const ticks = { total: 4, success: 2, attempts: 0, stop: 2, blocked: 0, not_yet: 1 };
  expect(renderSeriesCard({ ...summaryOf("interrupted"), ticks }, coloured)).toContain(
    "4: 2 kept, 1 not yet, 1 stopped, 0 blocked",
  );
});

test("the live view marks the step and the turn as open", () => {
  const told = telling("goal");
  const events = whole(notYet);
  told.recordAll(events.slice(0, events.findIndex(({ type }) => type === "settle_started") + 1));
  expect(linesOf(told).find((line) => line.includes("review"))).toMatch(/✓ verify {3}○ review {3}▸ settle/);
  told.recordAll(events.slice(events.findIndex(({ type }) => type === "settle_started") + 1));
  expect(linesOf(told).find((line) => line.includes("  last "))).toMatch(
    /last {9}○ Turn 2: not yet, 1 of 2 reviewers agree\. Review: every/,
  );
});
