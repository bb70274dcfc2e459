import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import { gitEnvironment } from "./repositories.ts";

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly uid?: number;
}

interface Ended extends Ran {
  readonly signal: string | null;
}

/** The executable as it ships, built once from the sources as they were when the tests began. */
export const executable = join(inject("built"), "relais.cjs");

/** Runs relais as a process of its own and answers with everything that a shell would see of it. */
export async function relais(args: readonly string[], options: RunOptions): Promise<Ran> {
  const { status, stdout, stderr } = await runExecutable(args, { ...options, env: environmentOf(options) });
  return { status, stdout: withoutIds(stdout), stderr: withoutIds(stderr) };
}

/** Nothing of the person who runs the tests but the place for temporary files. */
export function environmentOf({ cwd, env }: RunOptions): Readonly<Record<string, string | undefined>> {
  return { ...gitEnvironment(cwd), TMPDIR: process.env["TMPDIR"], ...env };
}

/** The same with this environment alone, and word for word. */
export async function runExecutable(args: readonly string[], { cwd, env, uid }: RunOptions): Promise<Ended> {
  const child = spawn(process.execPath, [executable, ...args], {
    cwd,
    env: { ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const ended = new Promise<Pick<Ended, "status" | "signal">>((resolve, reject) => {
    child.once("error", reject).once("close", (status, signal) => resolve({ status, signal }));
  });
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { ...end, stdout, stderr };
}

/** Commit ids differ from run to run; what stands around them must not. */
export function withoutIds(printed: string): string {
  return printed.replaceAll(/\b[0-9a-f]{40}\b/g, "<id>").replaceAll(/\b[0-9a-f]{12}\b/g, "<id>");
}
