/**
 * Measures whole processes, from their start to their end. The commands are started by a small program in C, so that the
 * plain git commands of the floor pay nothing for Node. Without a C compiler a shell starts them, and memory is unknown.
 */
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** A program with its arguments. */
export type Command = readonly [string, ...string[]];

export interface Measurable {
  /** Run one after the other, and measured together. */
  readonly commands: readonly Command[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The expected exit status of the last command. */
  readonly status: number;
}

export interface Sample {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Of the largest process; NaN where it is unknown. */
  readonly peakMb: number;
}

export interface Meter {
  readonly starter: "a C driver" | "sh, for want of a C compiler";
  readonly measure: (measurable: Measurable) => Promise<Sample>;
  /** What the last measured commands printed. */
  readonly output: () => string;
}

const SECONDS_MAX = 900;
const OUTPUT_CHARACTERS_SHOWN = 2_000;

/** The signal also ends what is being measured. */
export function openMeter(folder: string, signal: AbortSignal): Meter {
  const output = join(folder, "measured-output");
  const program = compile(folder);
  const start: Start = async (file, args, { cwd, env }) => {
    const bounds = { cwd, env, signal, timeout: (SECONDS_MAX + 10) * 1000 };
    return (await promisify(execFile)(file, args, bounds)).stdout;
  };
  const run = program === null ? runByShell(start) : runByDriver(start, program);
  const read = (): string => readFileSync(output, "utf8");
  return {
    starter: program === null ? "sh, for want of a C compiler" : "a C driver",
    output: read,
    measure: async (measurable) => {
      const { sample, status } = await run(measurable, output);
      if (status === measurable.status) return sample;
      const names = measurable.commands.map((command) => command.join(" ")).join("; ");
      const printed = read().slice(-OUTPUT_CHARACTERS_SHOWN);
      throw new Error(`status ${status} instead of ${measurable.status}: ${names}\n${printed}`);
    },
  };
}

function compile(folder: string): string | null {
  const program = join(folder, "measure");
  try {
    const source = resolve("lab/bench/measure.c");
    execFileSync("cc", ["-O2", "-o", program, source], { stdio: "ignore", timeout: 60_000 });
    return program;
  } catch {
    return null;
  }
}

interface Run {
  readonly sample: Sample;
  readonly status: number;
}

/** Starts a program and answers with what it printed. */
type Start = (file: string, args: readonly string[], place: Pick<Measurable, "cwd" | "env">) => Promise<string>;
type RunMeasured = (measurable: Measurable, output: string) => Promise<Run>;

function runByDriver(start: Start, program: string): RunMeasured {
  return async ({ commands, cwd, env }, output) => {
    const words = commands.flatMap((command, at) => (at === 0 ? command : [";;", ...command]));
    const answer = await start(program, [String(SECONDS_MAX), output, ...words], { cwd, env });
    const [wall = Number.NaN, cpu = Number.NaN, peak = Number.NaN, status = -1] = answer.split(" ").map(Number);
    return { sample: { wallMs: wall / 1000, cpuMs: cpu / 1000, peakMb: peak / 1024 }, status };
  };
}

function runByShell(start: Start): RunMeasured {
  return async ({ commands, cwd, env }, output) => {
    const lines = commands.map((command) => command.map(quote).join(" "));
    const script = `{ ${lines.join("; ")}; } < /dev/null > ${quote(output)} 2>&1; s=$?; times; echo "$s"`;
    const began = performance.now();
    const answer = await start("sh", ["-c", script], { cwd, env });
    const wallMs = performance.now() - began;
    const times = [...answer.matchAll(/(?<minutes>\d+)m(?<seconds>[\d.]+)s/g)].map(
      ({ groups }) => Number(groups?.["minutes"]) * 60_000 + Number(groups?.["seconds"]) * 1000,
    );
    const cpuMs = times.reduce((sum, one) => sum + one, 0);
    return { sample: { wallMs, cpuMs, peakMb: Number.NaN }, status: Number(answer.trim().split("\n").at(-1)) };
  };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
