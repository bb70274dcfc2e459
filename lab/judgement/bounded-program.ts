/** Starts a program in a group of its own, and ends the whole group when its time is over. */
import { spawn } from "node:child_process";

export interface ProgramRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly seconds: number;
}

export interface ProgramEnd {
  /** Null where a signal ended it, or it could not be started. */
  readonly status: number | null;
  readonly stdout: string;
  readonly output: string;
}

const OUTPUT_MAX = 1_000_000;

export async function runBounded({ argv, cwd, env, seconds }: ProgramRequest): Promise<ProgramEnd> {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const printed: string[] = [];
  const said: string[] = [];
  let length = 0;
  const keep = (lists: readonly string[][]) => (data: Buffer) => {
    length += data.length;
    if (length < OUTPUT_MAX) for (const list of lists) list.push(data.toString());
  };
  child.stdout.on("data", keep([printed, said]));
  child.stderr.on("data", keep([said]));
  const timer = setTimeout(() => endGroup(child.pid), seconds * 1000);
  const status = await new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      said.push(String(error));
      resolve(null);
    });
    child.once("close", resolve);
  });
  clearTimeout(timer);
  return { status, stdout: printed.join(""), output: said.join("") };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}
