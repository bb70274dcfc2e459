/** Runs a command in a real pseudo terminal, by util-linux's `script`, and keeps what it printed and when. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Bytes that arrived together, so many milliseconds after the beginning. */
export interface Chunk {
  readonly atMs: number;
  readonly data: Buffer;
}

interface PtyRequest {
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

export interface PtyRecording {
  readonly chunks: readonly Chunk[];
  readonly status: number;
}

const NEWLINE = 10;

/** Plays the command to its end. Its input is empty, so it asks nothing. */
export async function recordCommand(request: PtyRequest): Promise<PtyRecording> {
  const folder = mkdtempSync(join(tmpdir(), "relais-recording-"));
  try {
    const [output, timing] = [join(folder, "output"), join(folder, "timing")];
    const { columns, rows, command } = request;
    const line = `stty cols ${columns} rows ${rows}; ${command} < /dev/null`;
    const args = ["-q", "-e", "-f", "-O", output, "-T", timing, "-m", "advanced", "-c", line];
    const status = await statusOf(args, request);
    return { chunks: chunksOf(readFileSync(output), readFileSync(timing, "utf8")), status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function statusOf(args: readonly string[], { cwd, environment }: PtyRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn("script", args, { cwd, env: { ...environment, SHELL: "/bin/sh" }, stdio: "ignore" });
    child.once("error", (error) => {
      reject(new Error(`a recording needs the program script of util-linux: ${error.message}`));
    });
    child.once("close", (status) => resolve(status ?? -1));
  });
}

/** The output log begins with a line about itself; the other log says which bytes came when. */
function chunksOf(output: Buffer, timing: string): readonly Chunk[] {
  let at = output.indexOf(NEWLINE) + 1;
  let seconds = 0;
  const chunks: Chunk[] = [];
  for (const line of timing.split("\n")) {
    const [kind, delay, bytes] = line.split(" ");
    if (kind !== "O") continue;
    seconds += Number(delay);
    const end = at + Number(bytes);
    chunks.push({ atMs: Math.round(seconds * 1000), data: output.subarray(at, end) });
    at = end;
  }
  return chunks;
}
