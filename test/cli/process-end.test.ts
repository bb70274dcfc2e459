/** Every command is over with its last line: nothing that it started, and no timer, holds its process any longer. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { inGoalWorld } from "../support/goal-world.ts";
import { goodStep, inLoopWorld, STOP } from "../support/loop-world.ts";
import { relais, type Ran } from "../support/relais.ts";
import { inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";
import type { World } from "../support/scenario-world.ts";

const WATCH = join(import.meta.dirname, "../fixtures/programs/end-watch.cjs");
const place = realpathSync(mkdtempSync(join(tmpdir(), "relais-end-")));
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Sample {
  readonly typed: string;
  readonly status: number | null;
  readonly hasPrinted: boolean;
  /** What happened between the last line and the end. */
  readonly afterwards: readonly string[];
}

/** By command. */
const samples = new Map<string, Sample[]>();

/** Runs a command under the watch and keeps what the watch has seen. */
async function sample(
  args: readonly string[],
  start: (env: Readonly<Record<string, string>>) => Promise<Ran>,
): Promise<void> {
  const [name = ""] = args;
  const file = join(place, "seen.json");
  rmSync(file, { force: true });
  const { status, stdout, stderr } = await start({ NODE_OPTIONS: `--require=${WATCH}`, END_WATCH: file });
  const { heard: afterwards }: { heard: string[] } = JSON.parse(readFileSync(file, "utf8"));
  const seen = { typed: args.join(" "), status, hasPrinted: stdout + stderr !== "", afterwards };
  samples.set(name, [...(samples.get(name) ?? []), seen]);
}

const inside = (world: World, ...args: string[]): Promise<void> => sample(args, (env) => world.relais(args, env));
const anywhere = (...args: string[]): Promise<void> => sample(args, (env) => relais(args, { cwd: place, env }));

async function oneTickAfterTheOther(world: World): Promise<void> {
  const run = (document: string) => inside(world, "run", "--task", document);
  await inside(world, "init");
  await run(join(world.box, "task.json"));
  await inside(world, "status");
  await inside(world, "accept");
  await inside(world, "undo");
  const task: object = JSON.parse(readFileSync(join(world.box, "task.json"), "utf8"));
  const red = join(world.box, "red.json");
  writeFileSync(red, JSON.stringify({ ...task, verification: { fast: ["red"], slow: [] } }));
  await run(red);
  await inside(world, "salvage", "list");
  const question = join(world.box, "question.json");
  const words = { task_id: "Q", milestone_id: "M-1", task_kind: "question", intent: "Ask." };
  writeFileSync(question, JSON.stringify({ ...words, question: { prompt: "Which?", choices: ["a", "b"] } }));
  await run(question);
  await inside(world, "answer", "2");
  await inside(world, "history", "replay");
  await inside(world, "events");
  await inside(world, "recover");
  await inside(world, "doctor");
  await inside(world, "judge");
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
  await anywhere("demo", "tick", "--into", join(place, "demo"));
}, 300_000);

test.each(COMMANDS.map(({ name }) => name))("relais %s ends with its last line", (name) => {
  const seen = samples.get(name) ?? [];
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter(({ hasPrinted }) => !hasPrinted)).toEqual([]);
  expect(seen.filter(({ afterwards }) => afterwards.length > 0)).toEqual([]);
});

test("the watch hears a timer that outlives the last line", async () => {
  const late = join(place, "late.cjs");
  writeFileSync(
    late,
    'process.on("beforeExit", (n) => { if (!global.l) { global.l = 1; setTimeout(() => {}, 50); } });',
  );
  await sample(["late"], (env) =>
    relais(["--version"], {
      cwd: place,
      env: { ...env, NODE_OPTIONS: `${env["NODE_OPTIONS"]} --require=${late}` },
    }),
  );
  expect(samples.get("late")?.[0]?.afterwards).toContain("Timeout");
});
