/** What the simulation once found, as the smallest plan of each, and a few worlds by seed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { scratchFolder } from "../../test/support/scratch-repository.ts";
import { makePlan, type Plan } from "./plan.ts";
import { buildProgram } from "./program.ts";
import { simulate, Stage } from "./world.ts";

interface Case {
  readonly name: string;
  readonly plan: Plan;
}

const CASES: readonly Case[] = JSON.parse(readFileSync(join(import.meta.dirname, "cases.json"), "utf8"));
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

let stage: Stage;

beforeAll(async () => {
  const program = join(scratchFolder(), "relais.cjs");
  await buildProgram(program);
  stage = new Stage(program);
});

test.each(CASES)("$name", async ({ plan }) => {
  expect((await simulate(stage, plan, null)).violation).toBeNull();
});

test.each(SEEDS)("the world of seed %d", async (seed) => {
  const { violation } = await simulate(stage, makePlan(seed), null);
  expect(violation).toBeNull();
});

async function recordCalls(): Promise<readonly string[]> {
  const calls: string[] = [];
  await simulate(stage, makePlan(SEEDS.length), (line) => void calls.push(line));
  return calls;
}

test("the same seed gives the same world, call by call", async () => {
  expect(await recordCalls()).toEqual(await recordCalls());
});
