/**
 * Runs relais itself as another process, for a server that answers several callers.
 *
 * The command is the same as if a person had typed it, with its own lock, its own signals and its own end. It gets a
 * session of its own, because a second signal ends it at once: a Ctrl-C for the server must not reach it as well. It
 * has a lifeline (`hold-lifeline.ts`), which ends whatever ends the server, and then it stops.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Duplex } from "node:stream";
import { type Caller, LIFELINE, LIFELINE_VARIABLE } from "../base/environment.ts";
import { noteProcess } from "../system/process-notes.ts";

const LINES_KEPT = 20;

export interface RelaisRequest extends Caller {
  /** How to start it. */
  readonly relais: readonly [node: string, executable: string];
  readonly args: readonly string[];
  /** Its whole standard input. */
  readonly input: string;
  /** What its answer may have; a longer one is not kept. */
  readonly bytesMax: number;
  /** Sees each line of its standard error as it comes. */
  readonly onLine: (line: string) => void;
  /** Stops it like SIGTERM, so that it leaves the repository in order. */
  readonly signal: AbortSignal;
}

export interface RelaisEnd {
  /** Its status, or the name of the signal that killed it. */
  readonly end: number | string;
  readonly stdout: string;
  readonly isTooLong: boolean;
  readonly lastLines: readonly string[];
}

/** Rejects where it cannot be started. */
export async function runRelais(request: RelaisRequest): Promise<RelaisEnd> {
  const { relais, args, cwd, environment, input, onLine, signal } = request;
  const [node, executable] = relais;
  const env = { ...environment, [LIFELINE_VARIABLE]: String(LIFELINE) };
  const stdio = ["pipe", "pipe", "pipe", "pipe"] as const;
  const child = spawn(node, [executable, ...args], { cwd, env, detached: true, stdio: [...stdio] });
  noteProcess({ child, argv: [...relais, ...args], env });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error(`${node} has no pipes`);
  const lifeline = child.stdio[LIFELINE];
  for (const pipe of [stdin, lifeline]) pipe?.on("error", () => {}); // It ended before it read anything.
  if (lifeline instanceof Duplex) lifeline.write("1");
  stdin.end(input);
  const lastLines: string[] = [];
  createInterface({ input: stderr }).on("line", (line) => {
    lastLines.push(line);
    lastLines.splice(0, lastLines.length - LINES_KEPT);
    onLine(line);
  });
  const printed = collect(stdout, request.bytesMax);
  const stop = (): void => void child.kill("SIGTERM");
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const end = await new Promise<number | string>((resolve, reject) => {
      child.once("error", reject).once("close", (status, killer) => resolve(status ?? String(killer)));
    });
    return { end, ...printed(), lastLines };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function collect(stream: NodeJS.ReadableStream, bytesMax: number): () => Pick<RelaisEnd, "stdout" | "isTooLong"> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
  });
  return () => ({ stdout: Buffer.concat(chunks).toString("utf8"), isTooLong: bytes > bytesMax });
}
