import { describe, expect, test } from "vitest";
import { inGoalWorld, summaryIn } from "../support/goal-world.ts";

const TURN = ["worker", "completion", "evidence", "risk"];

describe("a goal", () => {
  test.concurrent("is reached after two turns, with a checkpoint for each and everything told", () =>
    inGoalWorld(
      {
        reviewers: '*) if [ "$turn" = 2 ]; then vote complete; else vote continue "" "the second line"; fi ;;',
      },
      async ({ world, goal, ledger, sessions, prompt }) => {
        const { status, summary, stdout, stderr } = await goal("Two more lines in main.ts");
        expect(stderr).toBe("");
        expect(stdout.trim().split("\n")).toHaveLength(5);
        expect({ status, summary }).toMatchObject({
          status: 0,
          summary: {
            kind: "goal_summary",
            status: "complete",
            approved: true,
            turns_completed: 2,
            iterations_completed: 2,
            remaining_work: "none",
            end: "complete",
            exit_status: 0,
          },
        });
        expect(sessions()).toEqual([...TURN, ...TURN]);
        expect(world.read("src/main.ts")).toContain("line 1\nline 2\n");
        expect(world.git("status", "--porcelain")).toBe("");
        expect(summary.commits).toHaveLength(2);
        const { goal_id } = summary;
        expect(world.read(`relais/goals/${goal_id}/work-turn-2.md`)).toBe("Wrote line 2.\n");
        expect(world.read(`relais/goals/${goal_id}/REPORT.md`)).toBe(summary.result);
        expect(ledger()).toMatchObject({
          goal_id,
          objective: "Two more lines in main.ts",
          status: "complete",
          turns: 2,
          receipts: [
            { turn: 1, stage: "work-turn-1" },
            { turn: 2, summary: "Wrote line 2." },
          ],
          decisions: [
            { turn: 1, decision: "continue", complete_votes: 0, review_quorum: 2 },
            { turn: 2, decision: "complete", complete_votes: 3 },
          ],
        });
        expect(ledger().reviews[0]?.raw_text).toMatch(/^\{"decision": "continue",/);
        const lived = ["work_turn_started", "receipt_recorded", "reviews_recorded", "status_decided"];
        expect(ledger().lifecycle.map(({ event }) => event)).toEqual(["created", ...lived, ...lived]);
        expect(prompt("worker")).toMatch(/- turn 1: Wrote line 1\./);
        expect(prompt("worker")).toMatch(/turn 1, risk: continue.*Gaps: the second line/);
        expect(prompt("worker")).not.toMatch(/of 10|turn 2|2\/10/i);
        expect(prompt("risk")).toContain('exit status 0: "green"');
        expect(prompt("risk")).toMatch(/## What has changed since[^]*\+line 1[^]*\+line 2/);
        expect(prompt("risk")).not.toContain("git diff");
      },
    ),
  );
});

const BAD: readonly (readonly [string, readonly string[], RegExp])[] = [
  ["an empty objective", ["  "], /needs an objective/],
  ["a slip of the finger", ["stauts"], /did you mean "status"/],
  ["two arguments", ["Reach", "it"], /put it in quotes/],
  ["a quorum that nobody can meet", ["Reach it", "--quorum", "4"], /--quorum is a whole number from 1 to 3/],
  ["no turns", ["Reach it", "--max-turns", "0"], /--max-turns is a whole number from 1 to 1000/],
  ["too many reviewers", ["Reach it", "--reviewers", "9"], /--reviewers is a whole number from 1 to 3/],
  ["a threshold of one", ["Reach it", "--blocker-threshold", "1"], /whole number from 2 to 10/],
  ["a base that is an option", ["Reach it", "--base=--output=x"], /--base is the name of a branch/],
  ["a base that is not there", ["Reach it", "--base", "nowhere"], /there is no commit "nowhere"/],
  ["criteria that are not there", ["Reach it", "--criteria", "none.md"], /does not exist/],
  ["an option of another action", ["status", "--quorum", "2"], /--quorum belongs to `relais goal`\n/],
];

test.concurrent("what cannot be meant is refused with the reason, and nothing is written", () =>
  inGoalWorld({}, async ({ world, sessions }) => {
    for (const [what, args, words] of BAD) {
      const { status, stderr } = await world.relais(["goal", ...args]);
      expect([what, status]).toEqual([what, 2]);
      expect(stderr).toMatch(words);
    }
    expect(world.has("relais/goals")).toBe(false);
    expect(world.has("relais/ledger.jsonl")).toBe(false);
    expect(sessions()).toEqual([]);
  }),
);

test.concurrent("no reviewer is paid while a check is red: the failure is the open gap, and the turn counts", () =>
  inGoalWorld(
    {
      config: { verification: { templates: [{ id: "second", cmd: "grep", args: ["-q", "line 2", "src/main.ts"] }] } },
      reviewers: "*) vote blocked '' '' no-key ;;",
    },
    async ({ goal, prompt, ledger, sessions, world }) => {
      const { status, summary } = await goal("Reach it", "--max-turns", "2");
      expect({ status, summary }).toMatchObject({ status: 14, summary: { status: "needs_human", approved: false } });
      expect(sessions()).toEqual(["worker", "worker", ...sessions().slice(2)]);
      expect(sessions().slice(2).toSorted()).toEqual(["completion", "evidence", "risk"]);
      expect(prompt("worker")).toContain("The check `second` ended with status 1.");
      expect(ledger().decisions[0]).toMatchObject({
        decision: "continue",
        complete_votes: 0,
        reason: "The goal is not proven reached. The check `second` ended with status 1.",
      });
      expect(JSON.parse(world.read("relais/STATE.json")).budgets).toMatchObject({ reviewer_calls: 3 });
    },
  ),
);

test.concurrent(
  "votes that are not understood, that were bought by writing, or that cite what is not there do not count",
  () =>
    inGoalWorld(
      {
        reviewers: `
        completion) printf 'All good!' > "$RELAIS_RESULT_PATH" ;;
        evidence) echo hacked > src/main.ts; vote complete ;;
        risk) if [ "$turn" = 1 ]; then vote complete "file: src/gone.ts"; else vote complete "command: make"; fi ;;`,
      },
      async ({ world, goal, ledger }) => {
        const { status, summary } = await goal("Reach it", "--quorum", "1");
        expect({ status, turns: summary.turns_completed, now: summary.status }).toEqual({
          status: 14,
          turns: 1,
          now: "needs_human",
        });
        expect(ledger().reviews).toMatchObject([
          { reviewer: "completion", decision: "continue", diagnostic: expect.stringContaining("result_") },
          { reviewer: "evidence", decision: "continue", diagnostic: expect.stringContaining("wrote") },
          { reviewer: "risk", decision: "continue", diagnostic: expect.stringContaining("`src/gone.ts`") },
        ]);
        expect(world.read("src/main.ts")).not.toContain("hacked");
        expect(summary.message).toContain("No reviewer has a vote.");
      },
    ),
);

test.concurrent("a budget that is used up ends it, and it goes on once there is more", () =>
  inGoalWorld(
    {
      config: {
        budgets: { per_run: { max_builder_calls: 1 }, warn_at_fraction: 1 },
        loop: { soft_stop_at_warning: false },
      },
      reviewers: '*) if [ "$turn" = 2 ]; then vote complete; else vote continue "" "more"; fi ;;',
    },
    async ({ goal, world, sessions, ledger }) => {
      const first = await goal("Reach it");
      expect(first).toMatchObject({
        status: 12,
        summary: { status: "active", end: "blocked", turns_completed: 1 },
      });
      // A reader is no builder, so the turn that was paid for is reviewed.
      expect(sessions()).toEqual(TURN);
      const config = JSON.parse(world.read("relais.config.json"));
      world.put({ "relais.config.json": JSON.stringify({ ...config, budgets: {} }) });
      world.git("commit", "-qam", "more money");
      expect((await goal("resume")).status).toBe(0);
      expect(sessions()).toEqual([...TURN, ...TURN]);
      expect(ledger()).toMatchObject({ status: "complete", turns: 2 });
    },
  ),
);

test.concurrent("status and report tell it, and a handoff makes a branch and a text without pushing or switching", () =>
  inGoalWorld({}, async ({ goal, world }) => {
    const nothing = await world.relais(["goal", "status"]);
    expect({ status: nothing.status, said: nothing.stderr }).toMatchObject({
      status: 10,
      said: expect.stringContaining("There is no goal here yet"),
    });
    const { summary } = await goal("Reach it");
    const head = world.git("rev-parse", "HEAD");
    const status = await world.relais(["goal", "status"]);
    expect(status.stdout).toContain("The goal is reached.");
    for (const action of ["status", "report"]) {
      const told = summaryIn(await world.relais(["goal", action, "--json"]));
      expect(told).toMatchObject({ goal_id: summary.goal_id, result: summary.result, approved: true });
    }
    expect((await world.relais(["goal", "report"])).stdout).toMatch(
      /## Goal ID\n[^]*## Objective\n[^]*## Final status\n[^]*## Turns completed\n[^]*## Ledger artifact\n[^]*## Evidence and receipts\n[^]*## Final decision\n[^]*## Remaining work if incomplete\n\nnone/,
    );
    const kept = await world.relais(["goal", "handoff", "--json"]);
    expect(kept.status).toBe(0);
    expect(world.git("rev-parse", `relais/handoff-${summary.goal_id}`)).toBe(head);
    await world.relais(["goal", "handoff", "--squash", "--branch", "ready"]);
    expect(world.git("rev-parse", "ready^{tree}")).toBe(world.git("rev-parse", "HEAD^{tree}"));
    expect(world.git("log", "--format=%s", "-2", "ready")).toBe("Reach it\nthe scenario");
    expect(world.git("rev-parse", "HEAD")).toBe(head);
    expect(world.read(`relais/goals/${summary.goal_id}/PULL_REQUEST.md`)).toMatch(
      /^# Reach it\n[^]*## Objective\n[^]*## Work done\n\n- Turn 1: `Wrote line 1\.`\n[^]*## Decision\n[^]*## Remaining work\n\nnone\n[^]*- evidence: `file: src\/main\.ts`/,
    );
    expect((await world.relais(["goal", "handoff", "--branch", "ready"])).status).toBe(10);
    const beside = await world.relais(["goal", "handoff", "--branch", "ready/now"]);
    expect({ status: beside.status, said: beside.stderr }).toMatchObject({
      status: 10,
      said: expect.stringContaining("The branch ready/now conflicts with the branch ready."),
    });
    expect((await world.relais(["goal", "handoff", "--branch", "relais"])).status).toBe(10);
    for (const branch of ["a..b", "HEAD", "@", "refs/heads/x"])
      expect((await world.relais(["goal", "handoff", "--branch", branch])).status).toBe(2);
  }),
);

test.concurrent("a branch that keeps that of the goal from being made is found before anybody is paid", () =>
  inGoalWorld({}, async ({ world, sessions }) => {
    world.git("switch", "-qc", "main");
    world.git("branch", "relais");
    const { status, stdout } = await world.relais(["goal", "Reach it"]);
    expect({ status, sessions: sessions() }).toEqual({ status: 11, sessions: [] });
    expect(stdout).toContain("The branch relais conflicts with the prefix relais/.");
  }),
);
