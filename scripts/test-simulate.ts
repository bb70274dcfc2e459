/**
 * `npm run test:simulate`: relais in simulated worlds, with new seeds, on two cores.
 *
 *     npm run test:simulate -- --seconds 120        # search
 *     npm run test:simulate -- --seed 7 --trace     # one world, step by step
 *     npm run test:simulate -- --plan '{…}' --trace # a smaller plan, as a failure prints it
 *     npm run test:simulate -- --queue --seconds 60 # the queue
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { makePlan } from "../test/simulate/plan.ts";
import { buildProgram } from "../test/simulate/program.ts";
import { searchQueue, tellSchedule } from "../test/simulate/queue/search-queue.ts";
import type { SearchRequest, SearchResult } from "../test/simulate/search.ts";
import { simulate, Stage } from "../test/simulate/world.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    plan: { type: "string" },
    seconds: { type: "string" },
    ticks: { type: "string" },
    trace: { type: "boolean", default: false },
    queue: { type: "boolean", default: false },
    failures: { type: "string", default: "1" },
  },
});
const PROCESSES = 2;
const TICKS_USEFUL = 200;
const SEEDS = 2 ** 31;
const CACHE = join(".cache", "simulate");
const seconds = Number(values.seconds ?? 60);
const seed = Number(values.seed ?? randomInt(SEEDS));

mkdirSync(CACHE, { recursive: true });
process.exitCode = (await (values.queue ? simulateQueue() : simulateTicks())) ? 0 : 1;

async function simulateQueue(): Promise<boolean> {
  console.log(`the queue, seed ${seed}`);
  const result = await searchQueue({ seed, seconds: values.seed === undefined ? seconds : 0 });
  console.log(
    `${result.schedules} schedules, ${result.steps} steps, ${Math.round(result.schedules / result.seconds)} schedules a second`,
  );
  if (result.failure === null) return true;
  console.log(`FAILED with seed ${result.failure.seed}: ${result.failure.message}\n${tellSchedule(result.failure)}`);
  return false;
}

async function simulateTicks(): Promise<boolean> {
  const program = join(CACHE, "relais.cjs");
  await buildProgram(program);
  return values.seed === undefined && values.plan === undefined ? searchOn(program) : replay(program);
}

async function replay(program: string): Promise<boolean> {
  const { violation, ticks } = await simulate(
    new Stage(program),
    values.plan === undefined ? makePlan(seed) : JSON.parse(values.plan),
    values.trace ? (line) => console.log(line) : null,
  );
  console.log(
    violation === null
      ? `seed ${seed}: ${ticks} ticks, all invariants hold`
      : `seed ${seed} FAILED: ${violation.stack ?? violation.message}`,
  );
  return violation === null;
}

async function searchOn(program: string): Promise<boolean> {
  const child = join(CACHE, "child.mjs");
  await build({
    entryPoints: ["test/simulate/child.ts"],
    outfile: child,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  console.log(`seeds from ${seed}`);
  const began = performance.now();
  const ticks = values.ticks === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(Number(values.ticks) / PROCESSES);
  const results = await Promise.all(
    Array.from({ length: PROCESSES }, (_, index) =>
      runChild(child, {
        program,
        seed: seed + index,
        stride: PROCESSES,
        seconds,
        ticks,
        failures: Number(values.failures),
      }),
    ),
  );
  return tell(results, (performance.now() - began) / 60_000);
}

async function runChild(file: string, request: SearchRequest): Promise<SearchResult> {
  // One process for each core: nothing is left for its helping threads, and a tick makes much garbage.
  const flags = ["--single-threaded", "--max-semi-space-size=64"];
  const child = spawn(process.execPath, [...flags, file, JSON.stringify(request)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  throw new Error("the search ended without a result");
}

function tell(results: readonly SearchResult[], minutes: number): boolean {
  const sum = (pick: (result: SearchResult) => number): number =>
    results.reduce((total, result) => total + pick(result), 0);
  const codes = new Map<string, number>();
  for (const [code, count] of results.flatMap((result) => Object.entries(result.codes)))
    codes.set(code, (codes.get(code) ?? 0) + count);
  const ticks = sum((result) => result.ticks);
  const pace = `${ticks} ticks (${Math.round(ticks / minutes)} a minute)`;
  console.log(`${sum((result) => result.worlds)} worlds, ${pace}, ${sum((result) => result.events)} events`);
  console.log([...codes].map(([code, count]) => `${code} ${count}`).join(", "));
  const failures = results.flatMap((result) => result.failures);
  for (const { seed: bad, message, plan, found } of failures) {
    console.log(`found after ${found.seconds} s and ${found.ticks} ticks of one process`);
    console.log(`FAILED with seed ${bad}: ${message}\nsmallest plan: ${JSON.stringify(plan)}`);
    console.log(`Step by step: npm run test:simulate -- --seed ${bad} --trace`);
  }
  // A simulation in which nothing succeeds would find nothing.
  const isUseful = ticks < TICKS_USEFUL || codes.has("SUCCESS");
  if (!isUseful) console.log("FAILED: no tick succeeded");
  return failures.length === 0 && isUseful;
}
