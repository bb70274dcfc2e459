/** Every command is over with its last line: nothing that it started, and no timer, holds its process any longer. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../../src/command-list.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { findLateEnds, watchEnds } from "../support/end-watch.ts";
import { inGoalWorld } from "../support/goal-world.ts";
import { goodStep, inLoopWorld, STOP } from "../support/loop-world.ts";
import { speakProtocol } from "../support/mcp-client.ts";
import { inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";
import type { World } from "../support/scenario-world.ts";

const watch = watchEnds();
const { place, sample, inside, anywhere } = watch;
afterAll(watch.remove);

async function oneTickAfterTheOther(world: World): Promise<void> {
  const run = (document: string) => inside(world, "run", "--task", document);
  await inside(world, "init");
  await inside(world, "eject");
  await run(join(world.box, "task.json"));
  await inside(world, "status");
  await inside(world, "accept");
  await inside(world, "undo");
  const task: object = JSON.parse(readFileSync(join(world.box, "task.json"), "utf8"));
  const red = join(world.box, "red.json");
  writeFileSync(red, JSON.stringify({ ...task, verification: { fast: ["red"], slow: [] } }));
  await run(red);
  await inside(world, "salvage", "list");
  await inside(world, "fix");
  await inside(world, "milestone", "next");
  await inside(world, "land", "HEAD");
  const question = join(world.box, "question.json");
  const words = { task_id: "Q", milestone_id: "M-1", task_kind: "question", intent: "Ask." };
  writeFileSync(question, JSON.stringify({ ...words, question: { prompt: "Which?", choices: ["a", "b"] } }));
  await run(question);
  await inside(world, "answer", "2");
  await inside(world, "history", "replay");
  await inside(world, "diff");
  await inside(world, "log");
  await inside(world, "ui", "--no-open", "--idle", "1");
  await inside(world, "report", "--html", join(world.box, "report.html"));
  for (const request of ["pause", "resume", "stop"]) await inside(world, request);
  await inside(world, "reject", "20260101T000000Z-00000000");
  await inside(world, "events");
  await inside(world, "recover");
  await inside(world, "doctor");
  await inside(world, "judge");
  await inside(world, "drill", "--case", "honest/nothing");
  await inside(world, "submit", "task", join(world.box, "task.json"));
  await inside(world, "worker", "--drain", "--unsandboxed");
  await inside(world, "queue");
  await inside(world, "fetch", "job-");
  await inside(world, "tree", "init");
}

beforeAll(async () => {
  const program = `echo 'export const answer = 42;' > src/main.ts\n${LEAVE_RESULT}`;
  await inWorld({ program }, oneTickAfterTheOther);
  await inLoopWorld({ plans: [goodStep(), STOP] }, ({ relais: start }) =>
    sample(["loop"], (env) => start(["loop"], env)),
  );
  await inGoalWorld({}, ({ world }) => inside(world, "goal", "One line"));
  await inCampaignWorld({}, ({ world }) => inside(world, "campaign", "run", "lines"));
  await anywhere("explain", "SUCCESS");
  await anywhere("completions", "bash");
  await sample(["mcp"], (env) => speakProtocol({ cwd: place, env }));
  await anywhere("demo", "tick", "--into", join(place, "demo"));
}, 300_000);

test("relais mcp ends with its input", () => {
  const [{ status, afterwards } = { status: null, afterwards: [] }] = watch.samples.get("mcp") ?? [];
  expect([status, new Set(afterwards)]).toEqual([0, new Set(["PIPEWRAP"])]);
});

test("relais ui, which follows everything until then, ends when nobody looks any more", () => {
  expect(watch.samples.get("ui")?.map(({ status }) => status)).toEqual([0]);
});

const ENDING = COMMANDS.map(({ name }) => name).filter((name) => !["mcp", "ui"].includes(name));
test.each(ENDING)("relais %s ends with its last line", (name) => {
  expect(findLateEnds(watch, name)).toEqual([]);
});
