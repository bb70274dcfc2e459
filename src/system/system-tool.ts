import { promisify } from "node:util";
import { describeError, MeasurementError } from "../base/errors.ts";
import { noteProcess } from "./process-notes.ts";

/**
 * The output of a program of the operating system, in the C locale. Programs are named by absolute path: a folder on
 * our own PATH may belong to the repository that is being judged. Null where the program ran and failed.
 */
export async function findSystemTool(program: string, args: readonly string[]): Promise<string | null> {
  try {
    const options = { env: { LC_ALL: "C", TZ: "UTC" }, timeout: 10_000, maxBuffer: 64 * 1024 * 1024 };
    // Only systems without /proc need it, so it is not loaded before.
    const execute = promisify(process.getBuiltinModule("node:child_process").execFile);
    const running = execute(program, [...args], options);
    noteProcess({ child: running.child, argv: [program, ...args], env: options.env });
    return (await running).stdout;
  } catch (error) {
    if (error instanceof Error && "code" in error && typeof error.code === "number") return null;
    throw new MeasurementError(program, describeError(error));
  }
}
