import { join } from "node:path";
import { tickMarker } from "../io/reap-session.ts";
import { type SessionEnd, supervise } from "../io/supervise.ts";
import type { SessionRequest } from "./driver.ts";
import { outputLines } from "./output-lines.ts";

const TRANSCRIPT_BYTES_MAX = 8 * 1024 * 1024;
const QUOTED_BYTES_MAX = 64 * 1024;

/** How one program plays a session; everything else is the same for every driver. */
export interface SessionProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input: string | null;
  /** How much of its standard output is kept for whoever reads an answer there. */
  readonly stdoutBytesMax?: number;
  /** Called with each line of its standard output, as it comes. */
  readonly onLine?: (line: string) => void;
}

/** Runs the program of a session to its end, within the limits of the request, and keeps its transcript. */
export async function superviseSession(
  request: SessionRequest,
  session: SessionProgram,
): Promise<SessionEnd> {
  const { program, args, env, input, stdoutBytesMax = 0, onLine } = session;
  const lines = onLine === undefined ? null : outputLines(onLine);
  const end = await supervise({
    program,
    args,
    cwd: request.cwd,
    env,
    input,
    log: { path: join(request.runDirectory, `${sessionName(request)}.log`), bytesMax: TRANSCRIPT_BYTES_MAX },
    stdoutBytesMax,
    stderrBytesMax: QUOTED_BYTES_MAX,
    deadlineMs: request.timeoutMs,
    idleTimeoutMs: request.idleTimeoutMs,
    outputBytesMax: request.outputBytesMax,
    signal: request.signal,
    marker: tickMarker(request.runId),
    ...(lines === null
      ? {}
      : {
          onOutput: (chunk: Buffer, stream: "stdout" | "stderr") => {
            if (stream === "stdout") lines.take(chunk);
          },
        }),
  });
  lines?.end();
  return end;
}

/** What the files of a session are called. */
function sessionName({ role, name }: SessionRequest): string {
  return name === undefined ? role : `${role}-${name}`;
}
