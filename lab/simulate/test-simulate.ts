/**
 * `npm run test:simulate`: relais in simulated worlds, with new seeds, on two cores.
 *
 *     npm run test:simulate -- --seconds 120        # search
 *     npm run test:simulate -- --seed 7 --trace     # one world, step by step
 *     npm run test:simulate -- --plan '{…}' --trace # a smaller plan, as a failure prints it
 *     npm run test:simulate -- --every-fault        # each change of a tick fails; --write keeps the rows in lab/simulate/measured.json
 *     npm run test:simulate -- --wide --seconds 60  # many more ticks of every workflow, without files and processes
 *     npm run test:simulate -- --wide --seed WORD --count N  # so many plans, the same for the same word
 *     npm run test:simulate -- --queue --seconds 60 # the queue, in many short schedules
 *     npm run test:simulate -- --queue --deep       # the queue on a simulated machine, in few long ones
 */
import { spawn } from "node:child_process";
import { createHash, randomInt } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { makePlan, type Plan } from "./plan.ts";
import { buildProgram } from "./program.ts";
import { buildSchedules, loadSchedules } from "./queue/schedules/build-schedules.ts";
import type { SchedulesRequest } from "./queue/schedules/child.ts";
import type { Explored } from "./queue/schedules/explore-schedules.ts";
import { searchQueue, tellSchedule } from "./queue/search-queue.ts";
import type { ChildRequest } from "./child.ts";
import type { Meeting } from "./every-fault.ts";
import type { SearchResult } from "./search.ts";
import { simulate, Stage } from "./world.ts";
import { runWide } from "./wide/run-wide.ts";
import { writeMeasured } from "../measured.ts";
import { countMeetings } from "./count-meetings.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    plan: { type: "string" },
    seconds: { type: "string" },
    ticks: { type: "string" },
    count: { type: "string" },
    trace: { type: "boolean", default: false },
    queue: { type: "boolean", default: false },
    wide: { type: "boolean", default: false },
    deep: { type: "boolean", default: false },
    "every-fault": { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    failures: { type: "string", default: "1" },
  },
});
const PROCESSES = 2;
const TICKS_USEFUL = 200;
const SEEDS = 2 ** 31;
const DAY_SECONDS = 86_400;
const CACHE = join(".cache", "simulate");
const seconds = Number(values.seconds ?? 60);
const seed = readSeed(values.seed);

mkdirSync(CACHE, { recursive: true });
process.exitCode = (await chooseSearch()) ? 0 : 1;

/** A number, or any word, such as the id of a commit. */
function readSeed(word: string | undefined): number {
  if (word === undefined) return randomInt(SEEDS);
  const number = Number(word);
  return Number.isSafeInteger(number) ? number : createHash("sha256").update(word).digest().readUInt32BE() % SEEDS;
}

function print(line: string): void {
  console.log(line);
}

function chooseSearch(): Promise<boolean> {
  if (!values.wide) return values.queue ? simulateQueue() : simulateTicks();
  const { plan, trace, count } = values;
  const endless = Number.MAX_SAFE_INTEGER;
  return runWide({
    seed,
    isOneSeed: values.seed !== undefined && ((values.seconds ?? count) === undefined || trace),
    plan,
    seconds: count === undefined ? seconds : endless,
    ticks: Number(values.ticks ?? endless),
    plans: Number(count ?? endless),
    trace,
    print,
  });
}

/** At random for most of the time, then all schedules of some sizes as far as the rest allows. */
async function simulateQueue(): Promise<boolean> {
  if (values.deep) return simulateQueueDeeply();
  console.log(`the queue in short schedules, seeds from ${seed}`);
  const child = await buildSchedules("child");
  for (const engine of ["files", "server"] as const) {
    const parts: (Explored & { readonly cpuSeconds: number })[] = [];
    await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) => {
        const request: SchedulesRequest = { engine, seed: seed + index, seconds: seconds / 3 };
        return runChild(child, request, (line) => void parts.push(JSON.parse(line)));
      }),
    );
    const add = (pick: (part: (typeof parts)[number]) => number): number =>
      parts.reduce((sum, part) => sum + pick(part), 0);
    const schedules = add((part) => part.schedules);
    const pace = `${Math.round(schedules / Math.max(...parts.map((part) => part.seconds)))} a second, ${Math.round(schedules / add((part) => part.cpuSeconds))} a second of CPU`;
    console.log(`${engine}: ${schedules} schedules, ${add((part) => part.steps)} steps, ${pace}`);
    if (!parts.every(tellExplored)) return false;
  }
  const { exploreAll, ALL_SIZES } = await loadSchedules();
  for (const size of ALL_SIZES) {
    const found = await exploreAll(size, seconds / 3 / ALL_SIZES.length);
    console.log(`${JSON.stringify(size)}: ${found.isWhole ? "all" : "the first"} ${found.schedules} schedules`);
    if (!tellExplored(found)) return false;
  }
  return true;
}

