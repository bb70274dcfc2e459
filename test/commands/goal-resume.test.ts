/** A goal whose process is killed goes on where it was, and nobody who has finished is asked again. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { type GoalWorld, inGoalWorld } from "../support/goal-world.ts";
import { executable } from "../support/relais.ts";

/** Stops for good at its first call, as soon as the test can see that it was reached. */
const HANG = 'if [ ! -e "$box/reached" ]; then : > "$box/reached"; sleep 300; fi';

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await setTimeout(10);
}

/** Begins a goal and kills relais when it has come to a point. */
async function killedAt({ world }: GoalWorld, isReached: () => boolean): Promise<void> {
  const { process, ended } = world.start(["goal", "Reach it", "--json"]);
  await until(isReached);
  process.kill("SIGKILL");
  await ended;
}

const reached =
  ({ world }: GoalWorld) =>
  () =>
    existsSync(join(world.box, "reached"));

test.concurrent("killed while the worker works: only that session is paid for again", () =>
  inGoalWorld({ worker: `${HANG}; echo more >> src/main.ts; receipt "Done."` }, async (goals) => {
    await killedAt(goals, reached(goals));
    const { status, summary } = await goals.goal("resume");
    expect({ status, now: summary.status, turns: summary.turns_completed }).toEqual({
      status: 0,
      now: "complete",
      turns: 1,
    });
    expect(goals.sessions()).toEqual(["worker", "worker", "completion", "evidence", "risk"]);
    expect(goals.ledger().lifecycle.map(({ event }) => event)).toContain("resumed");
  }),
);

test.concurrent("killed while the checks run: the worker is not called again", () =>
  inGoalWorld(
    { config: { verification: { templates: [{ id: "slow", cmd: "sh", args: ["check.sh"] }] } } },
    async (goals) => {
      goals.world.put({ "check.sh": `box="${goals.world.box}"; ${HANG}\n` });
      goals.world.git("add", "-A");
      goals.world.git("commit", "-qm", "a check");
      await killedAt(goals, reached(goals));
      const { status } = await goals.goal("resume");
      expect({ status, sessions: goals.sessions() }).toEqual({
        status: 0,
        sessions: ["worker", "completion", "evidence", "risk"],
      });
    },
  ),
);

test.concurrent("killed while the second reviewer looks: the first one is not asked again", () =>
  inGoalWorld({ reviewers: `evidence) ${HANG}; vote complete ;; *) vote complete ;;` }, async (goals) => {
    await killedAt(goals, reached(goals));
    const { status, summary } = await goals.goal("resume");
    expect({ status, sessions: goals.sessions() }).toEqual({
      status: 0,
      sessions: ["worker", "completion", "evidence", "evidence", "risk"],
    });
    expect(summary.review_report).toMatch(/completion: complete[^]*evidence: complete[^]*risk: complete/);
    expect(goals.ledger().reviews).toHaveLength(3);
  }),
);

test.concurrent("what was answered about another commit is asked again", () =>
  inGoalWorld({ reviewers: `evidence) ${HANG}; vote complete ;; *) vote complete ;;` }, async (goals) => {
    await killedAt(goals, reached(goals));
    await goals.world.relais(["recover"]);
    goals.world.put({ "src/other.ts": "export const other = 2;\n" });
    goals.world.git("commit", "-qam", "by hand");
    expect((await goals.goal("resume")).status).toBe(0);
    expect(goals.sessions()).toEqual(["worker", "completion", "evidence", "completion", "evidence", "risk"]);
  }),
);

test.concurrent("killed as soon as the checkpoint is settled: the worker is not called again", () =>
  inGoalWorld({}, async (goals) => {
    const journal = () => join(goals.world.state(), "journal.jsonl");
    const isSettled = () => existsSync(journal()) && readFileSync(journal(), "utf8").includes('"type":"settled"');
    await killedAt(goals, isSettled);
    const { status, summary } = await goals.goal("resume");
    expect({ status, turns: summary.turns_completed, commits: summary.commits.length }).toEqual({
      status: 0,
      turns: 1,
      commits: 1,
    });
    expect(goals.sessions().filter((who) => who === "worker")).toHaveLength(1);
  }),
);

