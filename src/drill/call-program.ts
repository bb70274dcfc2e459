/**
 * Calls a program that prepares a copy of the drill, or looks into it. Not by `supervise`, which ends everything that it
 * takes for a relative: ticks of other builders run beside it.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describeError, MeasurementError } from "../base/errors.ts";

const OUTPUT_BYTES_MAX = 1024 * 1024;
const DEADLINE_MS = 120_000;

/** Runs it to its end and answers with its output; throws if it fails. */
export type CallProgram = (program: string, args: readonly string[]) => Promise<string>;

export function callIn(cwd: string, env: Readonly<Record<string, string>>, signal: AbortSignal): CallProgram {
  return async (program, args) => {
    const limits = { timeout: DEADLINE_MS, maxBuffer: OUTPUT_BYTES_MAX, signal };
    try {
      return (await promisify(execFile)(program, [...args], { cwd, env: { ...env }, ...limits })).stdout;
    } catch (error) {
      throw new MeasurementError(`${program} ${args[0] ?? ""}`, describeError(error));
    }
  };
}
