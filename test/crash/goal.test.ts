/**
 * A goal of two turns that is killed at a line of its journal, and the one that goes on with it. What anybody would have
 * to pay for is counted by the sessions themselves: nobody whose end was on disk is called a second time.
 *
 * A sample of the positions is tried; with RELAIS_GOAL_KILLS=all it is every one of them.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type GoalWorld, inGoalWorld } from "../support/goal-world.ts";
import { inTurn } from "../support/scenario.ts";
import type { Strike } from "./site.ts";

const TURN = ["worker", "completion", "evidence", "risk"];
/** The lines of an undisturbed goal of two turns, but for the first one, which a new file begins with. */
const LINES = 50;
const SAMPLE = 6;

const PARTS = {
  worker: 'echo "line" >> src/main.ts; mkdir -p src/new; echo "one" >> src/new/file.ts; receipt "Wrote a line."',
  reviewers: '*) if [ "$(grep -c line src/main.ts)" = 2 ]; then vote complete; else vote continue "" "more"; fi ;;',
};

const every = Array.from({ length: LINES }, (_, skip) => skip).flatMap((skip) =>
  (["before", "torn", "after"] as const).map((when) => ({ skip, when })),
);
const step = every.length / SAMPLE;
const sample = Array.from({ length: SAMPLE }, (_, index) => every[Math.floor((index + 0.4) * step)]);
const POSITIONS = process.env["RELAIS_GOAL_KILLS"] === "all" ? every : sample.filter((one) => one !== undefined);

interface Line {
  readonly run_id: string;
  readonly event: { readonly type: string; readonly reviews?: readonly unknown[] };
}

function journalOf({ world }: GoalWorld): readonly Line[] {
  const text = readFileSync(join(world.state(), "journal.jsonl"), "utf8");
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** How many sessions have an end in the journal. */
function endedSessions(lines: readonly Line[]): number {
  const answers = new Map<string, number>();
  for (const { run_id, event } of lines) {
    const earlier = answers.get(run_id) ?? 0;
    if (event.type === "build_ended") answers.set(run_id, 1);
    if (event.type === "review_answered") answers.set(run_id, earlier + (event.reviews?.length ?? 0));
    if (event.type === "reviewed") answers.set(run_id, event.reviews?.length ?? 0);
  }
  return [...answers.values()].reduce((sum, count) => sum + count, 0);
}

async function killed({ world }: GoalWorld, strike: Strike): Promise<void> {
  const hook = resolve("test/crash/kill-at.cjs");
  const { process, ended } = world.start(["goal", "Reach it", "--json"], {
    NODE_OPTIONS: `--require ${hook}`,
    RELAIS_STRIKE: JSON.stringify({ at: "/journal.jsonl", data: '"event":{"type":', ...strike }),
  });
  await ended;
  expect(process.signalCode).toBe("SIGKILL");
}

describe.concurrent("a goal that is killed", () => {
  test.each(POSITIONS)(
    "$when line $skip goes on without paying twice",
    (strike) =>
      inTurn(() =>
        inGoalWorld(PARTS, async (goals) => {
          await killed(goals, strike);
          const unrecorded = goals.sessions().length - endedSessions(journalOf(goals));
          const isOver = journalOf(goals).at(-1)?.event.type === "series_ended";
          const ran = await goals.world.relais(["goal", "resume", "--json"]);
          expect(ran.status).toBe(isOver ? 10 : 0);
          const status = await goals.world.relais(["goal", "status", "--json"]);
          expect(JSON.parse(status.stdout)).toMatchObject({
            status: "complete",
            turns_completed: 2,
            receipts: [{ turn: 1 }, { turn: 2 }],
            commits: { length: 2 },
          });
          expect(goals.ledger()).toMatchObject({ status: "complete", turns: 2 });
          expect([unrecorded, goals.sessions().length]).toEqual([unrecorded, 2 * TURN.length + unrecorded]);
          expect(unrecorded).toBeLessThanOrEqual(1);
          expect(goals.world.read("src/new/file.ts")).toBe("one\none\n");
          expect(goals.world.git("status", "--porcelain")).toBe("");
          expect(goals.world.git("rev-list", "--count", "HEAD~2..HEAD")).toBe("2");
        }),
      ),
    300_000,
  );
});

test("work that does not fit any more is done again, and its first try is no turn", () =>
  inGoalWorld(PARTS, async (goals) => {
    await killed(goals, { data: '"type":"judged"', when: "before" });
    expect((await goals.world.relais(["recover"])).status).toBe(0);
    goals.world.put({ "src/main.ts": "by hand\n" });
    goals.world.git("commit", "-qam", "by hand");
    expect((await goals.goal("resume")).status).toBe(0);
    expect(goals.sessions()).toEqual(["worker", ...TURN, ...TURN]);
    expect(goals.ledger()).toMatchObject({ status: "complete", turns: 2, decisions: { length: 2 } });
    expect(goals.world.read("src/main.ts")).toBe("by hand\nline\nline\n");
    const causes = journalOf(goals).filter(({ event }) => JSON.stringify(event).includes("finished_work_lost"));
    expect(causes.length).toBeGreaterThan(0);
  }));

test("the last line of the journal is among the positions", () =>
  inGoalWorld(PARTS, async (goals) => {
    expect((await goals.goal("Reach it")).status).toBe(0);
    expect(journalOf(goals)).toHaveLength(LINES + 1);
    expect(goals.sessions()).toEqual([...TURN, ...TURN]);
  }));