test.concurrent("on another branch it does not go on, and says where its commits are", () =>
  inGoalWorld({ reviewers: '*) vote continue "" "more" ;;' }, async (goals) => {
    expect((await goals.goal("Reach it", "--max-turns", "1")).status).toBe(14);
    goals.world.git("switch", "-qc", "elsewhere");
    const { status, stderr } = await goals.world.relais(["goal", "resume", "--max-turns", "2"]);
    expect(status).toBe(11);
    expect(stderr).toContain("`git switch work` and continue there, or start another goal with `relais goal");
    expect(stderr).not.toContain("--new");
    expect(goals.sessions()).toHaveLength(4);
  }),
);

test.concurrent("a signal ends it with the work in order, and it goes on afterwards", () =>
  inGoalWorld({ reviewers: `risk) ${HANG}; vote complete ;; *) vote complete ;;` }, async (goals) => {
    const { process, ended } = goals.world.start(["goal", "Reach it", "--json"]);
    await until(reached(goals));
    process.kill("SIGINT");
    expect((await ended).status).toBe(130);
    expect((await goals.goal("resume")).status).toBe(0);
    expect(goals.sessions()).toEqual(["worker", "completion", "evidence", "risk", "risk"]);
  }),
);

test.concurrent("all turns are used up: a person may give more of them", () =>
  inGoalWorld(
    { reviewers: '*) if [ "$turn" = 2 ]; then vote complete; else vote continue "" "more"; fi ;;' },
    async (goals) => {
      expect((await goals.goal("Reach it", "--max-turns", "1")).status).toBe(14);
      const refused = await goals.world.relais(["goal", "resume"]);
      expect({ status: refused.status, said: refused.stderr }).toMatchObject({
        status: 10,
        said: expect.stringContaining("--max-turns N"),
      });
      const { status, summary } = await goals.goal("resume", "--max-turns", "2");
      expect({ status, turns: summary.turns_completed }).toEqual({ status: 0, turns: 2 });
      const again = await goals.goal("resume");
      expect({ status: again.status, now: again.summary.status }).toEqual({ status: 0, now: "complete" });
      expect(await goals.world.relais(["goal", "resume"])).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("The goal is reached."),
      });
    },
  ),
);

test.concurrent("nobody was heard: they are asked again about the same work, and only the last answers are told", () =>
  inGoalWorld(
    {
      reviewers:
        '*) if [ -e "$box/mended" ]; then vote continue "" "one thing"; else echo "All good" > "$RELAIS_RESULT_PATH"; fi ;;',
    },
    async ({ goal, ledger, sessions, world }) => {
      const first = await goal("Reach it", "--max-turns", "1");
      expect(first.summary.review_report).toContain("### risk: no valid answer");
      writeFileSync(join(world.box, "mended"), "");
      const { status, summary } = await goal("resume");
      expect({ status, left: summary.remaining_work }).toEqual({ status: 14, left: "one thing" });
      expect(summary.review_report).not.toContain("no valid answer");
      expect((await world.relais(["goal", "status"])).stdout).not.toContain("no valid answer");
      expect(sessions().filter((who) => who === "worker")).toHaveLength(1);
      expect(ledger().reviews).toHaveLength(6);
    },
  ),
);

test.concurrent("killed between two turns with the same blocker: they are still two in a row", () =>
  inGoalWorld(
    {
      worker: `if [ "$turn" = 2 ]; then ${HANG}; fi; echo more >> src/main.ts; receipt "Done."`,
      reviewers: '*) vote blocked "" "" no-key ;;',
      config: { goal: { blocker_threshold: 2 } },
    },
    async (goals) => {
      await killedAt(goals, reached(goals));
      const { status, summary } = await goals.goal("resume");
      expect({ status, now: summary.status, turns: summary.turns_completed }).toEqual({
        status: 14,
        now: "blocked",
        turns: 2,
      });
    },
  ),
);

test.concurrent("the repository was moved: the goal is still there and goes on", () =>
  inGoalWorld({ reviewers: '*) vote continue "" "more" ;;' }, async ({ goal, world }) => {
    const { summary } = await goal("Reach it", "--max-turns", "1");
    const moved = join(world.place, "moved");
    renameSync(world.root, moved);
    const args = [executable, "goal", "resume", "--max-turns", "2", "--json"];
    const stdout = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, { cwd: moved, env: world.environment }, (_, told) => resolve(told));
    });
    renameSync(moved, world.root);
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
      goal_id: summary.goal_id,
      turns_completed: 2,
    });
  }),
);
