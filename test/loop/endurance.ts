/**
 * A long loop with a builder that lies, fails, hangs, writes where it may not and leaves processes behind, and with an
 * orchestrator that talks now and then. Whatever it does, the series goes on, and nothing of it is left.
 */
import { execFileSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { checkAfterSeries, goodStep, inLoopWorld, type LoopRan, readLoop, RED, stepOf } from "../support/loop-world.ts";

export interface Endurance {
  readonly ran: LoopRan;
  /** The resident memory of the process at each tick, in kilobytes. */
  readonly memory: readonly number[];
}

const MISCHIEF: readonly (() => object)[] = [
  goodStep,
  () => stepOf([RED]),
  goodStep,
  () => stepOf([{ do: "append", path: "README.md", text: "more\n" }]),
  goodStep,
  () => stepOf([{ do: "exit", status: 3 }]),
  goodStep,
  () => stepOf([{ do: "run", argv: ["sleep", "300"], background: true }, RED]),
  goodStep,
  () => stepOf([{ do: "write", path: "src/new.ts", text: "export {};\n" }]),
  goodStep,
  () => stepOf([{ do: "run", argv: ["git", "commit", "-qam", "mine"], may_fail: true }, RED]),
  goodStep,
  () => stepOf([{ do: "run", argv: ["sleep", "300"] }]),
];

const CONFIG = {
  loop: { on_stop: "continue", soft_stop_at_warning: false },
  roles: { builder: { timeout_seconds: 4 } },
  budgets: {
    per_milestone: {
      max_ticks: 1000,
      max_orchestrator_calls: 2000,
      max_builder_calls: 1000,
      max_verify_runs: 9000,
    },
  },
};

/** Lets so many ticks run, and checks what holds after every series. */
export async function endure(ticks: number): Promise<Endurance> {
  const plans = Array.from({ length: ticks }, (_, index) => (MISCHIEF[index % MISCHIEF.length] ?? goodStep)());
  const memory: number[] = [];
  let ran: LoopRan | null = null;
  await inLoopWorld({ plans, config: CONFIG }, async (world) => {
    const loop = world.start(["loop", "--json", "--max-ticks", String(ticks)]);
    const seen = { lines: 0, isOver: false };
    loop.process.stdout?.on("data", (text: string) => (seen.lines += text.split("\n").length - 1));
    void loop.ended.then(() => (seen.isOver = true));
    for (let told = 0; !seen.isOver; await delay(50)) {
      if (seen.lines === told) continue;
      told = seen.lines;
      memory.push(residentKilobytes(loop.process.pid));
    }
    ran = readLoop(await loop.ended);
    checkAfterSeries(world, ran);
  });
  if (ran === null) throw new Error("the loop never ran");
  return { ran, memory: memory.filter((kilobytes) => kilobytes > 0) };
}

function residentKilobytes(pid: number | undefined): number {
  try {
    return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).trim());
  } catch {
    return 0; // It is gone already.
  }
}

/** How much more memory it took at the end than after its first ticks. */
export function growthOf(memory: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(memory.length / 4));
  return Math.max(...memory.slice(-quarter)) / Math.max(...memory.slice(quarter, 2 * quarter));
}
