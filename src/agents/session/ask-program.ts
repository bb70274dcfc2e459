import { supervise } from "../../io/process/supervise.ts";

interface Question {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a program answered; the status is null where it did not end by itself. */
export interface ProgramAnswer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const DEADLINE_MS = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024;

/** Asks a program about itself, with nothing to read, outside of the repository, whose settings have no say in it. */
export async function askProgram({ program, args, env }: Question): Promise<ProgramAnswer> {
  const end = await supervise({
    program,
    args,
    cwd: "/",
    env,
    input: null,
    log: null,
    stdoutBytesMax: OUTPUT_BYTES_MAX,
    stderrBytesMax: OUTPUT_BYTES_MAX,
    deadlineMs: DEADLINE_MS,
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
  const text = { stdout: end.stdout.toString("utf8"), stderr: end.stderr.toString("utf8") };
  return { status: end.kind === "exited" ? end.status : null, ...text };
}
