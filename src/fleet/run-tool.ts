import type { Environment } from "../base/environment.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import { supervise } from "../process/supervise.ts";

const DEADLINE_MS = 30_000;
const BYTES_MAX = 64 * 1024;

export interface ToolAnswer {
  /** Null where it could not be started. */
  readonly status: number | null;
  readonly text: string;
}

/** Runs a short program of the person's own PATH in a folder. */
export async function runTool(
  [program, ...args]: readonly [string, ...string[]],
  { folder, environment }: { readonly folder: string; readonly environment: Environment },
): Promise<ToolAnswer> {
  const end = await supervise({
    program,
    args,
    cwd: folder,
    env: makeChildEnvironment(environment, [], {}),
    input: null,
    isOwn: true,
    deadlineMs: DEADLINE_MS,
    log: null,
    stdoutBytesMax: BYTES_MAX,
    stderrBytesMax: BYTES_MAX,
  });
  const text = `${end.stdout.toString("utf8")}${end.stderr.toString("utf8")}`.trim();
  return { status: end.kind === "exited" ? end.status : null, text };
}
