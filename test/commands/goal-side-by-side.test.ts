/** Reviewers that look at the same time, and what a crash costs while some of them have answered. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { type GoalWorld, inGoalWorld } from "../support/goal-world.ts";

const COMPLETE = {
  decision: "complete",
  evidence: ["file: src/main.ts:2"],
  gaps: [],
  blocker: null,
  blocker_id: null,
  confidence_score: 0.9,
  explanation: "Looked.",
};
const NAMES = ["completion", "evidence", "risk"];
const CONFIG = { builder: { default_mode: "scripted", scripted: { script: "script.json" } } };

/** Every session says that it is there; what a reviewer does besides is told in shell. */
function layScript({ world }: GoalWorld, reviewers: Readonly<Record<string, string>>): void {
  const noted = (name: string, more = "") => [
    { do: "run", argv: ["sh", "-c", `box=${world.box}; echo ${name} >> $box/sessions\n${more}`] },
  ];
  const part = (name: string) => [...noted(name, reviewers[name]), { do: "result", content: COMPLETE }];
  const script = {
    steps: [
      ...noted("worker"),
      { do: "append", path: "src/main.ts", text: "more\n" },
      { do: "result", content: { receipt: "Wrote a line." } },
    ],
    reviewers: Object.fromEntries(NAMES.map((name) => [name, part(name)])),
  };
  world.put({ "script.json": JSON.stringify(script) });
  world.git("add", "-A");
  world.git("commit", "-qm", "a script");
}

const HANG = 'if [ ! -e "$box/reached" ]; then : > "$box/reached"; sleep 300; fi';

/** Begins a goal, and kills relais when two of the three have answered and the third is still looking. */
async function killedWhileOneLooks({ world }: GoalWorld): Promise<void> {
  const { process, ended } = world.start(["goal", "Reach it", "--json"]);
  const answers = () => {
    const path = join(world.box, "reached");
    const journal = existsSync(path) ? readFileSync(join(world.state(), "journal.jsonl"), "utf8") : "";
    return journal.split('"type":"review_answered"').length - 1;
  };
  while (answers() < 2) await setTimeout(20);
  process.kill("SIGKILL");
  await ended;
}

test.concurrent("all of them are there at once", () =>
  inGoalWorld({ config: CONFIG }, async (goals) => {
    // Reviewers asked one after the other would wait for the next one in vain.
    const meet = 'until [ "$(sort -u "$box/sessions" | wc -l)" = 4 ]; do sleep 0.05; done';
    layScript(goals, { completion: meet, evidence: meet, risk: meet });
    const { status, summary } = await goals.goal("Reach it");
    expect({ status, now: summary.status }).toEqual({ status: 0, now: "complete" });
    expect(goals.sessions()).toHaveLength(4);
  }),
);

test.concurrent("killed while one is still looking: only that one is asked again", () =>
  inGoalWorld({ config: CONFIG }, async (goals) => {
    layScript(goals, { risk: HANG });
    await killedWhileOneLooks(goals);
    const { status, summary } = await goals.goal("resume");
    expect({ status, now: summary.status }).toEqual({ status: 0, now: "complete" });
    expect(goals.sessions().toSorted()).toEqual(["completion", "evidence", "risk", "risk", "worker"]);
    expect(goals.ledger().reviews.map(({ diagnostic }) => diagnostic)).toEqual([null, null, null]);
  }),
);

test.concurrent("killed after somebody wrote: nobody of them has been heard, because nobody knows who it was", () =>
  inGoalWorld({ config: CONFIG }, async (goals) => {
    layScript(goals, { risk: `if [ ! -e "$box/reached" ]; then echo hacked >> src/main.ts; fi; ${HANG}` });
    await killedWhileOneLooks(goals);
    const { status } = await goals.goal("resume");
    expect(status).toBe(0);
    expect(goals.world.read("src/main.ts")).not.toContain("hacked");
    expect(goals.sessions().filter((name) => name === "completion")).toHaveLength(2);
    expect(goals.sessions().filter((name) => name === "worker")).toHaveLength(1);
  }),
);
