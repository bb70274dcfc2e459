/** `npm run test:simulate -- --wide`: the search on two cores, or one world step by step. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { buildWide, loadWide } from "./build-wide.ts";
import type { WideRequest, WideResult } from "./search-wide.ts";

export interface WideOptions {
  readonly seed: number;
  readonly isOneSeed: boolean;
  readonly plan: string | undefined;
  readonly seconds: number;
  readonly ticks: number;
  readonly plans: number;
  readonly trace: boolean;
  readonly print: (line: string) => void;
}

const PROCESSES = 2;
const TICKS_USEFUL = 1000;

export async function runWide(options: WideOptions): Promise<boolean> {
  return options.isOneSeed || options.plan !== undefined ? replay(options) : searchOn(options);
}

async function replay({ seed, plan: text, trace, print }: WideOptions): Promise<boolean> {
  const { makeWidePlan, simulateWide } = await loadWide();
  const plan = text === undefined ? makeWidePlan(seed) : JSON.parse(text);
  const { violation, ticks, steps } = await simulateWide(plan, trace ? print : null);
  print(
    violation === null
      ? `seed ${plan.seed}: ${ticks} ticks, ${steps} steps, all invariants hold`
      : `seed ${plan.seed} FAILED: ${violation.stack ?? violation.message}`,
  );
  return violation === null;
}

async function searchOn({ seed, seconds, ticks, plans, print }: WideOptions): Promise<boolean> {
  print(`wide worlds, seeds from ${seed}`);
  const child = await buildWide("child");
  const began = performance.now();
  const results = await Promise.all(
    Array.from({ length: PROCESSES }, (_, index) =>
      runChild(child, {
        seed: seed + index,
        stride: PROCESSES,
        seconds,
        ticks: ticks / PROCESSES,
        plans: Math.ceil((plans - index) / PROCESSES),
      }),
    ),
  );
  return tell(results, (performance.now() - began) / 60_000, print);
}

async function runChild(file: string, request: WideRequest): Promise<WideResult> {
  // One process for each core: nothing is left for its helping threads, and a tick makes much garbage. Its work is
  // spread over thousands of functions, so all of them are compiled at once.
  const flags = [
    "--single-threaded",
    "--max-semi-space-size=64",
    "--always-sparkplug",
    "--no-lazy-feedback-allocation",
  ];
  const child = spawn(process.execPath, [...flags, file, JSON.stringify(request)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  const [last] = lines.slice(-1);
  if (last === undefined) throw new Error("a process of the wide search failed");
  return JSON.parse(last);
}

function tell(results: readonly WideResult[], minutes: number, print: WideOptions["print"]): boolean {
  const sum = (pick: (result: WideResult) => number): number => results.reduce((all, one) => all + pick(one), 0);
  const codes = new Map<string, number>();
  for (const [code, count] of results.flatMap((result) => Object.entries(result.codes)))
    codes.set(code, (codes.get(code) ?? 0) + count);
  const ticks = sum((result) => result.ticks);
  const cpuMs = (1000 * sum((result) => result.cpuSeconds)) / Math.max(1, ticks);
  print(
    `${sum((result) => result.worlds)} worlds, ${ticks} ticks (${Math.round(ticks / minutes)} a minute, ${cpuMs.toFixed(2)} ms of CPU each), ${sum((result) => result.refused)} without a session, ${sum((result) => result.events)} events, ${sum((result) => result.steps)} steps`,
  );
  print(
    [...codes]
      .toSorted((left, right) => right[1] - left[1])
      .map(([code, count]) => `${code} ${count}`)
      .join(", "),
  );
  for (const { failure } of results) {
    if (failure === null) continue;
    const { found, seed, message, plan } = failure;
    print(`found after ${found.seconds} s and ${found.ticks} ticks of one process`);
    print(`FAILED with seed ${seed}: ${message}\nsmallest plan: ${JSON.stringify(plan)}`);
    print(`Step by step: npm run test:simulate -- --wide --seed ${seed} --trace`);
  }
  // A simulation in which nothing succeeds would find nothing.
  const isUseful = ticks < TICKS_USEFUL || codes.has("SUCCESS");
  if (!isUseful) print("FAILED: no tick succeeded");
  return isUseful && results.every(({ failure }) => failure === null);
}
