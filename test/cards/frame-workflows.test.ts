/** What each workflow shows of itself. */
import { expect, test } from "vitest";
import type { CampaignSettings } from "../../src/records/campaign.ts";
import type { SeriesOptions } from "../../src/records/series.ts";
import type { TreeNode } from "../../src/records/tree.ts";
import { CONTRACT } from "../support/campaign-contract.ts";
import { GOAL, linesOf, shown, telling, type Telling, tickOf, until } from "../support/live.ts";

const REVIEW = {
  role: "reviewer",
  reviewers: ["completion", "evidence", "risk"],
  quorum: 2,
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
      evidence     ○ starting                                                   0:05
      risk         ▸ Read src/price.ts                                          0:04
      time         ▏░░░░░░░░░ tick 0:13 of 15:00

      budget       ░░░░░░ 1/1000 ticks   ░░░░░░ 1/600 builds   ░░░░░░ 2/6000 checks
                   ░░░░░░ 3/2000 reviews   $0.12 reported
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
      time         ░░░░░░░░░░ tick 0:05 of 15:00

      stories      0 of 2 verified; working on US-001
                   ▸ US-001  The first line
                   ○ US-002  The second line

      budget       ░░░░░░ 1/1000 ticks   ░░░░░░ 1/600 builds
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
  told.emit({ kind: "tree", tree: { version: 1, root }, maxIterations: 50 });
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
      builder      starting
                   claude_code
      time         ░░░░░░░░░░ tick 0:05 of 15:00

      tree         1 of 8 nodes pass
                   ○ root  What root is about
                     ○ parser  What parser is about
                       ✓ lexer  What lexer is about
                       ▸ grammar  2 of 3 attempts failed  What grammar is about
                       ○ errors  What errors is about
                     ○ printer  +2  What printer is about

      budget       ░░░░░░ 1/1000 ticks   ░░░░░░ 1/600 builds
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
      builder      starting
                   claude_code
      time         ░░░░░░░░░░ tick 0:05 of 15:00
      tree         900 of 1802 nodes pass
                   ○ root  What root is about
                     ○ half  What half is about
                       ✓ n449  +1  What n449 is about
                       ○ n450  What n450 is about
                         ▸ c450  What c450 is about
                       ○ n451  +1  What n451 is about
                       ○ n452  +1  What n452 is about
      budget       ░░░░░░ 1/1000 ticks   ░░░░░░ 1/600 builds
    "
  `);
  expect(linesOf(told, { rows: 60 }).length).toBeLessThan(40);
});