function tellExplored({ failure }: Explored): boolean {
  if (failure === null) return true;
  console.log(`FAILED: ${failure.message}\n${failure.schedule.join("\n")}`);
  return false;
}

async function simulateQueueDeeply(): Promise<boolean> {
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
  if (values["every-fault"]) return everyFault(program);
  return values.seed === undefined && values.plan === undefined ? searchOn(program) : replay(program);
}

async function replay(program: string): Promise<boolean> {
  const plan: Plan = values.plan === undefined ? makePlan(seed) : JSON.parse(values.plan);
  const trace = values.trace ? (line: string): void => console.log(line) : null;
  const { violation, ticks } = await simulate(new Stage(program), plan, trace);
  console.log(
    violation === null
      ? `seed ${plan.seed}: ${ticks} ticks, all invariants hold`
      : `seed ${plan.seed} FAILED: ${violation.stack ?? violation.message}`,
  );
  return violation === null;
}

async function searchOn(program: string): Promise<boolean> {
  console.log(`seeds from ${seed}`);
  const began = performance.now();
  const ticks = values.ticks === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(Number(values.ticks) / PROCESSES);
  const results: SearchResult[] = [];
  await runChildren(
    (index) => ({
      kind: "search",
      program,
      seed: seed + index,
      stride: PROCESSES,
      seconds,
      ticks,
      failures: Number(values.failures),
    }),
    (line) => void results.push(JSON.parse(line)),
  );
  return tell(results, (performance.now() - began) / 60_000);
}

async function everyFault(program: string): Promise<boolean> {
  const meetings: Meeting[] = [];
  const everySeconds = Number(values.seconds ?? DAY_SECONDS);
  await runChildren(
    (index) => ({ kind: "every_fault", program, first: index, stride: PROCESSES, seconds: everySeconds }),
    (line) => {
      const meeting: Meeting = JSON.parse(line);
      meetings.push(meeting);
      if (meetings.length % 250 === 0) console.error(`${meetings.length} faults`);
      const { tick, at, error, mode, call, problem, plan } = meeting;
      if (problem !== null)
        console.log(
          `FAILED: ${tick}, change ${at} (${call}), ${error} ${mode}: ${problem}\n  --plan '${JSON.stringify(plan)}'`,
        );
    },
  );
  const rows = countMeetings(meetings);
  console.table(rows);
  if (values.write) writeMeasured("lab/simulate/measured.json", rows);
  return meetings.length > 0 && meetings.every(({ problem }) => problem === null);
}

async function runChildren(ask: (index: number) => ChildRequest, onLine: (line: string) => void): Promise<void> {
  const file = join(CACHE, "child.mjs");
  await build({
    entryPoints: ["lab/simulate/child.ts"],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  await Promise.all(Array.from({ length: PROCESSES }, (_, index) => runChild(file, ask(index), onLine)));
}

async function runChild(
  file: string,
  request: ChildRequest | SchedulesRequest,
  onLine: (line: string) => void,
): Promise<void> {
  // One process for each core: nothing is left for its helping threads, and a tick makes much garbage. Its work is
  // spread over thousands of functions, of which few are ever optimized: so all of them are compiled at once.
  const flags = ["--single-threaded", "--max-semi-space-size=64", "--always-sparkplug"];
  const child = spawn(process.execPath, [...flags, file, JSON.stringify(request)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => void child.once("close", (status) => resolve(status)));
  for await (const line of createInterface({ input: child.stdout })) onLine(line);
  if ((await ended) !== 0) throw new Error("a process of the simulation failed");
}

function tell(results: readonly SearchResult[], minutes: number): boolean {
  const sum = (pick: (result: SearchResult) => number): number =>
    results.reduce((total, result) => total + pick(result), 0);
  const codes = new Map<string, number>();
  for (const [code, count] of results.flatMap((result) => Object.entries(result.codes)))
    codes.set(code, (codes.get(code) ?? 0) + count);
  const ticks = sum((result) => result.ticks);
  const refused = sum((result) => result.refused);
  const cpuMs = (1000 * sum((result) => result.cpuSeconds)) / Math.max(1, ticks);
  const pace = `${ticks} ticks (${Math.round(ticks / minutes)} a minute, ${cpuMs.toFixed(1)} ms of CPU each)`;
  console.log(`${sum((result) => result.worlds)} worlds, ${pace}, and ${refused} without a session`);
  console.log(`${sum((result) => result.events)} events`);
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
